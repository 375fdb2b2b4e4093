import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { maintenances } from '#db/schema/maintenances.ts'
import { MINUTE_MS } from '#server/durations.ts'
import type { Page } from '#server/paging.ts'
import { MAINTENANCES_MAX, type Maintenance } from '#server/schemas/maintenances/maintenances.ts'
import type { Service } from '#server/schemas/services.ts'
import { testApi } from '#test/support/api/api.ts'
import { expectAbsent, refusal } from '#test/support/api/denied.ts'
import type { Key, Member, Organization } from '#test/support/factories.ts'
import { actionsOn, auditOf } from '#test/support/side-effects.ts'

let passedMs = 0
const api = testApi({ now: () => new Date(Date.now() + passedMs) })
let organization: Organization
let member: Member
let key: Key
/** A workspace that the member may change, with what is in it. */
let own: { workspaceId: string; projectId: string; serviceId: string }
let hidden: typeof own

async function createTree(of: { id: string }) {
  const workspace = await api.create.workspace(of, { name: `W ${randomUUID()}` })
  const project = await api.create.project(workspace, { name: `P ${workspace.id}` })
  const service = await api.create.service(project, { name: `S ${workspace.id}`, label: 'production' })
  return { workspaceId: workspace.id, projectId: project.id, serviceId: service.id }
}

beforeAll(async () => {
  organization = await api.create.organization()
  own = await createTree(organization)
  hidden = await createTree(organization)
  member = await api.create.member(organization, { grants: [{ workspaceId: own.workspaceId, level: 2 }] })
  key = await api.create.key(member)
})
beforeEach(async () => {
  passedMs = 0
  await api.db.delete(maintenances)
})

const create = (body: object, headers: Record<string, string> = {}) =>
  api.call<Maintenance>(key, 'POST', '/maintenances', { body, headers })
const change = (id: string, body: object) => api.call<Maintenance>(key, 'PATCH', `/maintenances/${id}`, { body })
const list = async (query: Record<string, string> = {}) =>
  (await api.call<Page<Maintenance>>(key, 'GET', '/maintenances', { query })).body.items
const held = async (id = own.serviceId) => (await api.call<Service>(key, 'GET', `/services/${id}`)).body.maintenance
const inMinutes = (minutes: number) => new Date(Date.now() + minutes * MINUTE_MS).toISOString()

