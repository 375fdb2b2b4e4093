import { randomUUID } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { desc, eq, sql } from '#db/drizzle.cjs'
import { alertMessages, type incidents } from '#db/schema/alerts.ts'
import { auditEntries } from '#db/schema/audit.ts'
import { serviceAgentStates } from '#db/schema/results.ts'
import { webhookDeliveries, webhooks } from '#db/schema/webhooks.ts'
import { MINUTE_MS } from '#server/durations.ts'
import type { Page } from '#server/paging.ts'
import {
  INCIDENT_NOTES_MAX,
  type Incident,
  type IncidentDetails,
  type IncidentNote,
  TIMELINE_MAX,
} from '#server/schemas/alerts/incidents.ts'
import { type CallOptions, testApi } from '#test/support/api/api.ts'
import { testTree } from '#test/support/api/tree.ts'
import type { Key } from '#test/support/factories.ts'
import { createIncident, createIncidentEvent, observation } from '#test/support/runs/incidents.ts'

const NOW = new Date('2026-11-20T12:30:00Z')
const api = testApi({ now: () => NOW, settings: { BASE_URL: 'https://probes.example.com' } })
const tree = testTree(api)

type IncidentRow = typeof incidents.$inferSelect

type Query = NonNullable<CallOptions['query']>

const ago = (minutes: number) => new Date(NOW.getTime() - minutes * MINUTE_MS)
const list = (query: Query = {}, key: Key = tree.owner) => api.call<Page<Incident>>(key, 'GET', '/incidents', { query })
const get = (id: string, key: Key = tree.owner) => api.call<IncidentDetails>(key, 'GET', `/incidents/${id}`)
const acknowledge = (id: string, key: Key = tree.owner) =>
  api.call<Incident>(key, 'POST', `/incidents/${id}/acknowledge`)
const addNote = (id: string, text: unknown, key: Key = tree.owner) =>
  api.call<IncidentNote>(key, 'POST', `/incidents/${id}/notes`, { body: { text } })
const idsOf = (page: Page<Incident>) => page.items.map((item) => item.id)

/** An incident of a new service. */
async function newIncident(given: Partial<IncidentRow> = {}): Promise<IncidentRow> {
  return createIncident(api.db, await api.create.service(tree.project), { openedAt: ago(10), ...given })
}

async function lastAudit(entityId: string) {
  const [entry] = await api.db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.entityId, entityId))
    .orderBy(desc(auditEntries.id))
    .limit(1)
  return entry
}

