import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hold } from '#server/process/folder-lock.ts'

const folder = () => realpathSync(mkdtempSync(join(tmpdir(), 'soundline-hold-')))

/** Another process that holds the folder, once it says so. */
async function holder(place: string) {
  const script = `
    import { hold } from '#server/process/folder-lock.ts'
    console.log((await hold(${JSON.stringify(place)}, 'start')) ? 'held' : 'refused')
    setInterval(() => {}, 1_000)`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said = await new Promise<string>((resolve) => child.stdout.once('data', (text) => resolve(String(text).trim())))
  return { child, said, ended: new Promise((resolve) => child.once('exit', resolve)) }
}

test('what is held is refused to everyone else until it is released', async () => {
  const place = folder()
  const release = await hold(place, 'start')
  expect(release).not.toBeNull()
  expect(await hold(place, 'start')).toBeNull()
  expect(await hold(place, 'other')).not.toBeNull()
  const other = await holder(place)
  expect(other.said).toBe('refused')
  other.child.kill('SIGKILL')
  release?.()
  expect(await hold(place, 'start')).not.toBeNull()
})

test('what a killed process held is free', async () => {
  const place = folder()
  const other = await holder(place)
  expect(other.said).toBe('held')
  expect(await hold(place, 'start')).toBeNull()
  other.child.kill('SIGKILL')
  await other.ended
  expect(await hold(place, 'start')).not.toBeNull()
})

test('a process that is suspended still holds', { timeout: 60_000 }, async () => {
  const place = folder()
  const other = await holder(place)
  other.child.kill('SIGSTOP')
  expect(await hold(place, 'start')).toBeNull()
  other.child.kill('SIGKILL')
})

test('of many that try at once, one holds', async () => {
  const place = folder()
  // The socket of someone who is gone, which all of them find dead.
  const gone = await holder(place)
  gone.child.kill('SIGKILL')
  await gone.ended
  const others = await Promise.all([1, 2, 3, 4].map(() => holder(place)))
  expect(others.filter(({ said }) => said === 'held').length).toBeLessThanOrEqual(1)
  for (const { child } of others) child.kill('SIGKILL')
})

test('a folder whose path is too long for a socket can be held', async () => {
  const place = join(folder(), 'a'.repeat(90), 'b'.repeat(90))
  mkdirSync(place, { recursive: true })
  const release = await hold(place, 'start')
  expect(release).not.toBeNull()
  expect(await hold(place, 'start')).toBeNull()
  release?.()
})
