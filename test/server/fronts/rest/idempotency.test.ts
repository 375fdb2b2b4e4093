import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closeDatabase, type Db, openDatabase } from '#db/client.ts'
import { eq, sql } from '#db/drizzle.cjs'
import { auditEntries } from '#db/schema/audit.ts'
import { idempotentAnswers } from '#db/schema/idempotency.ts'
import { memberships } from '#db/schema/organizations.ts'
import { grants } from '#db/schema/scoped.ts'
import { reseal } from '#server/commands/resealing.ts'
import { HOUR_MS } from '#server/durations.ts'
import { createFacade, type Deadlines, type Facade } from '#server/fronts/rest/facade.ts'
import { createRouteTable, type Route } from '#server/fronts/rest/route.ts'
import { appRouter } from '#server/router.ts'
import { SECTIONS } from '#server/schemas/account/sections.ts'
import { createVault } from '#server/vault.ts'
import { buildRequest, type CallOptions, testApi } from '#test/support/api/api.ts'
import { contract, toAnswer } from '#test/support/api/contract.ts'
import { ROWS, type Row, TARGETS, type Target } from '#test/support/api/permission-matrix.data.ts'
import { targetOf } from '#test/support/api/permission-targets.ts'
import { makeTree, makeTrees, makeWorld, type Tree, type World } from '#test/support/api/permission-world.ts'
import { type Key, unique } from '#test/support/factories.ts'
import { type DatabaseProxy, startProxy } from '#test/support/processes/proxy.ts'
import { SCRIPT } from '#test/support/runs/scripts.ts'
import { until } from '#test/support/runs/worker-processes.ts'
import { upkeep } from '#worker/tasks/upkeep.ts'

const api = testApi()
let key: Key
/** A second web process: its own pool, the same database and secret keys. */
let other: { db: Db; facade: Facade }

beforeAll(async () => {
  key = await api.create.key((await api.create.organization()).owner)
  other = secondProcess(api.databaseUrl)
})
afterAll(() => closeDatabase(other.db))

function secondProcess(url: string, deadlines: Partial<Deadlines> = {}): { db: Db; facade: Facade } {
  const db = openDatabase(url, { max: 6, name: 'soundline-test' })
  return { db, facade: createFacade({ ...api.runtime, db }, { ...DEADLINES, ...deadlines }) }
}

const DEADLINES: Deadlines = {
  authenticationMs: 20_000,
  bodyMs: 20_000,
  statementsMs: 20_000,
  operationMs: 20_000,
  repeatedMs: 20_000,
}

type Sent = { status: number; text: string; isReplayed: boolean; retryAfter: string | null }

/** Sends a request and checks the response against the document. */
async function send(
  path: string,
  options: CallOptions & { idempotencyKey: string; from?: Facade; by?: Key; method?: string },
): Promise<Sent> {
  const { idempotencyKey, from = api.facade, by = key, method = 'POST', ...rest } = options
  const headers = { ...rest.headers, 'idempotency-key': idempotencyKey }
  const request = buildRequest(by, method, path, { ...rest, headers })
  const response = await from(request, { address: '127.0.0.1' })
  const text = await response.text()
  const { status, headers: received } = response
  contract().check(method, new URL(request.url).pathname, toAnswer(status, received, JSON.parse(text)))
  const isReplayed = received.get('idempotency-replayed') === 'true'
  return { status, text, isReplayed, retryAfter: received.get('retry-after') }
}

const post = (path: string, body: unknown, idempotencyKey: string, from?: Facade) =>
  send(path, { body, idempotencyKey, ...(from && { from }) })
const codeOf = ({ status, text }: Sent) => [status, JSON.parse(text).error]
const countAudits = (db: Db = api.db) => db.$count(auditEntries)
const countWorkspaces = async (name: string) => {
  const [row] = await api.db.execute<{ count: number }>(
    sql`select count(*)::int as count from workspaces where name = ${name}`,
  )
  return row?.count
}