describe('POST /maintenances', () => {
  test('200 of a workspace, a project or a service, which then shows it', async () => {
    for (const [field, id] of Object.entries(own)) {
      const { status, body } = await create({ [field]: id, minutes: 20, note: ' deploy 42 ' })
      expect({ status, ...body }).toEqual({
        status: 200,
        id: expect.any(String),
        ...{ workspaceId: null, projectId: null, serviceId: null, [field]: id },
        resourceName: expect.stringMatching(/^[WPS] /),
        resourcePath: expect.stringMatching(/^W [^/]*( \/ P [^/]*( \/ S [^/]*)?)?$/),
        label: null,
        mode: 'mute',
        state: 'active',
        startsAt: expect.any(String),
        endsAt: expect.any(String),
        rule: null,
        timezone: null,
        note: 'deploy 42',
        createdAt: body.startsAt,
        createdBy: { orgUserId: member.membershipId, name: expect.any(String) },
        endedAt: null,
        endedBy: null,
        mayWrite: true,
      })
      expect(Date.parse(body.endsAt) - Date.parse(body.startsAt)).toBe(20 * MINUTE_MS)
      expect(await auditOf(api.db, body.id)).toMatchObject([
        { action: 'maintenance.create', entityName: body.resourceName, details: { mode: 'mute', note: 'deploy 42' } },
      ])
      expect(await held()).toEqual({
        id: body.id,
        mode: 'mute',
        until: body.endsAt,
        note: 'deploy 42',
        by: expect.any(String),
      })
      expect(await held()).toMatchObject({ id: body.id })
      expect((await api.call(key, 'DELETE', `/maintenances/${body.id}`)).status).toBe(200)
      expect(await held()).toBeNull()
    }
  })

  test('200 of the services with a label', async () => {
    const { body } = await create({ projectId: own.projectId, label: 'production', endsAt: inMinutes(5), mode: 'skip' })
    expect(body).toMatchObject({ label: 'production', mode: 'skip' })
    expect(await held()).toMatchObject({ id: body.id, mode: 'skip' })
    const other = await api.create.service({ id: own.projectId, organizationId: organization.id }, { label: 'test' })
    expect(await held(other.id)).toBeNull()
  })

  test('200 of a time to come, which holds from then on', async () => {
    const { body } = await create({ serviceId: own.serviceId, startsAt: inMinutes(10), minutes: 5 })
    expect(body).toMatchObject({ state: 'upcoming' })
    expect(Date.parse(body.endsAt) - Date.parse(body.startsAt)).toBe(5 * MINUTE_MS)
    expect(await held()).toBeNull()
    await api.db.update(maintenances).set({ startsAt: new Date(Date.now() - 1) })
    expect(await held()).toMatchObject({ id: body.id })
  })

  test('200 with a rule, whose present or next time it has', async () => {
    const open = await create({
      projectId: own.projectId,
      rule: 'FREQ=DAILY;BYHOUR=0;BYMINUTE=0/1440',
      timezone: 'Asia/Tokyo',
    })
    expect(open.body).toMatchObject({ state: 'active', timezone: 'Asia/Tokyo' })
    expect(open.body.startsAt).toMatch(/T15:00:00/)
    const next = await create({ projectId: own.projectId, rule: 'FREQ=YEARLY;DTSTART=29990101T000000Z/60/UTC' })
    expect(next.body).toMatchObject({ state: 'upcoming', timezone: 'UTC', startsAt: '2999-01-01T00:00:00.000Z' })
  })

  test('the same again with an Idempotency-Key, also after the end', async () => {
    const headers = { 'Idempotency-Key': randomUUID() }
    const body = { projectId: own.projectId, endsAt: inMinutes(5) }
    const first = await create(body, headers)
    passedMs = 10 * MINUTE_MS
    const again = await create(body, headers)
    expect(again.status).toBe(200)
    expect(again.body.id).toBe(first.body.id)
    expect(await list()).toHaveLength(1)
  })

  test.each<[string, object, string]>([
    ['field_required', {}, 'projectId'],
    ['field_required', { projectId: 'own' }, 'minutes'],
    ['field_invalid', { projectId: 'own', serviceId: 'own', minutes: 1 }, 'serviceId'],
    ['field_invalid', { serviceId: 'own', label: 'production', minutes: 1 }, 'label'],
    ['field_invalid', { projectId: 'own', minutes: 1, endsAt: inMinutes(5) }, 'minutes'],
    ['field_invalid', { projectId: 'own', minutes: 1, rule: 'FREQ=DAILY/5' }, 'rule'],
    ['field_invalid', { projectId: 'own', rule: 'FREQ=DAILY' }, 'rule'],
    ['field_invalid', { projectId: 'own', rule: 'FREQ=MINUTELY;INTERVAL=59/1' }, 'rule'],
    ['field_invalid', { projectId: 'own', rule: 'FREQ=HOURLY;BYMINUTE=0,30/1' }, 'rule'],
    ['field_invalid', { projectId: 'own', rule: 'FREQ=DAILY;UNTIL=20010101/5' }, 'rule'],
    ['field_invalid', { projectId: 'own', rule: 'FREQ=DAILY/5', startsAt: inMinutes(5) }, 'startsAt'],
    ['field_invalid', { projectId: 'own', rule: 'FREQ=DAILY/5', timezone: 'Mars/Olympus' }, 'timezone'],
    ['field_invalid', { projectId: 'own', rule: 'FREQ=DAILY/5/UTC', timezone: 'UTC' }, 'timezone'],
    ['field_invalid', { projectId: 'own', minutes: 5, timezone: 'UTC' }, 'timezone'],
    ['field_invalid', { projectId: 'own', endsAt: inMinutes(-1) }, 'endsAt'],
    ['field_invalid', { projectId: 'own', startsAt: inMinutes(5), endsAt: inMinutes(5) }, 'endsAt'],
    ['field_invalid', { projectId: 'own', startsAt: inMinutes(-4), minutes: 3 }, 'minutes'],
    ['field_invalid', { projectId: 'own', startsAt: inMinutes(-6), minutes: 60 }, 'startsAt'],
    ['field_invalid', { projectId: 'own', endsAt: inMinutes(600_000) }, 'endsAt'],
    ['field_invalid', { projectId: 'own', startsAt: inMinutes(600_000), minutes: 5 }, 'startsAt'],
  ])('400 %s for %j on %s', async (error, given, field) => {
    const body = Object.fromEntries(
      Object.entries(given).map(([name, value]) => [name, value === 'own' ? own[name as keyof typeof own] : value]),
    )
    expect(refusal(await create(body))).toMatchObject({ status: 400, error, details: { field } })
    expect(await list()).toEqual([])
  })

  test('404 without write on the resource', async () => {
    expectAbsent([await create({ projectId: hidden.projectId, minutes: 5 })])
    const reader = await api.create.member(organization, { grants: [{ projectId: own.projectId, level: 1 }] })
    const body = { projectId: own.projectId, minutes: 5 }
    expectAbsent([await api.call(await api.create.key(reader), 'POST', '/maintenances', { body })])
  })

  test(`400 maintenance_limit_reached above ${MAINTENANCES_MAX} that are not past`, async () => {
    const { body } = await create({ projectId: own.projectId, minutes: 5 })
    const [row] = await api.db.select().from(maintenances).where(eq(maintenances.id, body.id))
    if (!row) throw new Error('it is stored')
    const more = Array.from({ length: MAINTENANCES_MAX - 1 }, () => ({ ...row, id: randomUUID() }))
    await api.db.insert(maintenances).values(more)
    expect(refusal(await create({ projectId: own.projectId, minutes: 5 }))).toMatchObject({
      status: 400,
      error: 'maintenance_limit_reached',
      details: { max: MAINTENANCES_MAX },
    })
    await change(body.id, { end: true })
    expect((await create({ projectId: own.projectId, minutes: 5 })).status).toBe(200)
  })
})

