import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { sql } from '#db/drizzle.cjs'
import type { Page } from '#server/paging.ts'
import { SILENCES_MAX, type Silence } from '#server/schemas/alerts/silences.ts'
import { testApi } from '#test/support/api/api.ts'
import { expectAbsent, refusal } from '#test/support/api/denied.ts'
import type { Key, Member, Organization } from '#test/support/factories.ts'
import { actionsOn, auditOf } from '#test/support/side-effects.ts'

const api = testApi()
let organization: Organization
let member: Member
let key: Key
/** A resource that the member may read, with its name. */
let seen: { workspaceId: string; projectId: string; serviceId: string }
let hidden: { workspaceId: string; projectId: string; serviceId: string }

async function createTree(of: { id: string }) {
  const workspace = await api.create.workspace(of, { name: `W ${randomUUID()}` })
  const project = await api.create.project(workspace, { name: `P ${workspace.id}` })
  const service = await api.create.service(project, { name: `S ${workspace.id}` })
  return { workspaceId: workspace.id, projectId: project.id, serviceId: service.id }
}

beforeAll(async () => {
  organization = await api.create.organization()
  seen = await createTree(organization)
  hidden = await createTree(organization)
  member = await api.create.member(organization, { grants: [{ serviceId: seen.serviceId, level: 1 }] })
  key = await api.create.key(member)
})

const create = (body: unknown, as = key) => api.call<Silence>(as, 'POST', '/silences', { body })

async function expectMalformed(channel: string, field: 'quietHours' | 'config', values: string[]): Promise<void> {
  for (const value of values) {
    expect(refusal(await create({ channel, [field]: value })), value).toMatchObject({
      status: 400,
      error: 'field_invalid',
      details: { field, reason: expect.stringMatching(/\w/) },
    })
  }
}

