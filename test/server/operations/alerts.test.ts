import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { and, eq } from '#db/drizzle.cjs'
import { alertEvents, alertMessages, type EventKind, follows } from '#db/schema/alerts.ts'
import { memberships } from '#db/schema/organizations.ts'
import { silences, variables } from '#db/schema/scoped.ts'
import { webhookBindings, webhookDeliveries, webhooks } from '#db/schema/webhooks.ts'
import { RECIPIENTS_MAX, type ServiceAlerting } from '#server/schemas/alerts/alerting.ts'
import type { Service } from '#server/schemas/services.ts'
import { failureOf, testApi } from '#test/support/api/api.ts'
import type { Key, Member, Organization } from '#test/support/factories.ts'
import { auditOf } from '#test/support/side-effects.ts'

const NOW = new Date('2026-06-03T12:00:00Z')
const UNTIL = '2026-06-03T15:00:00.000Z'
const api = testApi({ now: () => NOW })

/** The initial settings of rechecks. */
const RECHECKS = { confirmRecoveries: 1, recheckSeconds: 10, recheckWrites: false }

let organization: Organization
let ownerKey: Key

beforeAll(async () => {
  organization = await api.create.organization()
  ownerKey = await api.create.key(organization.owner)
})

/** A service as the API creates it, with its system variables, in a new workspace named Shop. */
async function createService() {
  const workspace = await api.create.workspace(organization)
  const project = await api.create.project(workspace, { name: 'Checkout' })
  const body = { projectId: project.id, name: 'Pay' }
  const service = (await api.call<Service>(ownerKey, 'POST', '/services', { body })).body
  return { workspace, project, service }
}

const member = (given: Parameters<typeof api.create.member>[1] = {}) => api.create.member(organization, given)
const reader = (given = {}) => member({ sections: { workspaces: 'read', ...given } })

async function preview(as: Member | Key, serviceId: string): Promise<ServiceAlerting> {
  const key = 'token' in as ? as : await api.create.key(as, { access: 'read' })
  const { status, body } = await api.call<ServiceAlerting>(key, 'GET', `/services/${serviceId}/alerting`)
  expect(status).toBe(200)
  return body
}

async function silence({ organizationId, membershipId }: Member, given: Partial<typeof silences.$inferInsert> = {}) {
  const id = uuidv7()
  await api.db.insert(silences).values({ id, organizationId, membershipId, channel: 'all', ...given })
  return id
}

async function bind(name: string, scope: Partial<typeof webhookBindings.$inferInsert>, enabled = true) {
  const row = { id: uuidv7(), organizationId: organization.id }
  await api.db.insert(webhooks).values({ ...row, name: `${name} ${row.id}`, sealed: Buffer.alloc(64) })
  const { organizationId } = row
  await api.db.insert(webhookBindings).values({ id: uuidv7(), organizationId, webhookId: row.id, enabled, ...scope })
  return row.id
}