describe('GET /maintenances', () => {
  test('lists what is on, next and past, in this order and by state and resource', async () => {
    const { body: past } = await create({ serviceId: own.serviceId, minutes: 5 })
    await change(past.id, { end: true })
    const { body: later } = await create({ workspaceId: own.workspaceId, startsAt: inMinutes(60), minutes: 5 })
    const { body: next } = await create({ projectId: own.projectId, startsAt: inMinutes(30), minutes: 5 })
    const { body: on } = await create({ projectId: own.projectId, label: 'test', minutes: 5 })
    const ids = async (query = {}) => (await list(query)).map(({ id }) => id)
    expect(await ids()).toEqual([on.id, next.id, later.id, past.id])
    expect((await list()).map(({ state }) => state)).toEqual(['active', 'upcoming', 'upcoming', 'past'])
    expect(await ids({ state: 'active' })).toEqual([on.id])
    expect(await ids({ state: 'upcoming' })).toEqual([next.id, later.id])
    expect(await ids({ state: 'past' })).toEqual([past.id])
    expect(await ids({ workspaceId: own.workspaceId })).toEqual([on.id, next.id, later.id, past.id])
    expect(await ids({ projectId: own.projectId })).toEqual([on.id, next.id, later.id, past.id])
    // Not the one of another label.
    expect(await ids({ serviceId: own.serviceId })).toEqual([next.id, later.id, past.id])
    expect(refusal(await api.call(key, 'GET', '/maintenances', { query: own }))).toMatchObject({
      status: 400,
      error: 'field_invalid',
    })
  })

  test('without parts: only what covers the named resource or what is above it, however many parts are on', async () => {
    const { body: ofService } = await create({ serviceId: own.serviceId, minutes: 5 })
    const { body: ofProject } = await create({ projectId: own.projectId, minutes: 5 })
    const { body: ofWorkspace } = await create({ workspaceId: own.workspaceId, label: 'test', minutes: 5 })
    const ids = async (query: Record<string, string>) => (await list(query)).map(({ id }) => id).sort()
    const { workspaceId, projectId, serviceId } = own
    expect(await ids({ projectId, withoutParts: 'true' })).toEqual([ofProject.id, ofWorkspace.id].sort())
    expect(await ids({ workspaceId, withoutParts: 'true' })).toEqual([ofWorkspace.id])
    expect(await ids({ projectId, withoutParts: 'false' })).toHaveLength(3)
    expect(await ids({ serviceId, withoutParts: 'true' })).toEqual([ofService.id, ofProject.id].sort())
  })

  test('says which of them the member may change', async () => {
    for (const [field, id] of Object.entries(own)) await create({ [field]: id, minutes: 5 })
    const levels = { workspaceId: 1, projectId: 1, serviceId: 2 } as const
    const grants = Object.entries(own).map(([field, id]) => ({
      [field]: id,
      level: levels[field as keyof typeof own],
    }))
    const reader = await api.caller(await api.create.member(organization, { grants }))
    const { items } = await reader.maintenances.list({})
    expect(items.map((one) => [one.serviceId, one.mayWrite]).sort()).toEqual(
      [
        [null, false],
        [null, false],
        [own.serviceId, true],
      ].sort(),
    )
    expect(await list()).toMatchObject([{ mayWrite: true }, { mayWrite: true }, { mayWrite: true }])
  })

  test('only of resources that the member can read', async () => {
    const { body } = await create({ projectId: own.projectId, minutes: 5 })
    const stranger = await api.create.member(organization, { grants: [{ projectId: hidden.projectId, level: 2 }] })
    const strange = await api.create.key(stranger)
    expect((await api.call<Page<Maintenance>>(strange, 'GET', '/maintenances')).body.items).toEqual([])
    for (const [method, sent] of [['GET'], ['PATCH', { end: true }], ['DELETE']] as const) {
      expectAbsent([await api.call(strange, method, `/maintenances/${body.id}`, sent ? { body: sent } : {})])
    }
    expect(await api.call(key, 'GET', `/maintenances/${body.id}`)).toMatchObject({ status: 200, body })
  })
})