describe('POST /silences', () => {
  test('200 of everything, or of one resource with its name', async () => {
    const whole = await create({ channel: 'all' })
    expect(whole.status).toBe(200)
    expect(whole.body).toEqual({
      id: expect.any(String),
      orgUserId: member.membershipId,
      workspaceId: null,
      projectId: null,
      serviceId: null,
      channel: 'all',
      config: null,
      quietHours: null,
      resourceName: null,
    })
    expect(await auditOf(api.db, whole.body.id)).toMatchObject([{ action: 'silence.create', entityName: 'everything' }])
    // The parent of a resource within reach is visible, and so can be silenced.
    for (const [field, id] of Object.entries(seen)) {
      const { status, body } = await create({ channel: 'email', [field]: id })
      expect({ status, ...body }).toMatchObject({ status: 200, [field]: id, channel: 'email' })
      expect(body.resourceName).toMatch(/^[WPS] /)
      expect([body.workspaceId, body.projectId, body.serviceId].filter(Boolean)).toEqual([id])
      expect(await auditOf(api.db, body.id)).toMatchObject([{ entityName: body.resourceName }])
    }
  })

  test('200 with quiet hours and config as given', async () => {
    const config = ' {"events":["service.failed"],"until":"2999-01-01T00:00:00+02:00"}'
    for (const quietHours of [
      'FREQ=DAILY;BYHOUR=22',
      'FREQ=DAILY;BYHOUR=22/480',
      'RRULE:FREQ=WEEKLY;BYDAY=SA,SU/1440/Europe/Berlin',
    ]) {
      const { status, body } = await create({ channel: 'quiet-hours', quietHours, config })
      expect({ status, ...body }).toMatchObject({ status: 200, channel: 'quiet-hours', quietHours, config })
    }
    for (const config of [
      '{}',
      '{"events":["service.recovered","service.failed"]}',
      '{"until":"2999-01-01T00:00:00Z"}',
    ]) {
      expect((await create({ channel: 'email', config })).body).toMatchObject({ config })
    }
  })

  test('400 field_invalid for the channel webhook', async () => {
    expect(refusal(await create({ channel: 'webhook' }))).toMatchObject({
      status: 400,
      error: 'field_invalid',
      details: { field: 'channel', reason: expect.any(String) },
    })
  })

  test('400 field_invalid for more than one resource', async () => {
    const { workspaceId, projectId, serviceId } = seen
    for (const ids of [{ workspaceId, projectId }, { projectId, serviceId }, { workspaceId, serviceId }, seen]) {
      const field = Object.keys(ids)[1]
      const answer = await create({ channel: 'email', ...ids })
      expect(refusal(answer)).toMatchObject({ status: 400, error: 'field_invalid', details: { field } })
    }
  })

  test('400 field_invalid for malformed quiet hours, saying what is wrong', async () => {
    const malformed = [
      '',
      'nonsense',
      'FREQ=SOMETIMES',
      'FREQ=SECONDLY',
      'FREQ=DAILY;BYHOUR=24',
      'FREQ=DAILY;BYDAY=XX',
      'FREQ=DAILY;UNTIL=tomorrow',
      'FREQ=DAILY;FREQ=DAILY',
      'FREQ=DAILY/0',
      'FREQ=DAILY/x',
      'FREQ=DAILY/-5',
      'FREQ=DAILY/44641',
      'FREQ=DAILY/60/Nowhere/Town',
      'FREQ=DAILY/60/+02:00',
      'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
    ]
    await expectMalformed('quiet-hours', 'quietHours', malformed)
    expect(refusal(await create({ channel: 'quiet-hours', quietHours: 'x'.repeat(257) }))).toMatchObject({
      error: 'field_invalid',
      details: { field: 'quietHours', max: 256 },
    })
    expect(refusal(await create({ channel: 'all', config: `${' '.repeat(4_095)}{}` }))).toMatchObject({
      error: 'field_invalid',
      details: { field: 'config', max: 4_096 },
    })
  })

  test('400 for quiet hours without a window, and with a resource', async () => {
    expect(refusal(await create({ channel: 'quiet-hours' }))).toMatchObject({
      status: 400,
      error: 'field_required',
      details: { field: 'quietHours' },
    })
    const answer = await create({ channel: 'quiet-hours', quietHours: 'FREQ=DAILY', serviceId: seen.serviceId })
    expect(refusal(answer)).toMatchObject({ status: 400, error: 'field_invalid' })
  })

  test('400 field_invalid for a malformed config, saying what is wrong', async () => {
    const malformed = [
      '',
      'x',
      '[]',
      'null',
      '7',
      '{"events":[]}',
      '{"events":"service.failed"}',
      '{"events":["service.exploded"]}',
      '{"until":"tomorrow"}',
      '{"until":"2026-13-01T00:00:00Z"}',
      '{"until":5}',
      '{"other":1}',
      '{"__proto__":1}',
    ]
    await expectMalformed('email', 'config', malformed)
    expect(refusal(await create({ channel: 'email', config: { events: [] } }))).toMatchObject({
      error: 'invalid_request_body',
      details: { field: 'config' },
    })
  })

  test('400 field_invalid for an end that has passed, at creation and for a change', async () => {
    const { id } = (await create({ channel: 'email' })).body
    for (const until of ['2026-01-01T00:00:00Z', new Date(Date.now() - 1).toISOString(), '1999-12-31T23:59:59+02:00']) {
      const config = JSON.stringify({ until })
      const answers = [
        await create({ channel: 'all', config }),
        await api.call(key, 'PATCH', `/silences/${id}`, { body: { config } }),
      ]
      for (const answer of answers) {
        expect(refusal(answer), until).toMatchObject({
          status: 400,
          error: 'field_invalid',
          details: { field: 'config', reason: 'until: has passed' },
        })
      }
    }
    const config = JSON.stringify({ until: new Date(Date.now() + 60_000).toISOString() })
    expect((await create({ channel: 'all', config })).body).toMatchObject({ config })
  })

  test('404 for a resource out of reach, of another organization, or unknown; invalid_uuid for an invalid id', async () => {
    const foreign = await createTree(await api.create.organization())
    for (const tree of [hidden, foreign]) {
      for (const [field, id] of Object.entries(tree)) expectAbsent([await create({ channel: 'email', [field]: id })])
    }
    expectAbsent([await create({ channel: 'email', projectId: seen.serviceId })])
    for (const field of Object.keys(seen)) {
      expectAbsent([await create({ channel: 'all', [field]: randomUUID() })])
      expect(refusal(await create({ channel: 'all', [field]: 'x' }))).toMatchObject({
        status: 400,
        error: 'invalid_uuid',
        details: { field },
      })
      // The input is validated before reach is checked.
      expect(refusal(await create({ channel: 'all', [field]: randomUUID(), config: 'x' }))).toMatchObject({
        error: 'field_invalid',
        details: { field: 'config' },
      })
    }
  })
})