describe('GET /services/{id}/alerting', () => {
  test('200 lists the settings, who is told through what, and the caller first', async () => {
    const { workspace, project, service } = await createService()
    const group = await api.create.group(organization, { name: 'DevOps' })
    await api.create.grant(organization, { groupId: group.id }, { workspaceId: workspace.id, level: 1 })
    const ada = await member({ displayName: 'Ada', groups: [group] })
    const bob = await member({ displayName: 'Bob', grants: [{ projectId: project.id, level: 2 }] })
    const cleo = await reader({ users: 'read' })
    await api.db
      .insert(follows)
      .values({ id: uuidv7(), organizationId: organization.id, membershipId: cleo.membershipId, serviceId: service.id })
    const webhookId = await bind('Pager', { projectId: project.id })
    const sent = { isSilenced: false, silencedReason: null, silencedUntil: null, silence: null }
    const through = (kind: string, resourceType: string, resourceName: string, name: string | null = null) => [
      { kind, group: name, resourceType, resourceName },
    ]
    const own = {
      ...{ orgUserId: cleo.membershipId, email: cleo.email, name: cleo.email.split('@')[0], ...sent },
      heardThrough: through('follow', 'service', 'Pay'),
    }
    const others = [
      {
        ...{ orgUserId: ada.membershipId, name: 'Ada', email: ada.email, ...sent },
        heardThrough: through('group', 'workspace', workspace.name, 'DevOps'),
      },
      {
        ...{ orgUserId: bob.membershipId, name: 'Bob', email: bob.email, ...sent },
        heardThrough: through('grant', 'project', 'Checkout'),
      },
    ]
    expect(await preview(cleo, service.id)).toEqual({
      serviceId: service.id,
      settings: { ...RECHECKS, confirmFailures: 1, alertOnRecovery: true, remindMinutes: 0 },
      ...{ hasListener: true, isMailConfigured: false },
      ...{ recipients: [own, ...others], recipientsTotal: 3, webhooks: null, webhooksTotal: 1 },
    })
    const seesWebhooks = await preview(await reader({ webhooks: 'read' }), service.id)
    expect(seesWebhooks.webhooks).toEqual([
      {
        ...{ webhookId, name: expect.stringContaining('Pager'), enabled: true },
        heardThrough: through('binding', 'project', 'Checkout'),
      },
    ])
    // Who the others are needs read on Users.
    expect(seesWebhooks.recipients.map(({ email }) => email)).toEqual([null, null, null])
    const { recipients } = await preview(ada, service.id)
    const hidden = { orgUserId: null, name: null, email: null }
    expect(recipients).toMatchObject([{ name: 'Ada', email: ada.email }, hidden, hidden])
    const groups = seesWebhooks.recipients.flatMap(({ heardThrough }) => heardThrough.map((one) => one.group))
    expect(groups).toEqual([null, null, null])
  })

  test("200 tells until when a silence keeps the mail back; only the caller's own is shown in full", async () => {
    const { project, service } = await createService()
    const grants = [{ serviceId: service.id, level: 1 as const }]
    const ada = await member({ displayName: 'Ada', grants })
    const bob = await member({ displayName: 'Bob', grants })
    const config = JSON.stringify({ until: UNTIL })
    const silenceId = await silence(ada, { projectId: project.id, config })
    await silence(bob, { channel: 'quiet-hours', quietHours: 'FREQ=DAILY;BYHOUR=12/120' })
    const [own, other] = (await preview(ada, service.id)).recipients
    expect(own).toMatchObject({
      ...{ name: 'Ada', isSilenced: true, silencedReason: 'a silence', silencedUntil: UNTIL },
      silence: { id: silenceId, projectId: project.id, config, resourceName: 'Checkout' },
    })
    expect(other).toMatchObject({
      ...{ orgUserId: null, name: null, email: null, isSilenced: true, silencedReason: 'quiet hours', silence: null },
      silencedUntil: '2026-06-03T14:00:00.000Z',
    })
    // A silence of other events, of another resource, or that has ended keeps nothing back.
    const cleo = await member({ displayName: 'Cleo', grants })
    await silence(cleo, { config: '{"events":["service.recovered"]}' })
    await silence(cleo, { serviceId: (await createService()).service.id })
    await silence(cleo, { config: '{"until":"2026-06-03T11:59:59Z"}' })
    expect((await preview(cleo, service.id)).recipients[0]).toMatchObject({ name: 'Cleo', isSilenced: false })
    await silence(cleo)
    const forever = { isSilenced: true, silencedUntil: null, silence: { channel: 'all' } }
    expect((await preview(cleo, service.id)).recipients[0]).toMatchObject(forever)
  })

  test('200 names the owner when neither a member nor an enabled webhook hears', async () => {
    const { workspace, service } = await createService()
    const caller = await reader({ users: 'read' })
    const { membershipId: orgUserId } = organization.owner
    const owner = { hasListener: false, recipients: [{ orgUserId, heardThrough: [{ kind: 'owner' }] }] }
    expect(await preview(caller, service.id)).toMatchObject({ ...owner, recipientsTotal: 1, webhooksTotal: 0 })
    await bind('Paused', { serviceId: service.id }, false)
    expect(await preview(caller, service.id)).toMatchObject({ ...owner, webhooksTotal: 1 })
    await bind('Pager', { workspaceId: workspace.id })
    const heard = { hasListener: true, recipients: [], recipientsTotal: 0, webhooksTotal: 2 }
    expect(await preview(caller, service.id)).toMatchObject(heard)
    const ofWebhooks = (await preview(await reader({ webhooks: 'read' }), service.id)).webhooks
    expect(ofWebhooks?.map(({ enabled }) => enabled).sort()).toEqual([false, true])
  })

  test('200 without anybody when the owner is inactive too', async () => {
    const abandoned = await api.create.organization()
    const project = await api.create.project(await api.create.workspace(abandoned))
    const service = await api.create.service(project)
    const caller = await api.create.member(abandoned, { sections: { workspaces: 'read' } })
    await api.db.update(memberships).set({ isActive: false }).where(eq(memberships.id, abandoned.owner.membershipId))
    expect(await preview(caller, service.id)).toMatchObject({ hasListener: false, recipients: [], recipientsTotal: 0 })
  })

  test('200 is bounded, and counts all', async () => {
    const { service } = await createService()
    const group = await api.create.group(organization, { grants: [{ serviceId: service.id, level: 1 }] })
    const last = await member({ displayName: 'zzz', groups: [group] })
    await api.db.execute(`
      with people as (insert into users (id, email, display_name, password_hash)
        select gen_random_uuid(), '${group.id}-' || n || '@example.com', 'Member ' || n, 'none' from generate_series(1, 120) n returning id),
      own as (insert into memberships (id, organization_id, user_id)
        select gen_random_uuid(), '${organization.id}', id from people returning id)
      insert into group_members (organization_id, group_id, membership_id) select '${organization.id}', '${group.id}', id from own`)
    const { recipients, recipientsTotal } = await preview(last, service.id)
    expect([recipients.length, recipientsTotal, recipients[0]?.name]).toEqual([RECIPIENTS_MAX, 121, 'zzz'])
  })
})

