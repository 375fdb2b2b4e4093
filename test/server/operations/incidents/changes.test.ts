import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { asc, eq } from '#db/drizzle.cjs'
import { incidentPostMortems, type incidents } from '#db/schema/alerts.ts'
import { auditEntries } from '#db/schema/audit.ts'
import { services } from '#db/schema/resources.ts'
import type { Page } from '#server/paging.ts'
import { type IncidentAssignee, POST_MORTEM_MAX } from '#server/schemas/alerts/incident-changes.ts'
import type { Incident, IncidentDetails } from '#server/schemas/alerts/incidents.ts'
import { jobsIn, mailingWith } from '#test/support/alerts/alert-world.ts'
import { type MailServer, startMailServer } from '#test/support/alerts/mail-server.ts'
import { testApi } from '#test/support/api/api.ts'
import type { Key, Member, Tree } from '#test/support/factories.ts'
import { createIncident } from '#test/support/runs/incidents.ts'

const BASE_URL = 'https://probes.example.com'
const MAIL_FROM = 'Probes <probes@example.org>'
const api = testApi({ settings: { BASE_URL, MAIL_FROM, SMTP_URL: 'smtp://127.0.0.1:1' } })
const jobs = jobsIn(api)

let server: MailServer
let tree: Tree
let grace: Member
let service: typeof services.$inferSelect
let incident: typeof incidents.$inferSelect

beforeAll(async () => {
  server = await startMailServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  server.mails.length = 0
  await jobs.clear()
  tree = await api.create.tree()
  service = await api.create.service(tree.project, { name: 'Checkout' })
  incident = await createIncident(api.db, service)
  grace = await newMember('Grace Hopper', 1)
})

type Assignee = z.output<typeof IncidentAssignee>
type Change = { assigneeId?: unknown; severity?: unknown; postMortem?: unknown }

const newMember = (displayName: string, level: 1 | 2, rest = {}) =>
  api.create.member(tree.organization, { displayName, grants: [{ serviceId: service.id, level }], ...rest })
const path = () => `/incidents/${incident.id}`
const update = (body: Change, key: Key = tree.owner) => api.call<Incident>(key, 'PATCH', path(), { body })
const get = async () => (await api.call<IncidentDetails>(tree.owner, 'GET', path())).body
const assignees = (key: Key = tree.owner) => api.call<Assignee[]>(key, 'GET', `${path()}/assignees`)
const list = async (query: Record<string, string>, key: Key = tree.owner) =>
  (await api.call<Page<Incident>>(key, 'GET', '/incidents', { query })).body.items.map(({ id }) => id)
const memberEntries = async () =>
  (await get()).timeline.filter(({ member }) => member).map(({ kind, text }) => [kind, text])

async function lastAudit() {
  const rows = await api.db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.entityId, incident.id))
    .orderBy(asc(auditEntries.id))
  return rows.at(-1)
}

/** Sends the queued mails to a mail server over SMTP, and returns them. */
async function sentMails() {
  await jobs.sendMails(mailingWith({ BASE_URL, MAIL_FROM, SMTP_URL: `smtp://127.0.0.1:${server.port}` }).settings)
  return server.mails
}

