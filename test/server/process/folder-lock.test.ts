import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { lockFolder } from '#server/process/folder-lock.ts'

const folder = () => realpathSync(mkdtempSync(join(tmpdir(), 'soundline-lock-')))

/**
 * Starts another process that tries to lock the folder, and waits for its outcome. `blockedMs`: as long, its event loop
 * does nothing else after it has begun.
 */
async function startLocker(path: string, blockedMs = 0) {
  const script = `
    import { lockFolder } from '#server/process/folder-lock.ts'
    const locking = lockFolder(${JSON.stringify(path)}, 'start')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${blockedMs})
    console.log((await locking) ? 'locked' : 'refused')
    setInterval(() => {}, 1_000)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const outcome = await new Promise<string>((resolve) =>
    child.stdout.once('data', (text) => resolve(String(text).trim())),
  )
  return { child, outcome, ended: new Promise((resolve) => child.once('exit', resolve)) }
}

test('a locked folder cannot be locked again until it is released', async () => {
  const path = folder()
  const release = await lockFolder(path, 'start')
  expect(release).not.toBeNull()
  expect(await lockFolder(path, 'start')).toBeNull()
  expect(await lockFolder(path, 'other')).not.toBeNull()
  release?.()
  expect(await lockFolder(path, 'start')).not.toBeNull()
})

test('a suspended process keeps its lock, and a killed one releases it', { timeout: 60_000 }, async () => {
  const path = folder()
  const other = await startLocker(path)
  expect(other.outcome).toBe('locked')
  expect(await lockFolder(path, 'start')).toBeNull()
  other.child.kill('SIGSTOP')
  expect(await lockFolder(path, 'start')).toBeNull()
  other.child.kill('SIGKILL')
  await other.ended
  expect(await lockFolder(path, 'start')).not.toBeNull()
})

test('a process that is too busy to read the answer of the holder does not take its lock', async () => {
  const path = folder()
  expect(await lockFolder(path, 'start')).not.toBeNull()
  const other = await startLocker(path, 2_500)
  expect(other.outcome).toBe('refused')
  other.child.kill('SIGKILL')
})

test('of several processes that try at once, at most one locks the folder', async () => {
  const path = folder()
  // Leaves a dead socket behind, which all of them find.
  const gone = await startLocker(path)
  gone.child.kill('SIGKILL')
  await gone.ended
  const others = await Promise.all([1, 2, 3].map(() => startLocker(path)))
  expect(others.filter(({ outcome }) => outcome === 'locked').length).toBeLessThanOrEqual(1)
  for (const { child } of others) child.kill('SIGKILL')
})

test('a folder whose path is too long for a socket can be locked', async () => {
  const path = join(folder(), 'a'.repeat(90), 'b'.repeat(90))
  mkdirSync(path, { recursive: true })
  const release = await lockFolder(path, 'start')
  expect(release).not.toBeNull()
  expect(await lockFolder(path, 'start')).toBeNull()
  release?.()
})