describe('GET /incidents', () => {
  test('200 open ones first, newest first, in pages', async () => {
    const { owner, project } = await api.create.tree()
    const first = await api.create.service(project)
    const [second, third] = [await api.create.service(project), await api.create.service(project)]
    const closed = async (service: typeof first, opened: number, minutes: number) =>
      (await createIncident(api.db, service, { openedAt: ago(opened), closedAt: ago(opened - minutes) })).id
    const open = async (service: typeof first, opened: number) =>
      (await createIncident(api.db, service, { openedAt: ago(opened) })).id
    const expected = [
      await open(second, 50),
      await open(first, 900),
      await closed(third, 2, 1),
      await closed(first, 1_000, 30),
      await closed(second, 2_000, 5),
    ]
    await newIncident()
    const { status, body } = await list({}, owner)
    expect(status).toBe(200)
    expect(idsOf(body)).toEqual(expected)
    expect(body).toMatchObject({ total: 5, page: 1, pageSize: 50 })
    const pages = await Promise.all([1, 2, 3].map((page) => list({ page, pageSize: 2 }, owner)))
    expect(pages.flatMap((answer) => idsOf(answer.body))).toEqual(expected)
    expect(idsOf((await list({ state: 'open' }, owner)).body)).toEqual(expected.slice(0, 2))
    expect((await list({ state: 'closed' }, owner)).body).toMatchObject({ total: 3, items: { length: 3 } })
    expect((await list({ serviceId: first.id, state: 'closed' }, owner)).body).toMatchObject({
      total: 1,
      items: [{ id: expected[3], state: 'closed' }],
    })
  })

  test('200 an incident with every field', async () => {
    const service = await api.create.service(tree.project)
    const row = await createIncident(api.db, service, {
      openedAt: ago(10),
      failingSince: ago(15),
      closedAt: ago(5),
      lastPassingResultId: uuidv7(),
      recoveredResultId: uuidv7(),
      remindedAt: ago(7),
    })
    const { body } = await list({ serviceId: service.id })
    expect(body.items).toEqual([
      {
        id: row.id,
        serviceId: service.id,
        serviceName: service.name,
        projectId: tree.project.id,
        workspaceId: tree.workspace.id,
        state: 'closed',
        openedAt: ago(10).toISOString(),
        closedAt: ago(5).toISOString(),
        failingSince: ago(15).toISOString(),
        durationMs: 10 * MINUTE_MS,
        summary: row.summary,
        failure: row.failure,
        agents: row.agents,
        firstResultId: row.firstResultId,
        lastPassingResultId: row.lastPassingResultId,
        recoveredResultId: row.recoveredResultId,
        acknowledgedAt: null,
        acknowledgedBy: null,
        flappingSince: null,
        assignedAt: null,
        assignee: null,
        severity: null,
        severitySource: null,
        lastRemindedAt: ago(7).toISOString(),
        url: `https://probes.example.com/incidents/${row.id}`,
      },
    ])
  })

  test('200 only what the caller reaches, by project and workspace too', async () => {
    const { organization, owner, workspace, project } = await api.create.tree()
    const [mine, theirs] = [await api.create.service(project), await api.create.service(project)]
    const [reached, hidden] = [await createIncident(api.db, mine), await createIncident(api.db, theirs)]
    const member = await api.create.member(organization, { grants: [{ serviceId: mine.id, level: 1 }] })
    const key = await api.create.key(member)
    const queries: Query[] = [{}, { projectId: project.id }, { workspaceId: workspace.id }, { serviceId: mine.id }]
    for (const query of queries) {
      expect((await list(query, key)).body).toMatchObject({ total: 1, items: [{ id: reached.id }] })
    }
    expect((await list({ workspaceId: workspace.id }, owner)).body.total).toBe(2)
    const elsewhere = await api.create.workspace(organization)
    expect((await list({ workspaceId: elsewhere.id }, owner)).body).toMatchObject({ total: 0, items: [] })
    expect(await list({ serviceId: theirs.id }, key)).toMatchObject({ status: 404, body: { error: 'not_found' } })
    expect((await get(hidden.id, key)).status).toBe(404)
  })

  test('200 an open incident shows what the agents see now', async () => {
    const service = await api.create.service(tree.project)
    await createIncident(api.db, service)
    const paris = await api.create.agent()
    const now = observation({ agentId: paris.id, agentSlug: paris.slug, since: ago(30).toISOString() })
    const state = { serviceId: service.id, organizationId: service.organizationId, startedAt: ago(1) }
    const failing = { ...now, status: 'failure' as const, statusSince: ago(30), serviceRuns: 1 }
    await api.db.insert(serviceAgentStates).values([
      { ...state, ...failing },
      // An agent that the organization no longer has.
      { ...state, ...failing, agentId: randomUUID() },
    ])
    expect((await list({ serviceId: service.id })).body.items[0]?.agents).toEqual([now])
  })

  test('400 field_invalid for two resources, an unknown state, and sorters', async () => {
    const ids = { serviceId: randomUUID(), workspaceId: randomUUID() }
    const refused = [
      [ids, 'serviceId', 'must not be given with workspaceId: give one of them'],
      [{ state: 'new' }, 'state', 'must be one of open, closed'],
      [{ sorters: 'x' }, 'sorters', 'is not supported: lists cannot be filtered or sorted'],
    ] as const
    for (const [query, field, reason] of refused) {
      expect(await list(query)).toMatchObject({
        status: 400,
        body: { error: 'field_invalid', details: { field, reason } },
      })
    }
  })
})

