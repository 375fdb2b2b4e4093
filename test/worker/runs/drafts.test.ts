import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PgTable } from '#db/drizzle.cjs'
import { eq, sql } from '#db/drizzle.cjs'
import { alertEvents, certificates, incidents } from '#db/schema/alerts.ts'
import { draftRuns } from '#db/schema/drafts.ts'
import { agents } from '#db/schema/resources.ts'
import {
  assertionHours,
  endpointHours,
  results,
  runDays,
  runHours,
  serviceAgentStates,
  serviceStates,
  versionRuns,
} from '#db/schema/results.ts'
import { runs } from '#db/schema/runs.ts'
import { variables } from '#db/schema/scoped.ts'
import { MASK } from '#server/schemas/variables.ts'
import { createVault } from '#server/vault.ts'
import { testApi } from '#test/support/api/api.ts'
import { createProbedService } from '#test/support/runs/probed.ts'
import { testWorkers } from '#test/support/runs/test-workers.ts'
import { TEST_SECRET_KEYS, until } from '#test/support/runs/worker-processes.ts'
import { actionsOn } from '#test/support/side-effects.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

const api = testApi({ settings: { SECRET_KEYS: TEST_SECRET_KEYS, PROBE_ALLOWED_NETWORKS: '127.0.0.0/8' } })
const { start: startWorker } = testWorkers(api.databaseUrl)
let target: HttpTarget
/** Responses to `/held` wait until `release` is called. */
const held: (() => void)[] = []
const release = () => {
  for (const answer of held.splice(0)) answer()
}
/** Responses to `/blocked` wait too. */
const blocked: (() => void)[] = []

beforeAll(async () => {
  target = await startHttpTarget((request, response) => {
    if (request.url === '/held') {
      held.push(() => response.end('late'))
      return
    }
    if (request.url === '/blocked') {
      blocked.push(() => response.end('late'))
      return
    }
    const type = request.url === '/large' ? 'text/plain' : 'application/json'
    const headers = { 'x-token': String(request.headers.authorization), 'x-cookies': request.headers.cookie ?? 'none' }
    response.writeHead(200, { 'content-type': type, 'set-cookie': 'visitor=1', ...headers })
    response.end(request.url === '/large' ? 'é'.repeat(100_000) : '{"name": "shop", "items": [1, 2]}')
  })
  await startWorker()
})
afterAll(() => target.close())

const url = (path: string) => `http://127.0.0.1:${target.port}${path}`

type Caller = Awaited<ReturnType<typeof api.caller>>

/** Starts a draft run and returns it when it is done. */
async function runDraft(caller: Caller, input: Parameters<Caller['drafts']['start']>[0]) {
  const { id } = await caller.drafts.start(input)
  return until('the draft run', async () => {
    const draft = await caller.drafts.get({ id })
    return draft.state === 'done' ? draft : undefined
  })
}

