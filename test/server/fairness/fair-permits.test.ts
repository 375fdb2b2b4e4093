import { expect, test } from 'vitest'
import { chooseFairly, FairPermits, SLOW_MS, type Work } from '#server/fairness/fair-permits.ts'
import { admit, permitsFor } from '#worker/runs/admission.ts'

const GB = 1024 ** 3
const quick = (organizationId: string): Work => ({ organizationId, isSlow: false })
const slow = (organizationId: string): Work => ({ organizationId, isSlow: true })
const many = (work: Work, count: number) => Array<Work>(count).fill(work)

function tally(chosen: { item: Work }[]): Record<string, number> {
  const counts = Map.groupBy(chosen, ({ item }) => item.organizationId)
  return Object.fromEntries([...counts].map(([id, all]) => [id, all.length]))
}

/** Permits with a clock that the test moves. */
function permitsOf(size: number) {
  const clock = { now: 0 }
  return { clock, permits: new FairPermits(size, () => clock.now) }
}

test('one organization leaves a quarter of the permits free, and its slow work leaves half', () => {
  expect(tally(chooseFairly(many(quick('a'), 1_000), permitsOf(400).permits, 400))).toEqual({ a: 300 })
  expect(tally(chooseFairly(many(slow('a'), 1_000), permitsOf(400).permits, 400))).toEqual({ a: 200 })
  // If there are only a few permits, it may hold all of them.
  expect(
    [1, 2, 3, 4, 10].map((size) => chooseFairly(many(quick('a'), 50), permitsOf(size).permits, size).length),
  ).toEqual([1, 2, 3, 3, 7])
})

test('another organization, and the fast services of the first one, still get a permit', () => {
  const { permits } = permitsOf(10)
  expect(chooseFairly(many(slow('a'), 1_000), permits, 10)).toHaveLength(5)
  expect(chooseFairly([...many(slow('a'), 10), ...many(quick('a'), 2)], permits, 10).map(({ item }) => item)).toEqual(
    many(quick('a'), 2),
  )
  expect(chooseFairly(many(slow('b'), 1_000), permits, 10)).toHaveLength(1)
  expect(chooseFairly([quick('c')], permits, 10)).toHaveLength(1)
})

test('the organization whose recent use is smallest comes first', () => {
  const { permits, clock } = permitsOf(100)
  const busy = permits.acquire(quick('busy'))
  clock.now = 30_000
  busy()
  const waiting = [...many(quick('busy'), 40), ...many(quick('new'), 40)]
  // One permit held for 30 s weighs as much as thirty permits that were just acquired.
  const chosen = chooseFairly(waiting, permits, 40)
  expect(chosen.slice(0, 30).every(({ item }) => item.organizationId === 'new')).toBe(true)
  expect(tally(chosen)).toEqual({ new: 35, busy: 5 })
  for (const { release } of chosen) release()
  // Past use halves every minute.
  clock.now += 600_000
  expect(tally(chooseFairly(waiting, permits, 40))).toEqual({ new: 20, busy: 20 })
})

test('work that turns out to be slow counts as slow', () => {
  const { permits, clock } = permitsOf(10)
  chooseFairly(many(quick('a'), 6), permits, 10)
  expect(permits.mayAcquire(slow('a'))).toBe(true)
  clock.now = SLOW_MS
  permits.markSlow()
  expect([permits.mayAcquire(slow('a')), permits.mayAcquire(quick('a'))]).toEqual([false, true])
})

test('a permit can be released only once', () => {
  const { permits } = permitsOf(2)
  const release = permits.acquire(slow('a'))
  release()
  release()
  expect([permits.free, permits.held, permits.mayAcquire(slow('a'))]).toEqual([2, 0, true])
})

test('permits grow with cores and memory, between 20 and 1,000, and the setting is their upper bound', () => {
  expect(permitsFor({ cores: 2, memoryBytes: 8 * GB })).toBe(500)
  expect(permitsFor({ cores: 8, memoryBytes: 0.5 * GB })).toBe(256)
  expect(permitsFor({ cores: 64, memoryBytes: 64 * GB })).toBe(1_000)
  expect(permitsFor({ cores: 1, memoryBytes: 1_000 })).toBe(20)
  expect(permitsFor({ cores: 2, memoryBytes: 8 * GB }, 10)).toBe(10)
  expect(permitsFor({ cores: 2, memoryBytes: 8 * GB }, 1_000)).toBe(500)
})

test('a busy event loop slows the start of runs, and little memory limits them to 20 in flight', () => {
  const idle = { busy: 0.5, rssBytes: GB }
  expect(admit(idle, 2 * GB, { held: 100, free: 400 })).toBe(400)
  expect(admit({ ...idle, busy: 0.95 }, 2 * GB, { held: 100, free: 400 })).toBe(4)
  expect(admit({ ...idle, rssBytes: 3 * GB }, 2 * GB, { held: 100, free: 400 })).toBe(0)
  expect(admit({ ...idle, rssBytes: 3 * GB }, 2 * GB, { held: 5, free: 400 })).toBe(15)
})