describe('GET /incidents/{id}', () => {
  test('200 an incident without messages has one entry in its timeline', async () => {
    const row = await newIncident({ summary: 'an assertion failed', agents: [] })
    const { status, body } = await get(row.id)
    expect(status).toBe(200)
    expect(body).toMatchObject({ state: 'open', durationMs: 10 * MINUTE_MS, notes: [], timelineTruncated: false })
    expect(body.timeline).toEqual([
      {
        at: row.openedAt.toISOString(),
        kind: 'service.failed',
        text: 'an assertion failed',
        event: null,
        reason: null,
        member: null,
        message: null,
      },
    ])
  })

  test('200 the timeline has state changes, messages, the acknowledgement and notes in order', async () => {
    const organization = await api.create.organization()
    const project = await api.create.project(await api.create.workspace(organization))
    const row = await createIncident(api.db, await api.create.service(project), {
      openedAt: ago(30),
      closedAt: ago(2),
    })
    const key = await api.create.key(organization.owner)
    const colleague = await api.create.member(organization, { displayName: 'Grace Hopper' })
    const failed = await createIncidentEvent(api.db, row, { createdAt: ago(30) })
    const reminder = await createIncidentEvent(api.db, row, { kind: 'service.reminder', createdAt: ago(15) })
    const suppressedReason = 'alertOnRecovery is false'
    await createIncidentEvent(api.db, row, { kind: 'service.recovered', createdAt: ago(2), suppressedReason })
    const message = { organizationId: organization.id, channel: 'email' as const, heardThrough: [] }
    await api.db.insert(alertMessages).values([
      {
        ...message,
        id: uuidv7(),
        eventId: failed.id,
        membershipId: organization.owner.membershipId,
        state: 'sent',
        sentAt: ago(29),
        createdAt: ago(30),
      },
      {
        ...message,
        id: uuidv7(),
        eventId: reminder.id,
        membershipId: colleague.membershipId,
        state: 'suppressed',
        reason: 'quiet hours',
        silencedUntil: ago(-60),
        createdAt: ago(14),
      },
    ])
    const webhookId = uuidv7()
    const sealed = Buffer.alloc(8)
    await api.db.insert(webhooks).values({ id: webhookId, organizationId: organization.id, name: 'Pager', sealed })
    await api.db.insert(webhookDeliveries).values({
      id: uuidv7(),
      organizationId: organization.id,
      webhookId,
      eventId: failed.id,
      kind: 'service.failed',
      payload: {},
      state: 'failed',
      lastError: 'the receiver responded with 500',
      createdAt: ago(28),
    })
    await acknowledge(row.id, key)
    await addNote(row.id, 'The database was full.', key)

    const { body } = await get(row.id, key)
    expect(body.timeline.map(({ kind, at }) => [kind, at])).toEqual([
      ['service.failed', ago(30).toISOString()],
      ['message', ago(29).toISOString()],
      ['message', ago(28).toISOString()],
      ['service.reminder', ago(15).toISOString()],
      ['message', ago(14).toISOString()],
      ['service.recovered', ago(2).toISOString()],
      ['acknowledged', NOW.toISOString()],
      ['note', NOW.toISOString()],
    ])
    const told = (page: IncidentDetails) =>
      page.timeline.flatMap(({ event, message }) =>
        message ? [[event, message.channel, message.name, message.state, message.reason, message.silencedUntil]] : [],
      )
    const ownName = organization.owner.email.split('@')[0]
    expect(told(body)).toEqual([
      ['service.failed', 'email', ownName, 'sent', null, null],
      ['service.failed', 'webhook', 'Pager', 'failed', 'the receiver responded with 500', null],
      ['service.reminder', 'email', 'Grace Hopper', 'suppressed', 'quiet hours', ago(-60).toISOString()],
    ])
    expect(body.timeline[5]).toMatchObject({ reason: suppressedReason, text: null })
    expect(body.timeline[7]).toMatchObject({ text: 'The database was full.', member: body.acknowledgedBy })

    // A reader without the directory and the webhooks knows only the own name.
    const limited = await api.create.key(
      await api.create.member(organization, { grants: [{ projectId: project.id, level: 1 }] }),
    )
    expect(told((await get(row.id, limited)).body)).toEqual([
      ['service.failed', 'email', null, 'sent', null, null],
      ['service.failed', 'webhook', null, 'failed', null, null],
      ['service.reminder', 'email', null, 'suppressed', 'quiet hours', ago(-60).toISOString()],
    ])
    await api.create.grant(organization, colleague, { projectId: project.id, level: 1 })
    const own = told((await get(row.id, await api.create.key(colleague))).body)
    expect(own.map(([, , name]) => name)).toEqual([null, null, 'Grace Hopper'])
  })

  test('200 a long timeline has its latest entries, and says so', async () => {
    const row = await newIncident()
    for (let minute = 60; minute > 0; minute--) {
      await createIncidentEvent(api.db, row, {
        kind: 'service.reminder',
        createdAt: new Date(ago(9).getTime() - minute),
      })
    }
    const { body } = await get(row.id)
    expect(body.timelineTruncated).toBe(true)
    expect(body.timeline.filter(({ kind }) => kind === 'service.reminder')).toHaveLength(50)
    expect(body.timeline.at(-1)?.at).toBe(new Date(ago(9).getTime() - 1).toISOString())
  })

  test('200 of more messages than a timeline shows, it has the latest', async () => {
    const row = await newIncident()
    const webhookId = uuidv7()
    const { organizationId } = row
    await api.db.insert(webhooks).values({ id: webhookId, organizationId, name: 'Chat', sealed: Buffer.alloc(8) })
    for (const minute of [6, 5, 4, 3, 2, 1]) {
      const event = await createIncidentEvent(api.db, row, { kind: 'service.reminder', createdAt: ago(minute) })
      await api.db.execute(sql`
        insert into webhook_deliveries (id, organization_id, webhook_id, event_id, kind, payload, state, created_at)
        select gen_random_uuid(), ${organizationId}, ${webhookId}, ${event.id}, 'service.reminder', '{}', 'delivered',
          ${ago(minute).toISOString()}::timestamptz + i * interval '1 millisecond' from generate_series(1, 100) i`)
    }
    const { body } = await get(row.id)
    expect(body.timelineTruncated).toBe(true)
    expect(body.timeline).toHaveLength(TIMELINE_MAX)
    // The four latest reminders with a hundred messages each, and 96 messages of the one before.
    expect(body.timeline.filter(({ kind }) => kind === 'service.reminder')).toHaveLength(4)
    expect(body.timeline[0]).toMatchObject({ kind: 'message', at: new Date(ago(5).getTime() + 5).toISOString() })
    expect(body.timeline.at(-1)).toMatchObject({ kind: 'message', at: new Date(ago(1).getTime() + 100).toISOString() })
  })

  test('404 not_found for an incident that does not exist, or whose service was deleted', async () => {
    expect(await get(randomUUID())).toMatchObject({ status: 404, body: { error: 'not_found' } })
    const row = await newIncident()
    await api.call(tree.owner, 'DELETE', `/services/${row.serviceId}`)
    expect((await get(row.id)).status).toBe(404)
    expect((await acknowledge(row.id)).status).toBe(404)
    expect((await addNote(row.id, 'late')).status).toBe(404)
  })
})