describe('the limit of silences', () => {
  test('400 silence_limit_reached at the limit, also for parallel requests', async () => {
    const full = await api.create.member(organization)
    const as = await api.create.key(full)
    await api.db.execute(sql`insert into silences (id, organization_id, membership_id, channel)
      select gen_random_uuid(), ${organization.id}, ${full.membershipId}, 'all'
      from generate_series(1, ${SILENCES_MAX - 1}::int)`)
    const answers = await Promise.all([1, 2, 3].map(() => create({ channel: 'all' }, as)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400])
    const refused = await create({ channel: 'all' }, as)
    expect(refusal(refused)).toMatchObject({ error: 'silence_limit_reached', details: { max: SILENCES_MAX } })
    const { body } = answers.find(({ status }) => status === 200) as (typeof answers)[number]
    expect((await api.call(as, 'PATCH', `/silences/${body.id}`, { body: { channel: 'email' } })).status).toBe(200)
    expect((await api.call(as, 'DELETE', `/silences/${body.id}`)).status).toBeLessThan(300)
    expect((await create({ channel: 'all' }, as)).status).toBe(200)
    expect((await create({ channel: 'all' })).status).toBe(200)
  })
})

describe('GET /silences', () => {
  test("200 the caller's own by id, in this organization", async () => {
    const own = await api.create.member(organization)
    const mine = await api.create.key(own)
    const elsewhere = await api.create.organization()
    const abroad = await api.create.key(await api.create.member(elsewhere, { userId: own.userId }))
    const made: string[] = []
    for (const channel of ['all', 'email', 'all']) made.push((await create({ channel }, mine)).body.id)
    await create({ channel: 'all' })
    await create({ channel: 'all' }, abroad)
    const { status, body } = await api.call<Page<Silence>>(mine, 'GET', '/silences')
    expect(status).toBe(200)
    expect(body.items.map((item) => item.id)).toEqual(made.toSorted())
    expect(body).toMatchObject({ total: 3, page: 1, pageSize: 50 })
    const second = await api.call<Page<Silence>>(mine, 'GET', '/silences', { query: { page: 2, pageSize: 2 } })
    expect(second.body).toMatchObject({ items: [{ id: made.toSorted()[2] }], total: 3, page: 2, pageSize: 2 })
    // A second key acts as the same member.
    expect((await api.call<Page<Silence>>(await api.create.key(own), 'GET', '/silences')).body.total).toBe(3)
  })
})

describe('GET /silences/{id}', () => {
  test('200', async () => {
    const made = (await create({ channel: 'email', serviceId: seen.serviceId })).body
    expect((await api.call(key, 'GET', `/silences/${made.id}`)).body).toEqual(made)
  })

  test('200 without the name of a resource that went out of reach', async () => {
    const blind = await api.create.member(organization, { grants: [{ serviceId: seen.serviceId, level: 1 }] })
    const theirs = await api.create.key(blind)
    const { id } = (await create({ channel: 'email', serviceId: seen.serviceId }, theirs)).body
    const owner = await api.create.key(organization.owner)
    await api.call(owner, 'DELETE', `/access/service/${seen.serviceId}/user/${blind.userId}`)
    const { body } = await api.call<Silence>(theirs, 'GET', `/silences/${id}`)
    expect(body).toMatchObject({ id, serviceId: seen.serviceId, resourceName: null })
  })

  test('it is deleted with its resource', async () => {
    const owner = await api.create.key(organization.owner)
    const tree = await createTree(organization)
    const made = (await create({ channel: 'email', projectId: tree.projectId }, owner)).body
    await api.call(owner, 'DELETE', `/workspaces/${tree.workspaceId}`)
    expectAbsent([await api.call(owner, 'GET', `/silences/${made.id}`)])
  })
})