describe('every POST of the API', () => {
  const routes = createRouteTable(appRouter).routes.filter(({ method }) => method === 'POST')
  let world: World
  /** Resources of its own for each route. */
  let trees: Tree[]
  let foreign: Tree
  beforeAll(async () => {
    world = await makeWorld(api.db)
    trees = await makeTrees(api.db, world, world.a, routes.length)
    foreign = await makeTree(api.db, world, world.b)
  })

  test('is one that the permission matrix knows', () => {
    expect(routes.map(({ operationId }) => operationId).filter((id) => !ROWS[id])).toEqual([])
    expect(routes.length).toBeGreaterThan(10)
  })

  test.each(routes.map((route, nth) => ({ route, nth, name: route.operationId })))(
    '$name changes something once, and gives the first answer again only while its member may still do it',
    async ({ route, nth }) => {
      const { path, request } = requestOf(route, trees[nth] as Tree)
      const first = await send(path, request)
      expect([first.status, first.isReplayed]).toEqual([route.api.status ?? 200, false])
      const changes = await countAudits()
      const replayed = { ...first, isReplayed: true }
      expect(await send(path, { ...request, from: other.facade })).toEqual(replayed)
      // Those that judge each id alone need no permission of their own, and their answers name only what the caller named.
      if (!/^(un)?acknowledgeIncidents$/.test(route.operationId)) {
        const { membershipId } = world.members.orgWrite
        const setLevels = (level: 0 | 2) =>
          api.db
            .update(memberships)
            .set(Object.fromEntries(SECTIONS.map((section) => [section, level])))
            .where(eq(memberships.id, membershipId))
        await setLevels(0)
        await api.db.delete(grants).where(eq(grants.membershipId, membershipId))
        const refused = await send(path, request)
        await setLevels(2)
        expect([refused.isReplayed, [403, 404].includes(refused.status)]).toEqual([false, true])
      }
      expect(await send(path, request)).toEqual(replayed)
      expect(await countAudits()).toBe(changes)
    },
  )

  function requestOf(route: Route, tree: Tree) {
    const row = ROWS[route.operationId] as Row
    const [kind = 'all'] = [row.on].flat()
    const target = targetOf(world, { a: tree, b: foreign }, 'orgWrite', kind, TARGETS[kind][0] as string)
    const request = {
      by: world.keys.orgWrite,
      idempotencyKey: randomUUID(),
      ...(row.query && { query: row.query(target) }),
      ...(row.body && { body: row.body(target) }),
    }
    return { path: pathOf(route, target), request }
  }

  function pathOf({ path }: Route, { kind, id }: Target): string {
    const params: Record<string, string> = { id, resourceType: kind, resourceId: id }
    return path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] as string)
  }
})

describe('the same request', () => {
  test('at once in two web processes changes something once, and all get the same answer', async () => {
    const idempotencyKey = randomUUID()
    const before = await countAudits()
    const senders = Array.from({ length: 12 }, (_, index) => (index % 2 ? other.facade : api.facade))
    const answers = await Promise.all(
      senders.map((from) => post('/silences', { channel: 'email' }, idempotencyKey, from)),
    )
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(answers.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1)
    expect(await countAudits()).toBe(before + 1)
  })

  test('waits for the first one while it runs', async () => {
    const [idempotencyKey, name] = [randomUUID(), unique('Slow')]
    const answers = await whileLocked(async (release) => {
      const first = post('/workspaces', { name }, idempotencyKey)
      await waitingForLock(1)
      const second = post('/workspaces', { name }, idempotencyKey, other.facade)
      await release()
      return Promise.all([first, second])
    })
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[0]?.text).toBe(answers[1]?.text)
    expect(await countWorkspaces(name)).toBe(1)
  })

  test('gets the answer of the first one, which ends between its look for an answer and its lock', async () => {
    const [idempotencyKey, name] = [randomUUID(), unique('Late')]
    const begins = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const db = new Proxy(other.db, {
      get: (target, property) => {
        if (property !== 'transaction') return Reflect.get(target, property)
        return async (...work: Parameters<Db['transaction']>) => {
          begins.resolve()
          await held.promise
          return target.transaction(...work)
        }
      },
    })
    const late = createFacade({ ...api.runtime, db }, DEADLINES)
    const second = post('/workspaces', { name }, idempotencyKey, late)
    await begins.promise
    const first = await post('/workspaces', { name }, idempotencyKey)
    held.resolve()
    expect(await second).toMatchObject({ status: 200, text: first.text, isReplayed: true })
    expect(await countWorkspaces(name)).toBe(1)
  })

  test('409 idempotency_in_progress while the first one runs for longer, then its answer', async () => {
    const [idempotencyKey, name] = [randomUUID(), unique('Slower')]
    const hasty = secondProcess(api.databaseUrl, { repeatedMs: 60 })
    const first = await whileLocked(async (release) => {
      const running = post('/workspaces', { name }, idempotencyKey)
      await waitingForLock(1)
      const refused = await post('/workspaces', { name }, idempotencyKey, hasty.facade)
      expect(codeOf(refused)).toEqual([409, 'idempotency_in_progress'])
      expect(Number(refused.retryAfter)).toBeGreaterThan(0)
      await release()
      return running
    })
    expect(await post('/workspaces', { name }, idempotencyKey, hasty.facade)).toEqual({ ...first, isReplayed: true })
    await closeDatabase(hasty.db)
  })

  test('of another key is another request', async () => {
    const idempotencyKey = randomUUID()
    const twin = await api.create.key((await api.create.organization()).owner)
    const first = await post('/workspaces', { name: 'Shop' }, idempotencyKey)
    const second = await send('/workspaces', { body: { name: 'Shop' }, idempotencyKey, by: twin })
    expect([second.status, second.isReplayed]).toEqual([200, false])
    expect(second.text).not.toBe(first.text)
  })
})

