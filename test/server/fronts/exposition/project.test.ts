import { readFile } from 'node:fs/promises'
import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import type { RowKey } from '#db/row-match.ts'
import { certificates } from '#db/schema/alerts.ts'
import { projectTokens } from '#db/schema/credentials.ts'
import { memberships } from '#db/schema/organizations.ts'
import { grants } from '#db/schema/scoped.ts'
import { createProjectMetrics, PROJECT_PATH } from '#server/fronts/exposition/project.ts'
import { createSharedReads } from '#server/fronts/exposition/shared-reads.ts'
import { PROJECT_TOKENS_MAX } from '#server/schemas/projects.ts'
import { failureOf, testApi } from '#test/support/api/api.ts'
import { parseExposition, type Sample } from '#test/support/exposition.ts'
import { type MemberOptions, unique } from '#test/support/factories.ts'
import { createIncident } from '#test/support/runs/incidents.ts'
import { createResult, setState } from '#test/support/runs/results.ts'
import { auditOf } from '#test/support/side-effects.ts'

const api = testApi()
let serve: ReturnType<typeof createProjectMetrics>
beforeAll(() => {
  serve = createProjectMetrics(api.runtime)
})

async function makeWorld() {
  const organization = await api.create.organization()
  const workspace = await api.create.workspace(organization, { name: 'Shop "EU"' })
  const project = await api.create.project(workspace)
  const caller = await api.caller(organization.owner)
  return { organization, workspace, project, caller }
}

function scrape(projectId: string, token: string | null): Promise<Response> {
  const headers: Record<string, string> = token === null ? {} : { Authorization: `Bearer ${token}` }
  const request = new Request(`http://localhost/api/prometheus/projects/${projectId}`, { headers })
  const [, id = ''] = PROJECT_PATH.exec(new URL(request.url).pathname) ?? []
  return serve(request, id, '127.0.0.1')
}

describe('the metrics of a project', () => {
  test('show the state of each service', async () => {
    const { organization, workspace, project, caller } = await makeWorld()
    const failing = await api.create.service(project, { label: 'critical' })
    const quiet = await api.create.service(project)
    const other = await api.create.service(await api.create.project(workspace))
    const startedAt = new Date(Date.now() - 60_000)
    const step = { dnsMs: 10, connectMs: 20, tlsMs: 30, ttfbMs: 40, transferMs: 50 }
    const result = await createResult(api.db, failing, {
      ...{ startedAt, status: 'failure', runDurationMs: 1_500 },
      steps: [step, { ...step, dnsMs: null }] as never,
    })
    await setState(api.db, failing, {
      ...{ lastStatus: 'failure', lastRunAt: startedAt, lastResultId: result.id, lastResponseMs: 250 },
      ...{ isAlerting: true, probesTotal: 7, probesSuccess: 4, probesFailure: 2, probesTimeout: 1 },
    })
    await createIncident(api.db, failing, { openedAt: startedAt })
    const notAfter = new Date(Date.now() + 86_400_000)
    const seen = { organizationId: organization.id, seenAt: new Date() }
    await api.db.insert(certificates).values({ serviceId: failing.id, host: 'shop.example', notAfter, ...seen })

    const { token } = await caller.projects.metricsTokens.create({ id: project.id, name: 'prometheus' })
    const answer = await scrape(project.id, token)
    expect(answer.headers.get('content-type')).toContain('text/plain')
    const text = await answer.text()
    const found = parseExposition(text)
    const of = (name: string, service = failing): Sample[] =>
      (found.get(`soundline_service_${name}`) ?? []).filter(({ labels }) => labels.service_id === service.id)
    const labels = { service: failing.name, service_id: failing.id, project: project.name, label: 'critical' }
    expect(of('up')).toEqual([{ value: 0, labels: expect.objectContaining(labels) }])
    expect(text).toContain('workspace="Shop \\"EU\\""')
    const values = ['failed', 'active', 'run_duration_seconds', 'response_seconds', 'incident_open'].map(
      (name) => of(name)[0]?.value,
    )
    expect(values).toEqual([1, Number(failing.isActive), 1.5, 0.25, 1])
    expect(of('last_run_timestamp_seconds')[0]?.value).toBeCloseTo(startedAt.getTime() / 1_000, 2)
    const phases = of('phase_seconds').map(({ labels, value }) => [labels.phase, value])
    expect(Object.fromEntries(phases)).toEqual({ dns: 0.01, connect: 0.04, tls: 0.06, ttfb: 0.08, transfer: 0.1 })
    const outcomes = of('runs_total').map(({ labels, value }) => [labels.outcome, value])
    expect(Object.fromEntries(outcomes)).toEqual({ success: 4, failure: 2, timeout: 1 })
    expect(text).toContain('# TYPE soundline_service_runs_total counter\n')
    expect(of('uptime_ratio')[0]?.value).toBe(0)
    const [expiry] = of('certificate_expiry_timestamp_seconds')
    expect([expiry?.labels.host, Math.round(expiry?.value ?? 0)]).toEqual([
      'shop.example',
      Math.round(notAfter.getTime() / 1_000),
    ])
    expect([of('up', quiet), of('incident_open', quiet)[0]?.value]).toEqual([[], 0])
    expect(of('active', other)).toEqual([])
  })

  test('401 without a token, and for a token of another project or one that was revoked', async () => {
    const [one, two] = [await makeWorld(), await makeWorld()]
    const { token, info } = await one.caller.projects.metricsTokens.create({ id: one.project.id, name: 'a' })
    expect((await scrape(one.project.id, token)).status).toBe(200)
    await expect(scrape(one.project.id, null)).rejects.toMatchObject({ api: 'missing_auth_header' })
    await expect(scrape(two.project.id, token)).rejects.toMatchObject({ api: 'invalid_token' })
    await expect(scrape(one.project.id, `${token}x`)).rejects.toMatchObject({ api: 'invalid_token' })
    await one.caller.projects.metricsTokens.revoke({ id: one.project.id, tokenId: info.id })
    await expect(scrape(one.project.id, token)).rejects.toMatchObject({ api: 'invalid_token' })
  })
})