describe('PATCH /silences/{id}', () => {
  const change = (id: string, body: unknown) => api.call<Silence>(key, 'PATCH', `/silences/${id}`, { body })

  test('200 changes the given fields and keeps the others; null clears a field', async () => {
    const { id } = (await create({ channel: 'email', config: '{}', serviceId: seen.serviceId })).body
    expect((await change(id, { channel: 'all' })).body).toMatchObject({ channel: 'all', config: '{}' })
    const config = '{"events":["service.failed"]}'
    expect((await change(id, { config })).body).toMatchObject({ channel: 'all', config, serviceId: seen.serviceId })
    expect((await change(id, { quietHours: 'FREQ=DAILY/30' })).body).toMatchObject({ quietHours: 'FREQ=DAILY/30' })
    const cleared = await change(id, { config: null, quietHours: null })
    expect(cleared.body).toMatchObject({ config: null, quietHours: null, channel: 'all' })
    expect((await change(id, {})).body).toEqual(cleared.body)
    expect((await api.call(key, 'GET', `/silences/${id}`)).body).toEqual(cleared.body)
    const entries = await auditOf(api.db, id)
    expect(entries.map((entry) => entry.action)).toEqual(['silence.create', ...Array(5).fill('silence.update')])
    expect(entries.slice(1).map((entry) => entry.details)).toEqual([
      { channel: { from: 'email', to: 'all' } },
      { config: { from: '{}', to: config } },
      { quietHours: { from: null, to: 'FREQ=DAILY/30' } },
      { config: { from: config, to: null }, quietHours: { from: 'FREQ=DAILY/30', to: null } },
      { changed: false },
    ])
  })

  test('400 as at creation, against what the silence becomes', async () => {
    const whole = (await create({ channel: 'all' })).body
    const one = (await create({ channel: 'email', serviceId: seen.serviceId })).body
    const quiet = (await create({ channel: 'quiet-hours', quietHours: 'FREQ=DAILY' })).body
    const wrong = [
      [whole, { channel: 'webhook' }, 'field_invalid', 'channel'],
      [whole, { channel: 'sms' }, 'invalid_request_body', 'channel'],
      [whole, { channel: 'quiet-hours' }, 'field_required', 'quietHours'],
      [one, { channel: 'quiet-hours', quietHours: 'FREQ=DAILY' }, 'field_invalid', 'channel'],
      [quiet, { quietHours: null }, 'field_required', 'quietHours'],
      [quiet, { quietHours: 'x' }, 'field_invalid', 'quietHours'],
      [quiet, { config: '{"x":1}' }, 'field_invalid', 'config'],
    ] as const
    for (const [silence, body, error, field] of wrong) {
      expect(refusal(await change(silence.id, body))).toMatchObject({ status: 400, error, details: { field } })
      expect((await api.call(key, 'GET', `/silences/${silence.id}`)).body).toEqual(silence)
    }
    expect((await change(whole.id, { channel: 'quiet-hours', quietHours: 'FREQ=DAILY' })).status).toBe(200)
    expect((await change(quiet.id, { channel: 'all', quietHours: null })).status).toBe(200)
  })
})

describe('DELETE /silences/{id}', () => {
  test('200 and it is gone', async () => {
    const { id } = (await create({ channel: 'all' })).body
    expect((await api.call(key, 'DELETE', `/silences/${id}`)).body).toEqual({ ok: true })
    expect(await actionsOn(api.db, id)).toEqual(['silence.create', 'silence.delete'])
    expectAbsent([await api.call(key, 'DELETE', `/silences/${id}`)])
  })
})

describe.each(['GET', 'PATCH', 'DELETE'])('%s /silences/{id}', (method) => {
  const body = method === 'PATCH' ? { channel: 'all' } : undefined

  test("404 for another member's, whoever asks, and for none; invalid_uuid for no id", async () => {
    const { id } = (await create({ channel: 'email' })).body
    const abroad = await api.create.member(await api.create.organization(), { userId: member.userId })
    const keys = [await api.create.key(organization.owner), await api.create.key(abroad)]
    const answers = []
    for (const other of keys) answers.push(await api.call(other, method, `/silences/${id}`, { body }))
    answers.push(await api.call(key, method, `/silences/${randomUUID()}`, { body }))
    expectAbsent(answers)
    expect((await api.call(key, 'GET', `/silences/${id}`)).body).toMatchObject({ channel: 'email' })
    const malformed = await api.call(key, method, '/silences/x', { body })
    expect(refusal(malformed)).toMatchObject({ status: 400, error: 'invalid_uuid', details: { field: 'id' } })
  })
})