describe('a draft run without a service', () => {
  test('sends the secrets that the service will have, and shows and keeps none', async () => {
    const { owner } = await api.create.organization()
    const caller = await api.caller(owner)
    const script = `get("${url('/')}", { headers: { Authorization: "Bearer $s.token" } }).expect(status: 200)`
    await expect(caller.drafts.start({ script })).rejects.toMatchObject({ api: 'field_invalid' })
    const secrets = [{ scope: 'service' as const, key: 'token', value: 'abc.def' }]
    const started = await caller.drafts.start({ script, secrets })
    const [queued] = await api.db.select().from(draftRuns).where(eq(draftRuns.id, started.id))
    expect(queued?.script).not.toContain('abc.def')
    const { result } = await until('the draft run', async () => {
      const draft = await caller.drafts.get({ id: started.id })
      return draft.state === 'done' ? draft : undefined
    })
    // The target answers with the header that it got.
    expect(result?.steps[0]?.headers['x-token']).toBe(`Bearer ${MASK}`)
    expect(JSON.stringify(result)).not.toContain('abc.def')
    const [ended] = await api.db.select().from(draftRuns).where(eq(draftRuns.id, started.id))
    expect(ended).toMatchObject({ state: 'done', sealed: null })
  })

  test('shows what came back, and creates no service', async () => {
    const { owner } = await api.create.organization()
    const caller = await api.caller(owner)
    const draft = await runDraft(caller, { script: `get("${url('/')}").expect(status: 200, bodySize: "1k")` })
    expect(draft).toMatchObject({ serviceId: null, result: { status: 'success', agentSlug: 'local', failure: null } })
    const [step] = draft.result?.steps ?? []
    expect(step).toMatchObject({ stepNum: 1, statusCode: 200, requestUrl: url('/'), hasBody: false })
    expect(step?.headers['content-type']).toBe('application/json')
    expect(draft.result?.bodies).toEqual([
      {
        stepId: step?.id,
        content: '{"name": "shop", "items": [1, 2]}',
        contentType: 'application/json',
        encoding: null,
        isCut: false,
      },
    ])
    expect(await api.db.$count(results)).toBe(0)
    expect(await api.db.$count(runs)).toBe(0)
    expect(await actionsOn(api.db, draft.id)).toEqual(['service.draft_run'])
  })

  test('keeps the start of a large body, cut between characters', async () => {
    const { owner } = await api.create.organization()
    const draft = await runDraft(await api.caller(owner), { script: `get("${url('/large')}").expect(status: 200)` })
    const [body] = draft.result?.bodies ?? []
    expect(body).toMatchObject({ isCut: true, encoding: null, content: 'é'.repeat(32_768) })
  })

  test('says why it failed', async () => {
    const { owner } = await api.create.organization()
    const draft = await runDraft(await api.caller(owner), { script: `get("${url('/')}").expect(status: 404)` })
    expect(draft.result).toMatchObject({ status: 'failure', failure: { step: { stepNum: 1, statusCode: 200 } } })
    expect(draft.result?.failure?.cause).toContain('404')
  })

  test('is refused for a blocked target, a variable and a broken script', async () => {
    const { owner } = await api.create.organization()
    const { drafts } = await api.caller(owner)
    const start = (script: string) => drafts.start({ script })
    await expect(start('get("http://10.0.0.1/").expect(status: 200)')).rejects.toMatchObject({
      api: 'blocked_probe_target',
    })
    await expect(start('get("https://example.com/$o.path").expect(status: 200)')).rejects.toMatchObject({
      api: 'field_invalid',
      details: { field: 'script' },
    })
    await expect(start('get(')).rejects.toMatchObject({ api: 'field_invalid' })
    expect(await api.db.$count(draftRuns, eq(draftRuns.organizationId, owner.organizationId))).toBe(0)
  })

  test('needs a place where the member may create services', async () => {
    const organization = await api.create.organization()
    const project = await api.create.project(await api.create.workspace(organization))
    const script = `get("${url('/')}").expect(status: 200)`
    const reader = await api.create.member(organization, { grants: [{ projectId: project.id, level: 1 }] })
    await expect((await api.caller(reader)).drafts.start({ script })).rejects.toMatchObject({
      api: 'insufficient_permissions',
    })
    const writer = await api.create.member(organization, { grants: [{ projectId: project.id, level: 2 }] })
    expect(await (await api.caller(writer)).drafts.start({ script })).toMatchObject({ state: 'queued' })
  })

  test('is read by its member only', async () => {
    const organization = await api.create.organization()
    const { id } = await (await api.caller(organization.owner)).drafts.start({
      script: `get("${url('/')}").expect(status: 200)`,
    })
    const other = await api.create.member(organization, { sections: { workspaces: 'write' } })
    await expect((await api.caller(other)).drafts.get({ id })).rejects.toMatchObject({ api: 'not_found' })
  })

  test('at most two of a person are open, in all their organizations', async () => {
    const { owner } = await api.create.organization()
    const caller = await api.caller(owner)
    const elsewhere = await api.create.member(await api.create.organization(), {
      userId: owner.userId,
      sections: { workspaces: 'write' },
    })
    const script = `get("${url('/held')}", { timeout: { ms: 50000 } }).expect(status: 200)`
    const drafts = [await caller.drafts.start({ script }), await caller.drafts.start({ script })]
    for (const other of [caller, await api.caller(elsewhere)]) {
      await expect(other.drafts.start({ script })).rejects.toMatchObject({ api: 'rate_limited' })
    }
    await until('their ends', async () => {
      release()
      const states = await Promise.all(drafts.map(async ({ id }) => (await caller.drafts.get({ id })).state))
      return states.every((state) => state === 'done')
    })
    await expect(runDraft(caller, { script: `get("${url('/')}").expect(status: 200)` })).resolves.toBeDefined()
  })

  test('is not held back by those of another organization', async () => {
    const busy = await api.create.organization()
    const members = await Promise.all([1, 2].map(() => api.create.member(busy, { sections: { workspaces: 'write' } })))
    const script = `get("${url('/blocked')}", { timeout: { ms: 50000 } }).expect(status: 200)`
    const started: [Caller, string][] = []
    for (const member of [busy.owner, ...members]) {
      const caller = await api.caller(member)
      for (const _ of [1, 2]) started.push([caller, (await caller.drafts.start({ script })).id])
    }
    await until('two of them to run', async () => blocked.length >= 2)
    const other = await api.caller((await api.create.organization()).owner)
    await runDraft(other, { script: `get("${url('/')}").expect(status: 200)` })
    expect(blocked).toHaveLength(2)
    for (const [caller, id] of started) {
      await until('the end', async () => {
        for (const answer of blocked.splice(0)) answer()
        return (await caller.drafts.get({ id })).state === 'done'
      })
    }
  })

  test('is lost when no worker takes it within a minute', async () => {
    const organization = await api.create.organization()
    const caller = await api.caller(organization.owner)
    const { id } = await caller.drafts.start({ script: `get("${url('/held')}").expect(status: 200)` })
    const [other] = await api.db
      .insert(agents)
      .values({ id: uuidv7(), slug: `silent-${uuidv7()}`, label: 'Silent', organizationId: organization.id })
      .returning()
    await api.db
      .update(draftRuns)
      .set({ agentId: other?.id as string, state: 'queued', createdAt: sql`now() - interval '2 minutes'` })
      .where(eq(draftRuns.id, id))
    expect(await caller.drafts.get({ id })).toMatchObject({ state: 'lost', result: null })
  })
})