test('a silence that has ended meanwhile is answered again', async () => {
  const now = api.runtime.now().getTime()
  const config = JSON.stringify({ until: new Date(now + HOUR_MS).toISOString() })
  const request = { body: { channel: 'email', config }, idempotencyKey: randomUUID() }
  const first = await send('/silences', request)
  const from = createFacade({ ...api.runtime, now: () => new Date(now + 2 * HOUR_MS) }, DEADLINES)
  expect(await send('/silences', { ...request, from })).toEqual({ ...first, isReplayed: true })
  expect(codeOf(await send('/silences', { ...request, from, idempotencyKey: randomUUID() }))).toEqual([
    400,
    'field_invalid',
  ])
})

describe('a request that waits for its run', () => {
  const unfinished = () => api.db.$count(idempotentAnswers, eq(idempotentAnswers.isFinal, false))

  /** Requests a run of a new service. No worker executes it. */
  async function requestRun() {
    const { owner, project } = await api.create.tree()
    const body = { projectId: project.id, name: unique('Waiting'), script: SCRIPT }
    const { body: service } = await api.call(owner, 'POST', '/services', { body })
    const path = `/services/${service.id}/run`
    const request = { by: owner, query: { wait: '30' }, idempotencyKey: randomUUID() }
    return { owner, path, request, service }
  }

  const cancel = async (owner: Key, serviceId: unknown) => {
    const { body } = await api.call<{ items: { id: string }[] }>(owner, 'GET', `/services/${serviceId}/runs`)
    return api.call(owner, 'DELETE', `/services/${serviceId}/runs/${body.items[0]?.id}`)
  }

  test('is waited for by its repetitions too, and all get the same answer', async () => {
    await api.create.agent()
    const { owner, path, request, service } = await requestRun()
    const first = send(path, request)
    await until('the request that waits', async () => (await unfinished()) === 1)
    const second = send(path, { ...request, from: other.facade })
    expect((await cancel(owner, service.id)).status).toBe(200)
    const answers = await Promise.all([first, second])
    expect(answers.map(({ status }) => status)).toEqual([202, 202])
    expect(answers[0]?.text).toBe(answers[1]?.text)
    expect(JSON.parse(answers[0]?.text ?? '').run).toMatchObject({ state: 'done', outcome: 'cancelled' })
    expect(await unfinished()).toBe(0)
    expect(await send(path, request)).toEqual({ ...answers[0], isReplayed: true })
  })

  test('and whose repetition ends first, gets the answer of that one', async () => {
    const { owner, path, request, service } = await requestRun()
    const hasty = secondProcess(api.databaseUrl, { repeatedMs: 0 })
    const running = send(path, { ...request, from: hasty.facade })
    await until('the request that waits', async () => (await unfinished()) === 1)
    await api.db.update(idempotentAnswers).set({ isFinal: true }).where(eq(idempotentAnswers.keyId, owner.id))
    expect((await cancel(owner, service.id)).status).toBe(200)
    const first = await running
    expect([first.status, first.isReplayed]).toEqual([202, true])
    expect(await send(path, request)).toEqual(first)
    await closeDatabase(hasty.db)
  })

  test('and whose process ends meanwhile: the retry waits for the same run', async () => {
    const { owner, path, request, service } = await requestRun()
    const running = send(path, request)
    await until('the request that waits', async () => (await unfinished()) === 1)
    // What the process has stored by then stays as it is.
    const [left] = await api.db.select().from(idempotentAnswers).where(eq(idempotentAnswers.keyId, owner.id))
    expect((await cancel(owner, service.id)).status).toBe(200)
    const first = await running
    const columns = { sealed: left?.sealed as Buffer, isFinal: false }
    await api.db.update(idempotentAnswers).set(columns).where(eq(idempotentAnswers.keyId, owner.id))
    const retried = await send(path, { ...request, from: other.facade })
    expect([retried.isReplayed, JSON.parse(retried.text)]).toEqual([true, JSON.parse(first.text)])
    expect(await unfinished()).toBe(0)
  })
})

