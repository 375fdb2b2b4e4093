import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { HOSTILE_TARGETS, type RunningTarget, startHostile } from '#test/support/targets/hostile.ts'
import type { LoadReport } from '#test/support/targets/hostile-load.ts'

const MIB = 1024 * 1024
/** A multiple of three, because costly targets are requested in every third round. */
const ROUNDS = 6
const LOAD = fileURLToPath(new URL('../../support/targets/hostile-load.ts', import.meta.url))

let targets: RunningTarget[] = []
beforeAll(async () => {
  targets = await Promise.all(HOSTILE_TARGETS.map((target) => startHostile(target)))
})
afterAll(async () => {
  await Promise.all(targets.map((target) => target.close()))
})

test('hundreds of requests to hostile servers leak no memory and crash nothing', async () => {
  const costly = targets.filter(({ target }) => target.costly)
  const others = targets.filter(({ target }) => !target.costly)
  const urls = (of: RunningTarget[]) => JSON.stringify(of.map(({ url }) => url))
  // A small young generation and a single arena, because otherwise memory peaks depend on the load of the machine.
  const flags = ['--expose-gc', '--max-semi-space-size=4']
  const env = { ...process.env, MALLOC_ARENA_MAX: '1' }
  const args = [...flags, LOAD, urls(others), String(ROUNDS), urls(costly)]
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { env })
  const report: LoadReport = JSON.parse(stdout)

  expect(stderr).toBe('')
  expect(report.runs).toBe(ROUNDS * others.length + (ROUNDS / 3) * costly.length)
  expect(report.runs).toBeGreaterThanOrEqual(200)
  expect(report.residentGrowthBytes).toBeLessThan(75 * MIB)
  // On a busy machine, a body of 10 MiB may still be held.
  expect(report.heldGrowthBytes).toBeLessThan(12 * MIB)
})
