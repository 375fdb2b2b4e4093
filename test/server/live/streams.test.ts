import { v7 as uuidv7 } from 'uuid'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { closeDatabase, type Db, openDatabase } from '#db/client.ts'
import { eq } from '#db/drizzle.cjs'
import { rateLimits } from '#db/schema/credentials.ts'
import { memberships } from '#db/schema/organizations.ts'
import type { Runtime } from '#server/context.ts'
import { createDashboard } from '#server/fronts/session/session-front.ts'
import { createAnnouncer } from '#server/live/announce.ts'
import type { LiveHub, LiveOptions } from '#server/live/hub.ts'
import { createRecordWriter } from '#server/runs/record/writer.ts'
import { createLiveHub } from '#server/runtime.ts'
import { topics } from '#server/schemas/live/topics.ts'
import { testDashboard, type Visitor } from '#test/support/browser/dashboard.ts'
import { type LivePage, readLive } from '#test/support/browser/live-page.ts'
import type { Member, Organization } from '#test/support/factories.ts'
import { insertRunning, runOf } from '#test/support/runs/stored-runs.ts'
import { until } from '#test/support/runs/worker-processes.ts'

// Two web processes on one database: `t` and `other`, each with its own pool, listener and streams. And a worker.

const t = testDashboard({ RATE_LIMIT_ENABLED: 'false' })

let db: Db
let other: Runtime
let acme: Organization
let owner: Visitor
const pages: LivePage[] = []
const hubs: LiveHub[] = []

beforeAll(async () => {
  db = openDatabase(t.databaseUrl, { name: 'soundline-web', max: 4 })
  other = { ...t.runtime, db, live: hubOf() }
  acme = await t.create.organization({ name: 'Acme' })
  owner = await t.signIn(acme.owner)
})
afterEach(async () => {
  for (const page of pages.splice(0)) await page.close()
  await until('the end of all streams', async () => hubs.every((hub) => hub.size === 0))
  await t.db.delete(rateLimits)
})
afterAll(async () => {
  for (const hub of hubs) await hub.close()
  await t.runtime.live.close()
  await closeDatabase(db)
})

function hubOf(bounds: LiveOptions['bounds'] = {}): LiveHub {
  const hub = createLiveHub(db, () => new Date(), { bounds })
  hubs.push(hub)
  return hub
}

/** Opens the stream of a page, as a browser does, in the process `of`. */
async function open(visitor: Pick<Visitor, 'cookie'>, { of = other, ageMs = 0 } = {}): Promise<LivePage> {
  const input = encodeURIComponent(JSON.stringify({ ageMs }))
  const response = await createDashboard(of)(
    new Request(`http://dashboard.test/api/trpc/live.changes?input=${input}`, {
      headers: { host: 'dashboard.test', accept: 'text/event-stream', cookie: visitor.cookie ?? '' },
    }),
    { address: '10.0.0.1' },
  )
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  expect(response.headers.get('cache-control')).toBe('no-store, no-transform')
  const page = readLive(response)
  pages.push(page)
  return page
}

/** Opens a stream and waits until its process receives changes. */
async function openLive(visitor: Pick<Visitor, 'cookie'>, given: Parameters<typeof open>[1] = {}): Promise<LivePage> {
  const page = await open(visitor, given)
  await page.until(() => page.messages.some(({ isLive }) => isLive))
  return page
}

const has = (page: LivePage, topic: string) => page.until(() => page.topics.includes(topic))

async function signInOf(member: Member): Promise<Visitor> {
  return t.signIn(member)
}

/** Stores a run as a worker does. */
async function storeRun(service: { id: string; organizationId: string }, outcome: 'success' | 'failure') {
  const announcer = createAnnouncer(t.db)
  const writer = createRecordWriter(t.db, { variablesMax: 10, announcer })
  const run = runOf({ service, agent: { id: uuidv7(), slug: 'oslo' }, outcome, startedAt: new Date() })
  await insertRunning(t.db, [run])
  expect(await writer.write(run)).toBe(true)
  await announcer.close()
}

describe('a change reaches the pages of another process', () => {
  test('from the dashboard', async () => {
    const page = await openLive(owner)
    expect((await owner.post('workspaces.create', { name: 'Shop' })).status).toBe(200)
    await has(page, 'write.workspace')
  })

  test('from a worker: the run, the new state and the incident', async () => {
    const { service } = await t.create.serviceTree()
    const member = await t.create.member({ id: service.organizationId }, { isOwner: false })
    const page = await openLive(await signInOf(member))
    await storeRun(service, 'success')
    await has(page, topics.run(service.id))
    await has(page, topics.state(service.id))
    expect(page.topics).not.toContain('event')
    await storeRun(service, 'failure')
    await has(page, 'event')
  })

  test('a write that is rolled back is not announced', async () => {
    const page = await openLive(owner)
    expect((await owner.post('workspaces.create', { name: 'Shop' })).code).toBe('already_exists')
    await owner.post('silences.create', { scope: { all: true } })
    await owner.post('workspaces.create', { name: 'Depot' })
    await has(page, 'write.workspace')
    expect(page.topics.filter((topic) => topic === 'write.workspace')).toHaveLength(1)
  })

  test('what happened between the load of the page and its stream is repeated', async () => {
    // A process that has just started does not know the seconds before.
    await until('a process that knows the past', async () => {
      const page = await openLive(owner)
      await page.close()
      return page.messages.at(0)?.topics
    })
    const early = await openLive(owner)
    await owner.post('workspaces.create', { name: 'Garage' })
    await has(early, 'write.workspace')
    const late = await openLive(owner)
    expect(late.messages).toEqual([{ isLive: true, topics: expect.arrayContaining(['write.workspace']) }])
    const unknown = await openLive(owner, { ageMs: 3_600_000 })
    expect(unknown.messages).toEqual([{ isLive: true, topics: null }])
  })
})