describe('a token and its maker', () => {
  /** The project's owner, and another member with a token. */
  async function makeToken(options: MemberOptions = { sections: { workspaces: 'write' } }) {
    const world = await makeWorld()
    const maker = await api.create.member(world.organization, options)
    const makerCaller = await api.caller(maker)
    const { token, info } = await makerCaller.projects.metricsTokens.create({ id: world.project.id, name: 'theirs' })
    expect(info).toMatchObject({ createdBy: maker.email, refusal: null })
    expect((await scrape(world.project.id, token)).status).toBe(200)
    return { ...world, maker, token }
  }

  type Made = Awaited<ReturnType<typeof makeToken>>
  const ENDS: Record<string, (made: Made) => Promise<unknown>> = {
    maker_removed: ({ caller, maker: { userId } }) => caller.organization.members.remove({ userId }),
    maker_inactive: ({ caller, maker: { userId } }) =>
      caller.organization.members.setActive({ userId, isActive: false }),
    maker_without_second_factor: ({ caller }) => caller.organization.settings.update({ requireTotp: true }),
    maker_without_access: ({ caller, maker: { userId } }) =>
      caller.organization.members.setPermissions({ userId, permissions: { workspaces: 'none' } }),
  }

  test.each(Object.entries(ENDS))('401 and a reason in the list: %s', async (refusal, end) => {
    const made = await makeToken()
    const { caller, project, maker, token } = made
    await end(made)
    await expect(scrape(project.id, token)).rejects.toMatchObject({ api: 'invalid_token' })
    const { items } = await caller.projects.metricsTokens.list({ id: project.id })
    const createdBy = refusal === 'maker_removed' ? null : maker.email
    expect(items).toMatchObject([{ name: 'theirs', refusal, createdBy }])
  })

  test('it works as long as the maker may read, and a new membership does not revive it', async () => {
    const made = await makeToken()
    const { caller, organization, project, maker, token } = made
    await caller.organization.members.setPermissions({ userId: maker.userId, permissions: { workspaces: 'read' } })
    expect((await scrape(project.id, token)).status).toBe(200)
    await caller.organization.members.remove({ userId: maker.userId })
    await api.db
      .insert(memberships)
      .values({ id: uuidv7(), organizationId: organization.id, userId: maker.userId, isOwner: false, workspaces: 2 })
    await expect(scrape(project.id, token)).rejects.toMatchObject({ api: 'invalid_token' })
  })

  test('a grant on the project is enough, and the token ends with it', async () => {
    const { organization, project } = await makeWorld()
    const maker = await api.create.member(organization, { grants: [{ projectId: project.id, level: 2 }] })
    const caller = await api.caller(maker)
    const { token } = await caller.projects.metricsTokens.create({ id: project.id, name: 'granted' })
    expect((await scrape(project.id, token)).status).toBe(200)
    await api.db.delete(grants).where(eq(grants.membershipId, maker.membershipId))
    await expect(scrape(project.id, token)).rejects.toMatchObject({ api: 'invalid_token' })
  })
})