describe('the assignee', () => {
  test('is told by mail, named in the incident and in its timeline, and audited', async () => {
    const { status, body } = await update({ assigneeId: grace.membershipId, severity: 'high' })
    expect(status).toBe(200)
    const assignee = { orgUserId: grace.membershipId, name: 'Grace Hopper' }
    expect(body).toMatchObject({ assignee, assignedAt: expect.any(String) })
    expect(await lastAudit()).toMatchObject({
      action: 'incident.update',
      entityName: 'Checkout',
      details: { assignee: { from: null, to: 'Grace Hopper' }, severity: { from: null, to: 'high' } },
    })
    const [mail, ...more] = await sentMails()
    expect(more).toEqual([])
    expect(mail).toMatchObject({ to: [grace.email], subject: '[Assigned] Checkout' })
    expect(mail?.text).toContain('assigned the incident of Checkout to you')
    expect(mail?.text).toContain('Severity: high')
    expect(mail?.text).toContain(`${BASE_URL}${path()}`)
    expect(mail?.html).toContain(`href="${BASE_URL}${path()}"`)

    // The same assignee again changes nothing.
    const again = await update({ assigneeId: grace.membershipId.toUpperCase() })
    expect(again.body.assignedAt).toBe(body.assignedAt)
    expect(await lastAudit()).toMatchObject({ details: { changed: false } })
    expect(await sentMails()).toHaveLength(1)

    expect(await update({ assigneeId: null })).toMatchObject({ body: { assignee: null, assignedAt: null } })
    expect(await memberEntries()).toEqual([
      ['assigned', 'Grace Hopper'],
      ['severity', 'high'],
      ['unassigned', null],
    ])
    expect(await sentMails()).toHaveLength(1)
  })

  test('gets no link by the names that members chose', async () => {
    const named = await newMember('login.evil.example', 2, { sections: { users: 'read' } })
    await api.db.update(services).set({ name: 'shop.evil.example' }).where(eq(services.id, service.id))
    const { status } = await update({ assigneeId: grace.membershipId }, await api.create.key(named))
    expect(status).toBe(200)
    const [mail] = await sentMails()
    const { subject = '', text = '' } = mail ?? {}
    const html = mail?.html ?? ''
    for (const part of [text, html]) {
      expect(part.replaceAll('\u200b', '')).toContain(
        'login.evil.example assigned the incident of shop.evil.example to you',
      )
    }
    for (const part of [subject, text, html]) expect(part).not.toMatch(/evil\.example/)
    // The cause names what the target is, as it is.
    expect(text).toContain(incident.summary)
  })

  test('gets no mail by their own assignment, and three an hour about one incident', async () => {
    await update({ assigneeId: tree.organization.owner.membershipId })
    expect(await sentMails()).toEqual([])
    for (let count = 0; count < 5; count++) {
      await update({ assigneeId: grace.membershipId })
      await update({ assigneeId: null })
    }
    expect(await sentMails()).toHaveLength(3)
  })

  test('must be an active member who can read the service: the reason is the same for all others', async () => {
    const stranger = await api.create.member(tree.organization)
    const disabled = await newMember('Left', 2, { isActive: false })
    const foreign = (await api.create.tree()).organization.owner
    const reason = 'must be the membership of an active member who can read the service'
    for (const assigneeId of [stranger, disabled, foreign].map(({ membershipId }) => membershipId)) {
      expect(await update({ assigneeId })).toMatchObject({
        status: 400,
        body: { error: 'field_invalid', details: { field: 'assigneeId', reason } },
      })
    }
    expect((await update({ assigneeId: randomUUID() })).body).toMatchObject({ details: { reason } })
    expect((await update({ assigneeId: 'grace' })).body).toMatchObject({ error: 'invalid_uuid' })
    expect((await get()).assignee).toBeNull()
    expect(await sentMails()).toEqual([])
  })

  test('is chosen from those who can read the service, which groups and sections give too', async () => {
    const group = await api.create.group(tree.organization, {
      name: 'On call',
      grants: [{ projectId: tree.project.id, level: 1 }],
    })
    await api.create.member(tree.organization, { displayName: 'Bea', groups: [group] })
    await api.create.member(tree.organization, { displayName: 'Cleo', sections: { workspaces: 'read' } })
    await api.create.member(tree.organization, { displayName: 'Dan' })
    const { status, body } = await assignees()
    expect(status).toBe(200)
    const names = body.filter(({ isCaller }) => !isCaller).map(({ name }) => name)
    expect(names).toEqual(['Bea', 'Cleo', 'Grace Hopper'])
    expect(body.filter(({ isCaller }) => isCaller)).toMatchObject([
      { orgUserId: tree.organization.owner.membershipId, email: tree.organization.owner.email },
    ])
    for (const { orgUserId } of body) expect((await update({ assigneeId: orgUserId })).status).toBe(200)
  })

  test('can be only the caller for a member without read on Users', async () => {
    const writer = await newMember('Wanda', 2)
    const key = await api.create.key(writer)
    expect((await assignees(key)).body).toMatchObject([{ orgUserId: writer.membershipId, isCaller: true }])
    expect(await update({ assigneeId: grace.membershipId }, key)).toMatchObject({
      status: 400,
      body: {
        details: {
          field: 'assigneeId',
          reason: 'must be your own membership: to assign others, you need read on Users',
        },
      },
    })
    expect((await update({ assigneeId: writer.membershipId }, key)).body.assignee?.name).toBe('Wanda')
  })

  test('narrows the list, with the acknowledgement', async () => {
    const other = await createIncident(api.db, service, { closedAt: new Date() })
    await update({ assigneeId: grace.membershipId })
    const key = await api.create.key(grace)
    expect(await list({ assignee: 'me' }, key)).toEqual([incident.id])
    expect(await list({ assignee: 'me' })).toEqual([])
    expect(await list({ assignee: grace.membershipId })).toEqual([incident.id])
    expect(await list({ assignee: 'none' })).toEqual([other.id])
    await api.call(tree.owner, 'POST', `/incidents/${other.id}/acknowledge`)
    expect(await list({ acknowledged: 'true' })).toEqual([other.id])
    expect(await list({ acknowledged: 'false', assignee: 'none' })).toEqual([])
    const refused = await api.call(tree.owner, 'GET', '/incidents', { query: { assignee: 'grace' } })
    expect(refused).toMatchObject({
      status: 400,
      body: { error: 'field_invalid', details: { reason: 'must be the id of a membership, me or none' } },
    })
  })
})