describe('nobody else learns of it', () => {
  test('another organization gets nothing', async () => {
    const strangers = await t.create.organization()
    const stranger = await openLive(await signInOf(strangers.owner))
    const page = await openLive(owner)
    await owner.post('workspaces.create', { name: 'Harbour' })
    await has(page, 'write.workspace')
    const control = await t.signIn(strangers.owner)
    await control.post('workspaces.create', { name: 'Elsewhere' })
    await has(stranger, 'write.workspace')
    expect(stranger.topics.filter((topic) => topic === 'write.workspace')).toHaveLength(1)
  })

  test('messages contain no id', async () => {
    const { service } = await t.create.serviceTree()
    const page = await openLive(await signInOf(await t.create.member({ id: service.organizationId })))
    await storeRun(service, 'failure')
    await has(page, topics.run(service.id))
    const text = JSON.stringify(page.messages)
    for (const secret of [service.id, service.organizationId, service.name]) expect(text).not.toContain(secret)
  })

  test('without a session, there is no stream', async () => {
    const page = await open({ cookie: null })
    await page.until(() => page.isOver)
    expect([page.code, page.messages]).toEqual(['session_required', []])
  })
})

describe('a stream ends', () => {
  const member = async (of = other) => {
    const created = await t.create.member(acme)
    const visitor = await signInOf(created)
    return { created, visitor, page: await openLive(visitor, { of }) }
  }

  test('when the session is signed out', async () => {
    const { visitor, page } = await member()
    const untouched = await openLive(owner)
    await visitor.post('auth.signOut')
    await page.until(() => page.isOver)
    expect([page.code, untouched.isOver]).toEqual([undefined, false])
  })

  test('when the member is deactivated, also without an announcement', async () => {
    const { created, page } = await member({ ...other, live: hubOf({ checkMs: 100 }) })
    await t.db.update(memberships).set({ isActive: false }).where(eq(memberships.id, created.membershipId))
    await page.until(() => page.isOver)
  })

  test('when the member switches to another organization', async () => {
    const { created, visitor, page } = await member()
    const second = await t.create.organization()
    await t.create.member(second, { userId: created.userId })
    expect((await visitor.post('auth.switchOrganization', { organizationId: second.id })).status).toBe(200)
    await page.until(() => page.isOver)
  })

  test('when it is old, and when the process stops', async () => {
    const old = await openLive(owner, { of: { ...other, live: hubOf({ ageMs: 300 }) } })
    await old.until(() => old.isOver)
    const live = hubOf()
    const page = await openLive(owner, { of: { ...other, live } })
    await live.close()
    await page.until(() => page.isOver)
    const refused = await open(owner, { of: { ...other, live } })
    await refused.until(() => refused.isOver)
    expect(refused.code).toBe('service_unavailable')
  })

  test('when the browser closes the page', async () => {
    const live = hubOf()
    const page = await openLive(owner, { of: { ...other, live } })
    expect(live.size).toBe(1)
    await page.close()
    await until('the end of the stream', async () => live.size === 0)
  })
})

describe('bounds', () => {
  test('a member has at most so many streams, and so has the process', async () => {
    const of = { ...other, live: hubOf({ memberStreamsMax: 2, processStreamsMax: 3 }) }
    for (let n = 0; n < 2; n++) await openLive(owner, { of })
    const third = await open(owner, { of })
    await third.until(() => third.isOver)
    expect(third.code).toBe('rate_limited')
    const colleague = await signInOf(await t.create.member(acme))
    await openLive(colleague, { of })
    const last = await open(await signInOf(await t.create.member(acme)), { of })
    await last.until(() => last.isOver)
    expect(last.code).toBe('service_unavailable')
    // A closed page makes room.
    await pages[0]?.close()
    await until('room', async () => of.live.size === 2)
    await openLive(colleague, { of })
  })

  test('a page that reads nothing costs a bounded message', async () => {
    const live = hubOf()
    await openLive(owner, { of: { ...other, live } })
    const stream = live.open({ organizationId: acme.id, userId: uuidv7(), sessionId: uuidv7() }, 0, undefined)
    const iterator = stream[Symbol.asyncIterator]()
    const announcer = createAnnouncer(t.db)
    const services = Array.from({ length: 2_000 }, () => topics.run(uuidv7()))
    announcer.add(new Map([[acme.id, new Set(services)]]))
    const page = pages.at(-1) as LivePage
    // So many topics become their kind.
    await has(page, 'run')
    const first = await iterator.next()
    expect((first.value?.topics ?? []).length).toBeLessThan(201)
    await iterator.return?.()
    await announcer.close()
  })
})

test('while the database cannot be heard, pages are told to poll, and then that anything may have changed', async () => {
  const page = await openLive(owner)
  await t.db.execute(`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'soundline-live' and datname = current_database()`)
  await page.until(() => page.messages.some(({ isLive }) => !isLive))
  await page.until(() => page.messages.at(-1)?.isLive === true)
  expect(page.messages.at(-1)?.topics).toBe(null)
  await owner.post('workspaces.create', { name: 'Attic' })
  await has(page, 'write.workspace')
})
