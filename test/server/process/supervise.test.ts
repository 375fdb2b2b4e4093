import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { parseSettings } from '#server/process/settings.ts'
import { createBackoff, type Supervised, supervise } from '#server/process/supervise.ts'
import { heartbeatIntervalMs } from '#worker/liveness.ts'

const { execPath } = process
afterEach(() => {
  process.execPath = execPath
})

test('a process that the machine could not create is started again', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'soundline-supervise-'))
  const program = join(folder, 'program.mjs')
  writeFileSync(
    program,
    `import { writeFileSync } from 'node:fs'\nwriteFileSync(${JSON.stringify(join(folder, 'ran'))}, '')\nsetInterval(() => {}, 1000)\n`,
  )
  process.execPath = join(folder, 'missing')
  const { begin, ready, stop } = supervise('test', program, [])
  begin(process.env)
  await expect(ready).rejects.toThrow('ENOENT')
  process.execPath = execPath
  await vi.waitFor(() => expect(existsSync(join(folder, 'ran'))).toBe(true), 10_000)
  await stop()
  rmSync(folder, { recursive: true })
})

describe('a process that is prepared', () => {
  const folder = mkdtempSync(join(tmpdir(), 'soundline-supervise-'))
  const program = join(folder, 'program.ts')
  /** Returns the id of the process that wrote the file. */
  const writer = (name: string) =>
    vi.waitFor(() => {
      const pid = Number(readFileSync(join(folder, name), 'utf8'))
      expect(pid).toBeGreaterThan(0)
      return pid
    }, 10_000)
  const running: Supervised[] = []
  beforeAll(() => {
    const lifecycle = new URL('../../../server/process/lifecycle.ts', import.meta.url).href
    writeFileSync(
      program,
      `import { writeFileSync } from 'node:fs'
import { untilBegun } from ${JSON.stringify(lifecycle)}
const write = (name) => writeFileSync(new URL(process.env.NAME + '-' + name, import.meta.url), String(process.pid))
write('loaded')
await untilBegun()
write('begun')
setInterval(() => {}, 1000)
process.once('disconnect', () => process.exit())`,
    )
  })
  afterAll(async () => {
    await Promise.all(running.map(({ stop }) => stop()))
    rmSync(folder, { recursive: true })
  })
  const prepare = async (name: string) => {
    const child = supervise('test', program, [])
    running.push(child)
    child.prepare({ ...process.env, NAME: name })
    const pid = await writer(`${name}-loaded`)
    return { child, pid }
  }

  test('loads and waits, and then begins', async () => {
    const { child, pid } = await prepare('first')
    await sleep(300)
    expect(existsSync(join(folder, 'first-begun'))).toBe(false)
    child.begin({ ...process.env, NAME: 'first' })
    expect(await writer('first-begun')).toBe(pid)
  })

  test('is replaced when it begins in another environment', async () => {
    const { child, pid } = await prepare('second')
    child.begin({ ...process.env, NAME: 'third' })
    expect(await writer('third-begun')).not.toBe(pid)
    expect(existsSync(join(folder, 'second-begun'))).toBe(false)
  })

  test('is created again when it ends before it begins, and then does not wait', async () => {
    const { child, pid } = await prepare('fourth')
    process.kill(pid, 'SIGKILL')
    child.begin({ ...process.env, NAME: 'fourth' })
    expect(await writer('fourth-begun')).not.toBe(pid)
  })

  test('can be stopped while it waits', async () => {
    const { child, pid } = await prepare('fifth')
    await child.stop()
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })
})

test('the delay before a restart doubles, up to ten seconds', () => {
  const delay = createBackoff()
  const pauses = Array.from({ length: 20 }, () => delay(1_000))
  expect(pauses.slice(0, 4)).toEqual([250, 500, 1_000, 2_000])
  expect(Math.max(...pauses)).toBe(10_000)
})

test('a minute of healthy running resets the delay; a child that was never ready resets nothing', () => {
  const delay = createBackoff()
  for (let i = 0; i < 10; i++) delay(Number.NEGATIVE_INFINITY)
  expect(delay(59_000)).toBe(10_000)
  expect(delay(60_000)).toBe(250)
})

test("with the defaults, another worker takes over a dead worker's runs within twenty seconds", () => {
  const { WORKER_STALE_SECONDS } = parseSettings({})
  // The worst case: it dies right after a heartbeat, and right after the others checked.
  expect(WORKER_STALE_SECONDS * 1_000 + heartbeatIntervalMs(WORKER_STALE_SECONDS)).toBeLessThanOrEqual(18_000)
})