describe('POST /incidents/{id}/acknowledge', () => {
  test('200 the first acknowledgement stays, and each is audited', async () => {
    const row = await newIncident()
    const { organization } = tree
    const first = await acknowledge(row.id)
    const acknowledgedBy = {
      orgUserId: organization.owner.membershipId,
      name: organization.owner.email.split('@')[0],
    }
    expect(first).toMatchObject({ status: 200, body: { acknowledgedAt: NOW.toISOString(), acknowledgedBy } })
    expect(await lastAudit(row.id)).toMatchObject({ action: 'incident.acknowledge', details: {} })
    const colleague = await api.create.member(organization, { grants: [{ workspaceId: tree.workspace.id, level: 2 }] })
    const second = await acknowledge(row.id, await api.create.key(colleague))
    expect(second).toMatchObject({ status: 200, body: { acknowledgedBy } })
    expect(await lastAudit(row.id)).toMatchObject({ details: { changed: false }, actorEmail: colleague.email })
  })

  test('200 one of many at once wins', async () => {
    const row = await newIncident()
    const members = await Promise.all(
      Array.from({ length: 4 }, () =>
        api.create.member(tree.organization, { grants: [{ serviceId: row.serviceId, level: 2 }] }),
      ),
    )
    const keys = await Promise.all(members.map((member) => api.create.key(member)))
    const answers = await Promise.all(keys.map((key) => acknowledge(row.id, key)))
    expect(new Set(answers.map(({ body }) => body.acknowledgedBy?.orgUserId)).size).toBe(1)
  })

  test('200 a closed incident, and one whose first acknowledger left', async () => {
    const row = await newIncident({ closedAt: ago(1), acknowledgedAt: ago(2), acknowledgedBy: uuidv7() })
    expect(await acknowledge(row.id)).toMatchObject({ status: 200, body: { state: 'closed' } })
    const other = await newIncident({ closedAt: ago(1) })
    expect((await acknowledge(other.id)).body.acknowledgedAt).toBe(NOW.toISOString())
  })
})

describe('POST /incidents/{id}/notes', () => {
  test('200 the note, which the incident then has', async () => {
    const row = await newIncident()
    const { status, body } = await addNote(row.id, '  First line.\nSecond line. ')
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.any(String),
      text: 'First line.\nSecond line.',
      createdAt: NOW.toISOString(),
      author: { orgUserId: tree.organization.owner.membershipId, name: expect.any(String) },
    })
    expect(await lastAudit(row.id)).toMatchObject({ action: 'incident.note', details: { noteId: body.id } })
    await addNote(row.id, 'Third line.')
    const { notes } = (await get(row.id)).body
    expect(notes.map(({ text }) => text)).toEqual(['First line.\nSecond line.', 'Third line.'])
  })

  test('400 note_limit_reached at the limit, also for parallel requests', async () => {
    const row = await newIncident()
    await api.db.execute(sql`insert into incident_notes
        (id, incident_id, organization_id, membership_id, author_name, text)
      select gen_random_uuid(), ${row.id}, ${row.organizationId}, gen_random_uuid(), 'Ada', 'Seen.'
      from generate_series(1, ${INCIDENT_NOTES_MAX - 1}::int)`)
    const answers = await Promise.all(['a', 'b', 'c'].map((text) => addNote(row.id, text)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400])
    expect(await addNote(row.id, 'd')).toMatchObject({
      body: { error: 'note_limit_reached', details: { max: INCIDENT_NOTES_MAX } },
    })
    expect((await addNote((await newIncident()).id, 'e')).status).toBe(200)
  })
})