describe('PATCH /maintenances/{id}', () => {
  test('extends it, and changes its note', async () => {
    const { body } = await create({ projectId: own.projectId, minutes: 5, note: 'deploy 42' })
    const endsAt = inMinutes(50)
    expect((await change(body.id, { endsAt, note: null })).body).toMatchObject({ endsAt, note: null, state: 'active' })
    const { body: extended } = await change(body.id, { minutes: 90 })
    expect(Date.parse(extended.endsAt)).toBeGreaterThan(Date.parse(inMinutes(89)))
    expect(await actionsOn(api.db, body.id)).toEqual(['maintenance.create', 'maintenance.update', 'maintenance.update'])
  })

  test('ends it now, once', async () => {
    const { body } = await create({ projectId: own.projectId, minutes: 5 })
    const { body: ended } = await change(body.id, { end: true })
    expect(ended).toMatchObject({ state: 'past', endedAt: ended.endsAt, endedBy: { orgUserId: member.membershipId } })
    expect(Date.parse(ended.endsAt)).toBeLessThan(Date.parse(body.endsAt))
    expect(await held()).toBeNull()
    expect((await change(body.id, { end: true })).body).toEqual(ended)
    expect(refusal(await change(body.id, { minutes: 5 }))).toMatchObject({ status: 400, details: { field: 'minutes' } })
  })

  test('ends the present time of a rule, which goes on with the next one', async () => {
    const { body } = await create({ projectId: own.projectId, rule: 'FREQ=DAILY;BYHOUR=0;BYMINUTE=0/1440/UTC' })
    const { body: ended } = await change(body.id, { end: true })
    expect(ended).toMatchObject({ state: 'upcoming', endedAt: null })
    expect(Date.parse(ended.startsAt)).toBe(Date.parse(body.startsAt) + 1_440 * MINUTE_MS)
    expect(refusal(await change(body.id, { minutes: 5 }))).toMatchObject({ status: 400, details: { field: 'minutes' } })
    // Also deleted, it is known to runs that began in the time that was ended.
    await api.call(key, 'DELETE', `/maintenances/${body.id}`)
    const [row] = await api.db.select().from(maintenances)
    expect(row).toMatchObject({ startsAt: new Date(body.startsAt), deletedAt: expect.any(Date) })
    expect(Number(row?.endsAt)).toBeLessThan(Date.parse(body.endsAt))
    expectAbsent([await api.call(key, 'GET', `/maintenances/${body.id}`)])
    expect(await list()).toEqual([])
  })

  test.each<[object, string]>([
    [{ end: true, minutes: 5 }, 'minutes'],
    [{ endsAt: inMinutes(5), minutes: 5 }, 'minutes'],
    [{ endsAt: inMinutes(-5) }, 'endsAt'],
    [{ endsAt: inMinutes(600_000) }, 'endsAt'],
  ])('400 field_invalid for %j', async (body, field) => {
    const { body: started } = await create({ projectId: own.projectId, minutes: 5 })
    expect(refusal(await change(started.id, body))).toMatchObject({
      status: 400,
      error: 'field_invalid',
      details: { field },
    })
  })

  test('400 field_invalid for the end of one that has not begun', async () => {
    const { body } = await create({ projectId: own.projectId, startsAt: inMinutes(5), minutes: 5 })
    expect(refusal(await change(body.id, { end: true }))).toMatchObject({ status: 400, details: { field: 'end' } })
  })
})

test('a service shows its own window that is open', async () => {
  const serviceWindow = 'FREQ=DAILY;BYHOUR=0;BYMINUTE=0/1440/UTC'
  const service = await api.create.service({ id: own.projectId, organizationId: organization.id }, { serviceWindow })
  expect(await held(service.id)).toEqual({ id: null, mode: 'skip', until: expect.any(String), note: null, by: null })
  const dashboard = await api.caller(member)
  expect((await dashboard.maintenances.windows()).items).toEqual([
    expect.objectContaining({
      serviceId: service.id,
      window: serviceWindow,
      startsAt: expect.stringMatching(/T00:00/),
    }),
  ])
  expect(await dashboard.status.service({ id: service.id })).toMatchObject({ maintenance: { id: null, mode: 'skip' } })
})
