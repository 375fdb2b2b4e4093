import { hydrate, QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Refresher } from '#app/client/live/refresher.ts'
import { topics } from '#server/schemas/live/topics.ts'

// What a page refetches after changes, with a clock that the test sets.

const KEY = ['services.get', { id: '01990000-0000-7000-8000-000000000001' }]
const run = topics.run('01990000-0000-7000-8000-000000000001')
let client: QueryClient
let refresher: Refresher
const fetched = vi.fn(async () => 'fetched')

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
  vi.stubGlobal('document', { hidden: false })
  fetched.mockClear()
  client = new QueryClient({ defaultOptions: { queries: { staleTime: 60_000 } } })
  refresher = new Refresher(client)
})
afterEach(() => {
  refresher.stop()
  client.clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** The server read this data `ageMs` ago, and the page has it now. */
function bring(ageMs: number): void {
  const state = { data: 'brought', dataUpdatedAt: Date.now() - ageMs, status: 'success' }
  hydrate(client, { queries: [{ queryKey: KEY, queryHash: JSON.stringify(KEY), state } as never] })
}

function show(): () => void {
  return new QueryObserver(client, { queryKey: KEY, queryFn: fetched }).subscribe(() => {})
}

test('a change refetches what the page shows, within two seconds', async () => {
  bring(0)
  show()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(fetched).not.toHaveBeenCalled()
  refresher.change([run])
  await vi.advanceTimersByTimeAsync(1_500)
  expect(fetched).toHaveBeenCalledTimes(1)
})

test('what a change affects on a page is fetched at the same moment', async () => {
  const times: number[] = []
  const paths = ['projects.get', 'status.summary', 'status.board', 'metrics.project.history']
  for (const path of paths) {
    const queryFn = async () => times.push(Date.now())
    new QueryObserver(client, { queryKey: [path, null], queryFn }).subscribe(() => {})
    // Queries that take different times also wait for different times.
    await vi.advanceTimersByTimeAsync(50)
  }
  await vi.advanceTimersByTimeAsync(5_000)
  times.length = 0
  refresher.change([topics.state('01990000-0000-7000-8000-000000000001')])
  await vi.advanceTimersByTimeAsync(5_000)
  expect(times.length).toBe(paths.length)
  expect(new Set(times).size).toBe(1)
})

test('a change of something else refetches nothing', async () => {
  bring(0)
  show()
  refresher.change([topics.write('session')])
  await vi.advanceTimersByTimeAsync(60_000)
  expect(fetched).not.toHaveBeenCalled()
})

test('data that was read before a change and arrives after it is fetched again when it is shown', async () => {
  refresher.change([run])
  await vi.advanceTimersByTimeAsync(100)
  bring(150)
  show()
  await vi.advanceTimersByTimeAsync(1_500)
  expect(fetched).toHaveBeenCalledTimes(1)
})

test('the same, while the page shows older data', async () => {
  bring(60_000)
  show()
  await vi.advanceTimersByTimeAsync(1_500)
  fetched.mockClear()
  refresher.change([topics.write('session'), run])
  bring(-1)
  await vi.advanceTimersByTimeAsync(3_000)
  expect(fetched).toHaveBeenCalledTimes(1)
})

test('data that seems to be read just after a change is fetched again: the clocks may differ', async () => {
  refresher.change([run])
  await vi.advanceTimersByTimeAsync(200)
  bring(150)
  show()
  await vi.advanceTimersByTimeAsync(1_500)
  expect(fetched).toHaveBeenCalledTimes(1)
})

test('data that was read after the change is not fetched again', async () => {
  refresher.change([run])
  await vi.advanceTimersByTimeAsync(1_200)
  bring(150)
  show()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(fetched).not.toHaveBeenCalled()
})
