import { expect, test } from 'vitest'
import { FairQueue, SLOW, slowAwareQueue, type Work } from '#server/fairness/fair-queue.ts'
import { admit, permitsFor } from '#worker/runs/admission.ts'

const GB = 1024 ** 3
const quick = (organizationId: string): Work => ({ organizationId })
const slow = (organizationId: string): Work => ({ organizationId, key: SLOW })
const many = (work: Work, count: number) => Array<Work>(count).fill(work)

function tally(chosen: { item: Work }[]): Record<string, number> {
  const counts = Map.groupBy(chosen, ({ item }) => item.organizationId)
  return Object.fromEntries([...counts].map(([id, all]) => [id, all.length]))
}

test('one organization leaves a quarter of the places free, and its slow work leaves half', () => {
  expect(tally(slowAwareQueue(400).choose(many(quick('a'), 1_000), 400))).toEqual({ a: 300 })
  expect(tally(slowAwareQueue(400).choose(many(slow('a'), 1_000), 400))).toEqual({ a: 200 })
  const sizes = [1, 2, 3, 4, 10]
  expect(sizes.map((size) => slowAwareQueue(size).choose(many(quick('a'), 50), size).length)).toEqual([1, 1, 2, 3, 7])
})

test('another organization, and the fast services of the first one, still get a place', () => {
  const queue = slowAwareQueue(10)
  expect(queue.choose(many(slow('a'), 1_000), 10)).toHaveLength(5)
  expect(queue.choose([...many(slow('a'), 10), ...many(quick('a'), 2)], 10).map(({ item }) => item)).toEqual(
    many(quick('a'), 2),
  )
  expect(queue.refused()).toEqual([{ organizationId: 'a' }])
  // All but the last place, which is kept for an organization that holds none.
  expect(queue.choose(many(slow('b'), 1_000), 10)).toHaveLength(2)
  expect(queue.choose([quick('c')], 10)).toHaveLength(1)
})

test('the organization that holds fewest places comes first', () => {
  const queue = new FairQueue(100)
  queue.choose(many(quick('busy'), 20), 20)
  const waiting = [...many(quick('busy'), 40), ...many(quick('new'), 40)]
  const chosen = queue.choose(waiting, 30)
  expect(chosen.slice(0, 20).every(({ item }) => item.organizationId === 'new')).toBe(true)
  expect(tally(chosen)).toEqual({ new: 25, busy: 5 })
})

test('of more organizations than places, each gets its turn', () => {
  const queue = new FairQueue(10)
  const waiting = Array.from({ length: 30 }, (_, index) => quick(String(index)))
  const served = new Set<string>()
  const held = queue.choose(waiting, 10)
  for (let turn = 0; turn < 1_000; turn++) {
    const [first] = held.splice(0, 1)
    served.add(first?.item.organizationId as string)
    first?.release()
    held.push(...queue.choose(waiting, 1))
  }
  expect(served.size).toBe(30)
})

test('organizations that hold the same wait in turn, whatever one of them has waiting', async () => {
  const queue = new FairQueue(1)
  const order: string[] = []
  const perform = async (id: string) => {
    const release = await queue.acquire(quick(id))
    order.push(id)
    await Promise.resolve()
    release()
  }
  await Promise.all([...Array<string>(4).fill('a'), 'b', 'c', 'c'].map(perform))
  expect(order).toEqual(['a', 'a', 'b', 'c', 'a', 'c', 'a'])
  expect([queue.held, queue.refused()]).toEqual([0, []])
})

test('work that no longer waits holds no place', async () => {
  const queue = new FairQueue(1)
  const release = await queue.acquire(quick('a'))
  const stop = new AbortController()
  const stopped = queue.acquire(quick('b'), { signal: stop.signal })
  const late = queue.acquire(quick('c'), { limit: { ms: 1, error: () => new Error('too late') } })
  stop.abort(new Error('stopped'))
  await expect(stopped).rejects.toThrow('stopped')
  await expect(late).rejects.toThrow('too late')
  await expect(queue.acquire(quick('b'), { signal: stop.signal })).rejects.toThrow('stopped')
  release()
  expect([queue.held, queue.free]).toEqual([0, 1])
})

test('a place can be released only once', () => {
  const queue = slowAwareQueue(2)
  const release = queue.take(slow('a'))
  release()
  release()
  expect([queue.free, queue.held, queue.mayTake(slow('a'))]).toEqual([2, 0, true])
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