describe('a draft run of a service', () => {
  test('reads its variables and changes nothing of it', async () => {
    const service = await createProbedService(api.db, `get("${url('/')}").expect(status: 200)`)
    const { id: serviceId, organizationId } = service
    const id = uuidv7()
    const vault = createVault([{ id: 'test', secret: TEST_SECRET_KEYS.slice(5) }])
    const sealed = vault.seal('s3cret-value', 'variable', organizationId, id)
    await api.db.insert(variables).values({ id, organizationId, serviceId, key: 'token', type: 'secret', sealed })
    const owner = await api.create.member({ id: organizationId }, { sections: { workspaces: 'write' } })
    const before = await stateOf(serviceId)
    const caller = await api.caller(owner)
    const draft = await runDraft(caller, {
      serviceId,
      script: `get("${url('/')}", { headers: { Authorization: "Bearer $s.token" } })
        .expect(status: 200).store({ seen: this.body.name })`,
    })
    const failed = await runDraft(caller, { serviceId, script: `get("${url('/')}").expect(status: 500)` })
    expect([draft.result?.status, failed.result?.status]).toEqual(['success', 'failure'])
    expect(JSON.stringify(draft)).not.toContain('s3cret-value')
    expect(draft.result?.steps[0]?.headers['x-token']).toBe(`Bearer ${MASK}`)
    expect(await stateOf(serviceId)).toEqual(before)
    // The same cookies are set by each run; none begins with those of another.
    const sent = [draft, failed].map(({ result }) => result?.steps[0]?.headers['x-cookies'])
    expect(sent).toEqual(['none', 'none'])
    expect(await actionsOn(api.db, serviceId)).toEqual(['service.draft_run', 'service.draft_run'])
  })

  test('needs write on the service', async () => {
    const service = await createProbedService(api.db, `get("${url('/')}").expect(status: 200)`)
    const reader = await api.create.member(
      { id: service.organizationId },
      { grants: [{ serviceId: service.id, level: 1 }] },
    )
    const start = (await api.caller(reader)).drafts.start({ serviceId: service.id, script: service.script as string })
    await expect(start).rejects.toMatchObject({ api: 'not_found' })
  })
})

/** Everything that a run of a service can change: results, roll-ups, counters, alerts, incidents and variables. */
const CHANGED_BY_RUNS = {
  ...{
    results,
    runs,
    runHours,
    runDays,
    endpointHours,
    assertionHours,
    versionRuns,
    serviceStates,
    serviceAgentStates,
  },
  ...{ alertEvents, incidents, certificates, variables },
}

async function stateOf(serviceId: string) {
  const rowsOf = (table: PgTable) =>
    api.db.execute(sql`select to_jsonb(t) as row from ${table} t where t.service_id = ${serviceId} order by 1`)
  const entries = Object.entries(CHANGED_BY_RUNS).map(async ([name, table]) => [name, [...(await rowsOf(table))]])
  return Object.fromEntries(await Promise.all(entries))
}