describe('the severity', () => {
  const label = (text: string | null) =>
    api.db
      .update(services)
      .set({ labels: text === null ? [] : ['eu', text] })
      .where(eq(services.id, service.id))

  test('comes from the label of the service where it is one of the words, until a member sets it', async () => {
    expect(await get()).toMatchObject({ severity: null, severitySource: null })
    await label('production')
    expect(await get()).toMatchObject({ severity: null, severitySource: null })
    await label('Critical')
    expect(await get()).toMatchObject({ severity: 'critical', severitySource: 'label' })
    const { body } = await update({ severity: 'low' })
    expect(body).toMatchObject({ severity: 'low', severitySource: 'member' })
    expect(await lastAudit()).toMatchObject({ details: { severity: { from: null, to: 'low' } } })
    expect(await list({ severity: 'low' })).toEqual([incident.id])
    expect(await list({ severity: 'critical' })).toEqual([])
    expect((await update({ severity: null })).body).toMatchObject({ severity: 'critical', severitySource: 'label' })
    expect(await list({ severity: 'critical' })).toEqual([incident.id])
    expect(await memberEntries()).toEqual([
      ['severity', 'low'],
      ['severity', null],
    ])
    expect(await update({ severity: 'urgent' })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request_body', details: { field: 'severity' } },
    })
  })
})

describe('the post-mortem', () => {
  test('is saved as it was written, with who saved it, and its text is not in the audit log', async () => {
    expect((await get()).postMortem).toBeNull()
    const text = '## Cause\n\n<b>The disk</b> was full.'
    expect((await update({ postMortem: `\n${text}\n ` })).status).toBe(200)
    const owner = { orgUserId: tree.organization.owner.membershipId, name: expect.any(String) }
    expect((await get()).postMortem).toEqual({ text, updatedAt: expect.any(String), updatedBy: owner })
    expect((await lastAudit())?.details).toEqual({ hidden: ['postMortem'] })
    const writer = await newMember('Wanda', 2)
    const key = await api.create.key(writer)
    await update({ postMortem: text }, key)
    expect(await lastAudit()).toMatchObject({ details: { changed: false } })
    expect((await get()).postMortem?.updatedBy).toEqual(owner)
    await update({ postMortem: 'Short.', severity: 'high' }, key)
    expect((await get()).postMortem).toMatchObject({ text: 'Short.', updatedBy: { name: 'Wanda' } })
    for (const removed of [null, ' ']) {
      await update({ postMortem: 'Again.' })
      await update({ postMortem: removed })
      expect((await get()).postMortem).toBeNull()
    }
    expect((await memberEntries()).filter(([kind]) => kind === 'post_mortem')).toHaveLength(6)
  })

  test('has a bound, and goes with the incident', async () => {
    const long = 'x'.repeat(POST_MORTEM_MAX)
    expect((await update({ postMortem: `${long}x` })).body).toMatchObject({
      error: 'invalid_request_body',
      details: { field: 'postMortem' },
    })
    expect((await update({ postMortem: long })).status).toBe(200)
    expect((await get()).postMortem?.text).toHaveLength(POST_MORTEM_MAX)
    await api.db.execute(`delete from incidents where id = '${incident.id}'`)
    expect(await api.db.$count(incidentPostMortems, eq(incidentPostMortems.incidentId, incident.id))).toBe(0)
  })
})

test('an empty change changes nothing, and a refused one changes nothing of the rest', async () => {
  expect(await update({})).toMatchObject({ status: 200, body: { severity: null } })
  expect(await lastAudit()).toMatchObject({ action: 'incident.update', details: { changed: false } })
  expect((await update({ severity: 'high', postMortem: 'x', assigneeId: randomUUID() })).status).toBe(400)
  expect(await get()).toMatchObject({ severity: null, postMortem: null })
  expect(await memberEntries()).toEqual([])
})

test('a reader gets 404, as for what does not exist', async () => {
  const key = await api.create.key(grace)
  expect(await update({ severity: 'high' }, key)).toMatchObject({ status: 404, body: { error: 'not_found' } })
  expect((await assignees(key)).status).toBe(404)
})