describe('after a crash', () => {
  let proxy: DatabaseProxy
  let crashing: { db: Db; facade: Facade }
  beforeAll(async () => {
    proxy = await startProxy(api.databaseUrl)
    crashing = secondProcess(proxy.url)
  })
  afterAll(async () => {
    await closeDatabase(crashing.db)
    proxy.close()
  })

  test('between the commit and the answer, the retry gets the answer and changes nothing', async () => {
    const [idempotencyKey, name] = [randomUUID(), unique('Committed')]
    // Opens connections, so that the next commit is that of the request.
    await send('/silences', { body: { channel: 'all' }, idempotencyKey: randomUUID(), from: crashing.facade })
    proxy.loseCommit()
    const lost = await post('/workspaces', { name }, idempotencyKey, crashing.facade)
    expect(codeOf(lost)).toEqual([503, 'service_unavailable'])
    expect(await countWorkspaces(name)).toBe(1)
    const retried = await post('/workspaces', { name }, idempotencyKey)
    expect([retried.status, retried.isReplayed, JSON.parse(retried.text).name]).toEqual([200, true, name])
    expect(await countWorkspaces(name)).toBe(1)
  })

  test('before the commit, nothing is done, and the retry does it', async () => {
    const [idempotencyKey, name] = [randomUUID(), unique('Interrupted')]
    const lost = await whileLocked(async () => {
      const running = post('/workspaces', { name }, idempotencyKey, crashing.facade)
      await waitingForLock(1)
      proxy.reset()
      return running
    })
    expect(codeOf(lost)).toEqual([503, 'service_unavailable'])
    expect(await countWorkspaces(name)).toBe(0)
    const retried = await post('/workspaces', { name }, idempotencyKey)
    expect([retried.status, retried.isReplayed]).toEqual([200, false])
    expect(await countWorkspaces(name)).toBe(1)
  })
})

describe('another request with the same key', () => {
  test('409 idempotency_mismatch for another body, path or query', async () => {
    const idempotencyKey = randomUUID()
    const { id } = JSON.parse((await post('/workspaces', { name: unique('One') }, idempotencyKey)).text)
    const body = { name: unique('Two') }
    expect(codeOf(await post('/workspaces', body, idempotencyKey))).toEqual([409, 'idempotency_mismatch'])
    const elsewhere = await post('/projects', { workspaceId: id, name: 'P' }, idempotencyKey)
    expect(codeOf(elsewhere)).toEqual([409, 'idempotency_mismatch'])
    const queried = await send('/workspaces', { body, query: { x: '1' }, idempotencyKey })
    expect(codeOf(queried)).toEqual([409, 'idempotency_mismatch'])
  })

  test('is free again after 24 hours, and upkeep deletes the answer', async () => {
    const idempotencyKey = randomUUID()
    const age = () => api.db.execute(sql`update idempotent_answers set created_at = now() - interval '24 hours'`)
    await post('/workspaces', { name: unique('Old') }, idempotencyKey)
    await age()
    const renewed = await post('/workspaces', { name: unique('New') }, idempotencyKey)
    expect([renewed.status, renewed.isReplayed]).toEqual([200, false])
    expect(await api.db.$count(idempotentAnswers)).toBeGreaterThan(1)
    await upkeep(api.db, api.runtime.settings)
    expect(await api.db.$count(idempotentAnswers)).toBe(1)
  })
})

