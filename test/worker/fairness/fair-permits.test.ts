import { expect, test } from 'vitest'
import { SLOW_MS } from '#server/schedule/run-queue.ts'
import { chooseFairly, FairPermits, type Work } from '#worker/fairness/fair-permits.ts'
import { admit, permitsFor } from '#worker/runs/admission.ts'

const GB = 1024 ** 3
const quick = (organizationId: string): Work => ({ organizationId, isSlow: false })
const slow = (organizationId: string): Work => ({ organizationId, isSlow: true })
const many = (client: Work, count: number) => Array<Work>(count).fill(client)

function tally(chosen: { one: Work }[]): Record<string, number> {
  const counts = Map.groupBy(chosen, ({ one }) => one.organizationId)
  return Object.fromEntries([...counts].map(([id, all]) => [id, all.length]))
}

/** Slots on a clock that the test moves. */
function slotsOf(size: number) {
  const clock = { now: 0 }
  return { clock, slots: new FairPermits(size, () => clock.now) }
}

test('one organization leaves a quarter of the slots to the next, and its slow work half', () => {
  expect(tally(chooseFairly(many(quick('a'), 1_000), slotsOf(400).slots, 400))).toEqual({ a: 300 })
  expect(tally(chooseFairly(many(slow('a'), 1_000), slotsOf(400).slots, 400))).toEqual({ a: 200 })
  // Of few slots it may have all.
  expect([1, 2, 3, 4, 10].map((size) => chooseFairly(many(quick('a'), 50), slotsOf(size).slots, size).length)).toEqual([
    1, 2, 3, 3, 7,
  ])
})

test('however many have come, the next one finds a slot, and the good services of the first do too', () => {
  const { slots } = slotsOf(10)
  expect(chooseFairly(many(slow('a'), 1_000), slots, 10)).toHaveLength(5)
  expect(chooseFairly([...many(slow('a'), 10), ...many(quick('a'), 2)], slots, 10).map(({ one }) => one)).toEqual(
    many(quick('a'), 2),
  )
  expect(chooseFairly(many(slow('b'), 1_000), slots, 10)).toHaveLength(1)
  expect(chooseFairly([quick('c')], slots, 10)).toHaveLength(1)
})

test('what waits is taken from whoever took least lately', () => {
  const { slots, clock } = slotsOf(100)
  const busy = slots.acquire(quick('busy'))
  clock.now = 30_000
  busy()
  const waiting = [...many(quick('busy'), 40), ...many(quick('new'), 40)]
  // One of 30 s weighs as much as thirty that have just begun.
  const chosen = chooseFairly(waiting, slots, 40)
  expect(chosen.slice(0, 30).every(({ one }) => one.organizationId === 'new')).toBe(true)
  expect(tally(chosen)).toEqual({ new: 35, busy: 5 })
  for (const { release } of chosen) release()
  // It is forgotten by half in a minute.
  clock.now += 600_000
  expect(tally(chooseFairly(waiting, slots, 40))).toEqual({ new: 20, busy: 20 })
})

test('work that turns out to be slow counts as slow', () => {
  const { slots, clock } = slotsOf(10)
  chooseFairly(many(quick('a'), 6), slots, 10)
  expect(slots.mayAcquire(slow('a'))).toBe(true)
  clock.now = SLOW_MS
  slots.markSlow()
  expect([slots.mayAcquire(slow('a')), slots.mayAcquire(quick('a'))]).toEqual([false, true])
})

test('a slot that is given back is free, once', () => {
  const { slots } = slotsOf(2)
  const release = slots.acquire(slow('a'))
  release()
  release()
  expect([slots.free, slots.held, slots.mayAcquire(slow('a'))]).toEqual([2, 0, true])
})

test('slots grow with cores and memory, between 20 and 1,000, and the setting is their upper bound', () => {
  expect(permitsFor({ cores: 2, memoryBytes: 8 * GB })).toBe(500)
  expect(permitsFor({ cores: 8, memoryBytes: 0.5 * GB })).toBe(256)
  expect(permitsFor({ cores: 64, memoryBytes: 64 * GB })).toBe(1_000)
  expect(permitsFor({ cores: 1, memoryBytes: 1_000 })).toBe(20)
  expect(permitsFor({ cores: 2, memoryBytes: 8 * GB }, 10)).toBe(10)
  expect(permitsFor({ cores: 2, memoryBytes: 8 * GB }, 1_000)).toBe(500)
})

test('a busy event loop slows the beginning of runs, and short memory stops it at 20 in hand', () => {
  const idle = { busy: 0.5, rssBytes: GB }
  expect(admit(idle, 2 * GB, { held: 100, free: 400 })).toBe(400)
  expect(admit({ ...idle, busy: 0.95 }, 2 * GB, { held: 100, free: 400 })).toBe(4)
  expect(admit({ ...idle, rssBytes: 3 * GB }, 2 * GB, { held: 100, free: 400 })).toBe(0)
  expect(admit({ ...idle, rssBytes: 3 * GB }, 2 * GB, { held: 5, free: 400 })).toBe(15)
})
