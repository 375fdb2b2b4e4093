import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { runs } from '#db/schema/runs.ts'
import { announce } from '#server/live/announce.ts'
import type { LiveHub } from '#server/live/hub.ts'
import { type FindOpen, RunWaits } from '#server/live/run-waits.ts'
import { createLiveHub } from '#server/runtime.ts'
import { findOpenRuns } from '#server/schedule/open-runs.ts'
import { topics } from '#server/schemas/live/topics.ts'
import { testDatabase } from '#test/support/database.ts'
import type { Tree } from '#test/support/factories.ts'

const database = testDatabase()
const INTERVAL_MS = 100
/** Longer than any test: what ends earlier, ends for another reason. */
const LONG_MS = 60_000

let hub: LiveHub
let waits: RunWaits
let tree: Tree
let service: { id: string; organizationId: string }
/** Statements that the waits sent, each with the number of ids. */
const checks: number[] = []

beforeAll(async () => {
  tree = await database.create.tree()
  hub = createLiveHub(database.db, () => new Date())
})

beforeEach(async () => {
  service = await database.create.service(tree.project)
  checks.length = 0
  const findOpen: FindOpen = (db, awaited) => {
    checks.push(awaited.length)
    return findOpenRuns(db, awaited)
  }
  waits = new RunWaits({ db: database.db, live: hub, findOpen, bounds: { intervalMs: INTERVAL_MS, quietMs: LONG_MS } })
  return () => waits.close()
})

afterAll(() => hub.close())

let slots = 0

async function createRun(state: 'queued' | 'done' = 'queued'): Promise<string> {
  const id = randomUUID()
  const { id: serviceId, organizationId } = service
  // Each has its own slot: a service has one run per slot and agent.
  const slot = new Date(Date.now() + 60_000 * slots++)
  await database.db
    .insert(runs)
    .values({ id, serviceId, organizationId, agentId: randomUUID(), slot, cause: 'request', state })
  return id
}

/** As a worker does: the run is stored, then announced. */
async function finish(id: string): Promise<void> {
  await database.db.update(runs).set({ state: 'done' }).where(eq(runs.id, id))
  await announce(database.db, new Map([[service.organizationId, new Set([topics.run(service.id)])]]))
}

function waitFor(id: string, signal?: AbortSignal): Promise<void> {
  return waits.wait({ organizationId: service.organizationId, userId: randomUUID(), id }, LONG_MS, signal)
}

test('a wait ends when its run is done, and others go on', async () => {
  const [first, second] = [await createRun(), await createRun()]
  const ends: string[] = []
  const both = [first, second].map((id) => waitFor(id).then(() => ends.push(id)))
  await finish(first)
  await both[0]
  expect(ends).toEqual([first])
  expect(waits.size).toBe(1)
  await finish(second)
  await both[1]
  expect(waits.size).toBe(0)
})

test('a run that is done before its wait ends it', async () => {
  await waitFor(await createRun('done'))
})

test('a run with several agents is done with the last of them', async () => {
  const [first, other] = [await createRun(), await createRun()]
  await database.db.update(runs).set({ runId: first }).where(eq(runs.id, other))
  const waiting = waitFor(first)
  await expect.poll(() => checks.length).toBe(1)
  await finish(first)
  await expect.poll(() => checks.length).toBe(2)
  expect(waits.size).toBe(1)
  await finish(other)
  await waiting
})

test('a thousand waits take one statement per interval, and no connection', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => createRun()))
  const started = performance.now()
  const all = Array.from({ length: 1_000 }, (_, index) => waitFor(ids[index % ids.length] as string))
  for (const id of ids) await finish(id)
  await Promise.all(all)
  const intervals = (performance.now() - started) / INTERVAL_MS
  expect(checks.length).toBeLessThanOrEqual(Math.ceil(intervals) + 1)
  expect(Math.max(...checks)).toBeLessThanOrEqual(ids.length)
  expect(waits.size).toBe(0)
})

test('a change of another organization checks nothing', async () => {
  const other = await database.create.tree()
  const id = await createRun()
  const waiting = waitFor(id)
  await expect.poll(() => checks.length).toBe(1)
  const heard = new Promise<void>((resolve) => {
    const end = hub.subscribe((organizationId) => {
      if (organizationId !== other.organization.id) return
      end()
      resolve()
    })
  })
  await announce(database.db, new Map([[other.organization.id, new Set([topics.run(randomUUID())])]]))
  await heard
  expect(checks).toHaveLength(1)
  await finish(id)
  await waiting
})

test('an organization and a person have a share of the waits, so others can still wait', async () => {
  const bounds = { ownerMax: 2, intervalMs: INTERVAL_MS, quietMs: LONG_MS }
  const shared = new RunWaits({ db: database.db, live: hub, findOpen: findOpenRuns, bounds })
  const ids = [await createRun(), await createRun(), await createRun()]
  const waitOf = (organizationId: string, userId: string, id = '') =>
    shared.wait({ organizationId, userId, id }, LONG_MS)
  const { organizationId } = service
  const two = ids.slice(0, 2).map((id) => waitOf(organizationId, randomUUID(), id))
  await waitOf(organizationId, randomUUID(), ids[2])
  expect(shared.size).toBe(2)
  const person = randomUUID()
  const ofPerson = ids.slice(0, 2).map((id) => waitOf(randomUUID(), person, id))
  await waitOf(randomUUID(), person, ids[2])
  expect(shared.size).toBe(4)
  const other = waitOf(randomUUID(), randomUUID(), ids[2])
  expect(shared.size).toBe(5)
  shared.close()
  await Promise.all([...two, ...ofPerson, other])
})

test('a wait ends when the client is gone, after its time, and when the process stops', async () => {
  const id = await createRun()
  const client = new AbortController()
  const left = waitFor(id, client.signal)
  client.abort()
  await left
  await waits.wait({ organizationId: service.organizationId, userId: randomUUID(), id }, 1)
  const last = waitFor(id)
  waits.close()
  await last
  await waitFor(id)
  expect(waits.size).toBe(0)
})