describe('a refusal', () => {
  test('by the state is not kept: the request succeeds when the state allows it', async () => {
    const [idempotencyKey, name] = [randomUUID(), unique('Taken')]
    const { id } = JSON.parse((await post('/workspaces', { name }, randomUUID())).text)
    const refused = await post('/workspaces', { name }, idempotencyKey)
    expect(codeOf(refused)).toEqual([409, 'already_exists'])
    expect((await api.call(key, 'DELETE', `/workspaces/${id}`)).status).toBe(200)
    const retried = await post('/workspaces', { name }, idempotencyKey, other.facade)
    expect([retried.status, retried.isReplayed]).toEqual([200, false])
    expect(await countWorkspaces(name)).toBe(1)
  })

  test.each([
    {
      code: 'insufficient_permissions',
      level: 0,
      path: () => '/workspaces',
      body: () => ({ name: unique('Promoted') }),
    },
    {
      code: 'not_found',
      level: 1,
      path: () => '/projects',
      body: (workspaceId: string) => ({ workspaceId, name: unique('Promoted') }),
    },
  ] as const)('for want of a permission ($code) ends with a promotion', async ({ code, level, path, body }) => {
    const organization = await api.create.organization()
    const workspace = await api.create.workspace(organization)
    const member = await api.create.member(organization, { sections: level === 1 ? { workspaces: 'read' } : {} })
    const request = { by: await api.create.key(member), idempotencyKey: randomUUID(), body: body(workspace.id) }
    const refused = await send(path(), request)
    expect(codeOf(refused)).toEqual([code === 'not_found' ? 404 : 403, code])
    await api.db.update(memberships).set({ workspaces: 2 }).where(eq(memberships.id, member.membershipId))
    const retried = await send(path(), request)
    expect([retried.status, retried.isReplayed]).toEqual([200, false])
  })

  test('of input is not kept: the corrected request may use the same key', async () => {
    const idempotencyKey = randomUUID()
    const refused = await post('/workspaces', { name: '' }, idempotencyKey)
    expect(codeOf(refused)).toEqual([400, 'invalid_request_body'])
    expect((await post('/workspaces', { name: unique('Right') }, idempotencyKey)).status).toBe(200)
  })

  test('of the server is not kept', async () => {
    const [idempotencyKey, name] = [randomUUID(), unique('Late')]
    const late = secondProcess(api.databaseUrl, { statementsMs: 300 })
    const refused = await whileLocked(() => post('/workspaces', { name }, idempotencyKey, late.facade))
    expect(codeOf(refused)).toEqual([503, 'service_unavailable'])
    const retried = await post('/workspaces', { name }, idempotencyKey, late.facade)
    expect([retried.status, retried.isReplayed]).toEqual([200, false])
    await closeDatabase(late.db)
  })
})

test.each([
  ['nothing', ''],
  ['blanks', 'a b'],
  ['256 characters', 'x'.repeat(256)],
  ['other characters', 'schl\u00fcssel'],
])('400 field_invalid for a key of %s', async (_, idempotencyKey) => {
  const refused = await post('/workspaces', { name: unique('Never') }, idempotencyKey)
  const { details } = JSON.parse(refused.text)
  expect([refused.status, details]).toEqual([400, { field: 'Idempotency-Key', reason: expect.any(String) }])
})

test('other methods ignore the header', async () => {
  const { id } = await api.create.workspace(await api.create.organization())
  const twin = await api.create.organization()
  const owner = await api.create.key(twin.owner)
  const refused = await send(`/workspaces/${id}`, {
    method: 'PATCH',
    body: { name: 'x' },
    by: owner,
    idempotencyKey: '',
  })
  expect(codeOf(refused)).toEqual([404, 'not_found'])
  expect(await send('/key', { method: 'GET', by: owner, idempotencyKey: 'a b' })).toMatchObject({ status: 200 })
})

test('answers are sealed, and a rotation of the secret keys seals them again', async () => {
  const [idempotencyKey, name] = [randomUUID(), unique('Sealed')]
  await post('/workspaces', { name }, idempotencyKey)
  const [row] = await api.db.execute<{ shown: boolean }>(
    sql`select bool_or(position(${name}::bytea in sealed) > 0) as shown from idempotent_answers`,
  )
  expect(row?.shown).toBe(false)
  const newest = { id: 'newer', secret: 'f'.repeat(64) }
  const vault = createVault([newest, ...(api.runtime.settings.SECRET_KEYS ?? [])])
  const [resealed] = (await reseal(api.db, vault)).filter(({ table }) => table === 'idempotent_answers')
  expect(resealed).toMatchObject({ failed: [] })
  expect(resealed?.changed).toBeGreaterThan(0)
  const rotated = createFacade({ ...api.runtime, vault })
  const again = await post('/workspaces', { name }, idempotencyKey, rotated)
  expect([again.status, again.isReplayed, JSON.parse(again.text).name]).toEqual([200, true, name])
})

/** Holds every write back until `release` is called, or `during` ends: none can record its audit entry. */
async function whileLocked<T>(during: (release: () => Promise<void>) => Promise<T>): Promise<T> {
  const locked = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const lock = other.db.transaction(async (tx) => {
    await tx.execute(sql`lock table audit_entries in access exclusive mode`)
    locked.resolve()
    await released.promise
  })
  await locked.promise
  const release = async () => {
    released.resolve()
    await lock
  }
  try {
    return await during(release)
  } finally {
    await release()
  }
}

function waitingForLock(count: number): Promise<unknown> {
  return until(`${count} writes that wait`, async () => {
    const waiting = await api.db.execute(sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)
    return waiting.length >= count
  })
}
