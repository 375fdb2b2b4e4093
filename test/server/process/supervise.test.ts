import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { parseSettings } from '#server/process/settings.ts'
import { createBackoff, supervise } from '#server/process/supervise.ts'
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
  const { start, ready, stop } = supervise('test', program, [])
  start(process.env)
  await expect(ready).rejects.toThrow('ENOENT')
  process.execPath = execPath
  await vi.waitFor(() => expect(existsSync(join(folder, 'ran'))).toBe(true), 10_000)
  await stop()
  rmSync(folder, { recursive: true })
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