test('the migration finds the makers of older tokens in the audit log', async () => {
  const { organization, project, caller } = await makeWorld()
  const { token } = await caller.projects.metricsTokens.create({ id: project.id, name: 'of the owner' })
  const gone = await api.create.member(organization, { sections: { workspaces: 'write' } })
  await (await api.caller(gone)).projects.metricsTokens.create({ id: project.id, name: 'of a former member' })
  await caller.organization.members.remove({ userId: gone.userId })
  await api.db.update(projectTokens).set({ membershipId: null }).where(eq(projectTokens.projectId, project.id))
  const [, update = ''] = (await readFile('db/migrations/0043_metrics_tokens_of_members.sql', 'utf8')).split(
    'breakpoint',
  )
  await api.db.$client.unsafe(update)
  expect((await scrape(project.id, token)).status).toBe(200)
  const { items } = await caller.projects.metricsTokens.list({ id: project.id })
  expect(items.map(({ name, refusal }) => [name, refusal])).toEqual([
    ['of a former member', 'maker_removed'],
    ['of the owner', null],
  ])
})

describe('shared reads', () => {
  const read = async ({ id }: RowKey<string>) => id
  const options = { read, sizeOf: (id: string) => id.length, keepMs: 600_000, maxBytes: 8 }
  const row = (id: string) => ({ organizationId: 'any', id })

  test('are forgotten in time, also when nobody asks again', async () => {
    const reads = createSharedReads({ ...options, keepMs: 0 })
    await reads.get(row('four'))
    await expect.poll(reads.heldBytes).toBe(0)
  })

  test('are shared while they are young, and hold a bounded number of bytes', async () => {
    const asked: string[] = []
    const read = async ({ id }: RowKey<string>) => {
      asked.push(id)
      return id
    }
    const reads = createSharedReads({ ...options, read })
    await Promise.all([reads.get(row('four')), reads.get(row('four')), reads.get(row('three'))])
    expect(asked).toEqual(['four', 'three'])
    expect(reads.heldBytes()).toBe(5)
    await reads.get(row('more than all may hold'))
    expect(reads.heldBytes()).toBe(0)
    await reads.get(row('three'))
    expect(asked).toHaveLength(4)
  })

  test('are repeated after a failure', async () => {
    let isBroken = true
    const read = async ({ id }: RowKey<string>) => {
      if (isBroken) throw new Error('broken')
      return id
    }
    const reads = createSharedReads({ ...options, read })
    await expect(reads.get(row('four'))).rejects.toThrow('broken')
    isBroken = false
    expect(await reads.get(row('four'))).toBe('four')
  })
})

describe('projects.metricsTokens', () => {
  test('a token is shown once, listed by its prefix, revoked and audited', async () => {
    const { project, caller } = await makeWorld()
    const { id } = project
    const { token, info } = await caller.projects.metricsTokens.create({ id, name: ' prometheus ' })
    expect(token).toMatch(/^slm_[A-Za-z0-9_-]{43}$/)
    expect(info).toMatchObject({ name: 'prometheus', prefix: token.slice(0, 11) })
    expect((await caller.projects.metricsTokens.list({ id })).items).toEqual([info])
    expect(await caller.projects.metricsTokens.revoke({ id, tokenId: info.id })).toEqual({ ok: true })
    expect((await caller.projects.metricsTokens.list({ id })).items).toEqual([])
    const entries = await auditOf(api.db, info.id)
    expect(entries.map(({ action }) => action).sort()).toEqual(['metrics_token.create', 'metrics_token.revoke'])
    expect(JSON.stringify(entries)).not.toContain(token)
    const again = failureOf(caller.projects.metricsTokens.revoke({ id, tokenId: info.id }))
    expect(await again).toMatchObject({ code: 'not_found' })
  })

  test('a taken name and one token too many are refused, also for parallel requests', async () => {
    const { project, caller } = await makeWorld()
    const create = (name: string) => caller.projects.metricsTokens.create({ id: project.id, name })
    await create('taken')
    expect(await failureOf(create('taken'))).toMatchObject({ code: 'already_exists' })
    const made = await Promise.allSettled(Array.from({ length: PROJECT_TOKENS_MAX }, () => create(unique('token'))))
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(PROJECT_TOKENS_MAX - 1)
    const refused = { code: 'token_limit_reached', details: { max: PROJECT_TOKENS_MAX } }
    expect(await failureOf(create('one more'))).toMatchObject(refused)
  })

  test('only members who may write the project reach its tokens', async () => {
    const { organization, project } = await makeWorld()
    const reader = await api.caller(await api.create.member(organization, { sections: { workspaces: 'read' } }))
    const stranger = await api.caller((await api.create.organization()).owner)
    for (const { projects } of [reader, stranger]) {
      const { list, create, revoke } = projects.metricsTokens
      const { id } = project
      const calls = [() => list({ id }), () => create({ id, name: 'x' }), () => revoke({ id, tokenId: id })]
      for (const call of calls) expect(await failureOf(call())).toMatchObject({ code: 'not_found' })
    }
  })
})