describe('GET /services/{id}/alerting with a mail server', () => {
  const mailing = testApi({ settings: { SMTP_URL: 'smtp://127.0.0.1:2525' } })

  test('200 says that mail is configured', async () => {
    const { service, organization } = await mailing.create.serviceTree()
    const key = await mailing.create.key(organization.owner)
    const { body } = await mailing.call<ServiceAlerting>(key, 'GET', `/services/${service.id}/alerting`)
    expect(body.isMailConfigured).toBe(true)
  })
})

describe('alerts.events', () => {
  async function createEvent(serviceId: string, kind: EventKind, given: Partial<typeof alertEvents.$inferInsert> = {}) {
    const id = uuidv7()
    const named = (name: string) => ({ id: uuidv7(), name })
    const names = { workspace: named('Shop'), project: named('Checkout'), service: named('Pay') }
    const summary = 'GET https://shop.example/: status 500, expected 200'
    const payload = { ...names, failure: { summary }, incident: { summary, downMs: 1 }, result: { status: 'failure' } }
    await api.db
      .insert(alertEvents)
      .values({ id, organizationId: organization.id, serviceId, kind, payload, createdAt: NOW, ...given })
    return id
  }

  test('lists the events of a service with deliveries, mails and suppressions', async () => {
    const { service } = await createService()
    const { organizationId, membershipId } = await member({ displayName: 'Ada' })
    const failed = await createEvent(service.id, 'service.failed', { resultId: uuidv7(), notifiedAt: NOW })
    const later = new Date(NOW.getTime() + 60_000)
    const suppressedReason = 'alertOnRecovery is false'
    const recovered = await createEvent(service.id, 'service.recovered', { createdAt: later, suppressedReason })
    await createEvent((await createService()).service.id, 'service.failed')
    await api.db.insert(alertMessages).values({
      ...{ id: uuidv7(), organizationId, eventId: failed, channel: 'email', membershipId, heardThrough: [] },
      ...{ state: 'suppressed', reason: 'a silence', silencedUntil: new Date(UNTIL) },
    })
    const webhookId = await bind('Pager', { serviceId: service.id })
    await api.db.insert(webhookDeliveries).values({
      ...{ id: uuidv7(), organizationId, webhookId, eventId: failed, kind: 'service.failed', payload: {} },
      ...{ state: 'delivered', attempts: 2, lastStatus: 204, deliveredAt: later },
    })
    const caller = await api.caller(await reader({ users: 'read', webhooks: 'read' }))
    const page = await caller.alerts.events({ id: service.id })
    expect(page).toMatchObject({ total: 2, page: 1 })
    expect(page.items).toMatchObject([
      { id: recovered, kind: 'service.recovered', suppressedReason, notifiedAt: null, messages: [], messagesTotal: 0 },
      {
        ...{ id: failed, kind: 'service.failed', suppressedReason: null, notifiedAt: NOW.toISOString() },
        summary: expect.stringContaining('status 500, expected 200'),
        messagesTotal: 2,
        messages: [
          { channel: 'email', name: 'Ada', state: 'suppressed', reason: 'a silence', silencedUntil: UNTIL },
          { channel: 'webhook', webhookId, state: 'sent', attempts: 2, lastStatus: 204, sentAt: later.toISOString() },
        ],
      },
    ])
    const second = await caller.alerts.events({ id: service.id, page: 2, pageSize: 1 })
    expect(second).toMatchObject({ total: 2, items: [{ id: failed }] })
  })

  test('not_found out of reach', async () => {
    const { service } = await createService()
    const blind = await api.caller(await member())
    expect(await failureOf(blind.alerts.events({ id: service.id }))).toMatchObject({ code: 'not_found' })
  })
})

describe('alerts.configure', () => {
  const WANTED = {
    ...{ confirmFailures: 3, confirmRecoveries: 2, recheckSeconds: 30, recheckWrites: true },
    ...{ alertOnRecovery: false, remindMinutes: 60 },
  }

  async function valuesOf(serviceId: string) {
    const rows = await api.db.select().from(variables).where(eq(variables.serviceId, serviceId))
    return Object.fromEntries(rows.map(({ key, value }) => [key, value]))
  }

  test('changes the system variables together, with an audit entry for each that changed', async () => {
    const { service } = await createService()
    const writer = await member({ grants: [{ serviceId: service.id, level: 2 }] })
    const caller = await api.caller(writer)
    expect(await caller.alerts.configure({ id: service.id, ...WANTED })).toEqual(WANTED)
    expect(await valuesOf(service.id)).toEqual({
      ...{ confirmFailures: '3', confirmRecoveries: '2', recheckSeconds: '30', recheckWrites: 'true' },
      ...{ alertOnRecovery: 'false', remindMinutes: '60' },
    })
    expect((await preview(writer, service.id)).settings).toEqual(WANTED)
    await caller.alerts.configure({ id: service.id, ...WANTED, remindMinutes: 0 })
    const rows = await api.db.select().from(variables).where(eq(variables.serviceId, service.id))
    const entries = await Promise.all(rows.map(async ({ id, key }) => [key, await auditOf(api.db, id)] as const))
    expect(Object.fromEntries(entries.map(([key, list]) => [key, list.length]))).toEqual({
      ...{ confirmFailures: 1, confirmRecoveries: 1, recheckSeconds: 1, recheckWrites: 1 },
      ...{ alertOnRecovery: 1, remindMinutes: 2 },
    })
    for (const [key, [entry]] of entries) {
      expect(entry).toMatchObject({
        ...{ action: 'variable.update', entityType: 'variable', entityName: key },
        details: { scope: 'service', resourceId: service.id, resourceName: 'Pay', type: 'metric' },
      })
    }
    const changes = entries.map(([key, list]) => [key, list.map(({ details }) => details.value)])
    expect(Object.fromEntries(changes)).toEqual({
      confirmFailures: [{ from: '1', to: '3' }],
      confirmRecoveries: [{ from: '1', to: '2' }],
      recheckSeconds: [{ from: '10', to: '30' }],
      recheckWrites: [{ from: 'false', to: 'true' }],
      alertOnRecovery: [{ from: 'true', to: 'false' }],
      remindMinutes: [
        { from: '0', to: '60' },
        { from: '60', to: '0' },
      ],
    })
    await caller.alerts.configure({ id: service.id, ...WANTED, remindMinutes: 0 })
    expect((await auditOf(api.db, service.id)).at(-1)).toMatchObject({
      ...{ action: 'service.update', details: { changed: false } },
    })
  })

  test('creates a system variable that is missing, and refuses a name that another variable has', async () => {
    const { service } = await createService()
    const caller = await api.caller(organization.owner)
    const own = and(eq(variables.serviceId, service.id), eq(variables.key, 'remindMinutes'))
    await api.db.update(variables).set({ systemType: null, value: 'mine' }).where(own)
    expect((await preview(organization.owner, service.id)).settings.remindMinutes).toBe(0)
    const refused = await failureOf(caller.alerts.configure({ id: service.id, ...WANTED }))
    expect(refused).toMatchObject({ code: 'field_invalid', details: { field: 'remindMinutes' } })
    expect(await valuesOf(service.id)).toMatchObject({ confirmFailures: '1', remindMinutes: 'mine' })
    await caller.alerts.configure({ id: service.id, ...WANTED, remindMinutes: 0 })
    await api.db.delete(variables).where(own)
    await caller.alerts.configure({ id: service.id, ...WANTED })
    const [row] = await api.db.select().from(variables).where(own)
    expect(row).toMatchObject({ type: 'metric', systemType: 'integer', value: '60' })
  })

  test('field_invalid or invalid_request_body out of bounds, not_found without write', async () => {
    const { service } = await createService()
    const caller = await api.caller(organization.owner)
    const wrong = [
      ['confirmFailures', 0],
      ['confirmFailures', 11],
      ['confirmFailures', 1.5],
      ['confirmRecoveries', 0],
      ['confirmRecoveries', 11],
      ['recheckSeconds', -1],
      ['recheckSeconds', 301],
      ['recheckWrites', 'false'],
      ['remindMinutes', -1],
      ['remindMinutes', 10_081],
      ['alertOnRecovery', 'true'],
    ] as const
    for (const [field, value] of wrong) {
      const input = { id: service.id, ...WANTED, [field]: value } as typeof WANTED & { id: string }
      const { details } = await failureOf(caller.alerts.configure(input))
      expect(details, `${field} ${value}`).toMatchObject({ field, reason: expect.stringMatching(/must be/) })
    }
    const ofReader = await api.caller(await member({ grants: [{ serviceId: service.id, level: 1 }] }))
    const refused = failureOf(ofReader.alerts.configure({ id: service.id, ...WANTED }))
    expect(await refused).toMatchObject({ code: 'not_found' })
    expect(await valuesOf(service.id)).toMatchObject({ confirmFailures: '1' })
  })
})
