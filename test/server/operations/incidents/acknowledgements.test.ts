import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { and, asc, eq } from '#db/drizzle.cjs'
import { alertEvents, incidents } from '#db/schema/alerts.ts'
import { auditEntries } from '#db/schema/audit.ts'
import { variables } from '#db/schema/scoped.ts'
import { MINUTE_MS } from '#server/durations.ts'
import type { AcknowledgeResult } from '#server/schemas/alerts/incident-changes.ts'
import { ACKNOWLEDGE_MAX } from '#server/schemas/alerts/incident-changes.ts'
import type { Incident, IncidentDetails } from '#server/schemas/alerts/incidents.ts'
import { testApi } from '#test/support/api/api.ts'
import { testTree } from '#test/support/api/tree.ts'
import type { Key } from '#test/support/factories.ts'
import { createIncident } from '#test/support/runs/incidents.ts'
import { remind } from '#worker/tasks/remind.ts'

const api = testApi()
const tree = testTree(api)

const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS)
const acknowledge = (id: string, key: Key = tree.owner) =>
  api.call<Incident>(key, 'POST', `/incidents/${id}/acknowledge`)
const unacknowledge = (id: string, key: Key = tree.owner) =>
  api.call<Incident>(key, 'DELETE', `/incidents/${id}/acknowledge`)
const acknowledgeMany = (ids: unknown, key: Key = tree.owner) =>
  api.call<AcknowledgeResult>(key, 'POST', '/incidents/acknowledge', { body: { ids } })
const get = async (id: string) => (await api.call<IncidentDetails>(tree.owner, 'GET', `/incidents/${id}`)).body
const newIncident = async (given = {}) => createIncident(api.db, await api.create.service(tree.project), given)

async function auditOf(entityId: string) {
  const rows = await api.db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.entityId, entityId))
    .orderBy(asc(auditEntries.id))
  return rows.map(({ action, details }) => [action, details])
}

/** How many reminders are stored after the job has run again. */
async function remindersOf({ id }: { id: string }): Promise<number> {
  await remind(api.db)
  return api.db.$count(alertEvents, and(eq(alertEvents.incidentId, id), eq(alertEvents.kind, 'service.reminder')))
}

test('an acknowledgement that is taken back resumes the reminders, and the timeline keeps both', async () => {
  const active = { isActive: true, script: 'get("https://shop.example/").expect(status: 200)' }
  const service = await api.create.service(tree.project, active)
  const row = await createIncident(api.db, service, { openedAt: ago(10) })
  const id = randomUUID()
  const { organizationId } = service
  const everyFiveMinutes = { key: 'remindMinutes', type: 'metric', value: '5', systemType: 'integer' } as const
  await api.db.insert(variables).values({ id, organizationId, serviceId: service.id, ...everyFiveMinutes })
  await acknowledge(row.id)
  expect(await remindersOf(row)).toBe(0)

  const back = await unacknowledge(row.id)
  expect(back).toMatchObject({ status: 200, body: { acknowledgedAt: null, acknowledgedBy: null, state: 'open' } })
  expect(await remindersOf(row)).toBe(1)
  const again = await acknowledge(row.id)
  expect(again.body.acknowledgedBy).toMatchObject({ orgUserId: tree.organization.owner.membershipId })
  await api.db
    .update(incidents)
    .set({ remindedAt: ago(6) })
    .where(eq(incidents.id, row.id))
  expect(await remindersOf(row)).toBe(1)

  const { timeline } = await get(row.id)
  const member = again.body.acknowledgedBy
  expect(timeline.filter((entry) => entry.member)).toMatchObject([
    { kind: 'acknowledged', member, text: null },
    { kind: 'unacknowledged', member, text: null },
    { kind: 'acknowledged', member, text: null },
  ])
})

test('what is not acknowledged stays so, and both are audited', async () => {
  const row = await newIncident()
  expect(await unacknowledge(row.id)).toMatchObject({ status: 200, body: { acknowledgedAt: null } })
  await acknowledge(row.id)
  await unacknowledge(row.id)
  expect(await auditOf(row.id)).toEqual([
    ['incident.unacknowledge', { changed: false }],
    ['incident.acknowledge', {}],
    ['incident.unacknowledge', {}],
  ])
  expect((await get(row.id)).timeline.filter(({ kind }) => kind === 'unacknowledged')).toHaveLength(1)
})

test('many are acknowledged at once, each judged alone', async () => {
  const [first, second, before] = [
    await newIncident(),
    await newIncident({ closedAt: new Date() }),
    await newIncident(),
  ]
  const hidden = await newIncident()
  const foreign = await createIncident(api.db, await api.create.service((await api.create.tree()).project))
  const grants = [first, second, before].map(({ serviceId }) => ({ serviceId, level: 2 as const }))
  const readable = { serviceId: hidden.serviceId, level: 1 as const }
  const member = await api.create.member(tree.organization, { grants: [...grants, readable] })
  const key = await api.create.key(member)
  await acknowledge(before.id)

  const absent = randomUUID()
  const ids = [absent, second.id, first.id, hidden.id, before.id, foreign.id, first.id]
  const { status, body } = await acknowledgeMany(ids, key)
  expect(status).toBe(200)
  expect(body.incidents).toEqual([
    { incidentId: absent, outcome: 'not_found' },
    { incidentId: second.id, outcome: 'acknowledged' },
    { incidentId: first.id, outcome: 'acknowledged' },
    { incidentId: hidden.id, outcome: 'not_found' },
    { incidentId: before.id, outcome: 'unchanged' },
    { incidentId: foreign.id, outcome: 'not_found' },
  ])
  for (const { id } of [first, second]) {
    const { acknowledgedBy, timeline } = await get(id)
    expect(acknowledgedBy?.orgUserId).toBe(member.membershipId)
    expect(timeline.filter(({ kind }) => kind === 'acknowledged')).toMatchObject([{ member: acknowledgedBy }])
    expect(await auditOf(id)).toEqual([['incident.acknowledge', {}]])
  }
  expect((await get(before.id)).acknowledgedBy?.orgUserId).toBe(tree.organization.owner.membershipId)
  expect((await auditOf(before.id)).at(-1)).toEqual(['incident.acknowledge', { changed: false }])
  for (const row of [hidden, foreign]) {
    expect(await api.db.select().from(incidents).where(eq(incidents.id, row.id))).toEqual([row])
    expect(await auditOf(row.id)).toEqual([])
  }
})

test('the acknowledgements of many are taken back at once, each judged alone', async () => {
  const [first, second, never] = [await newIncident(), await newIncident(), await newIncident()]
  await acknowledgeMany([first.id, second.id])
  const reader = await api.create.member(tree.organization, {
    grants: [
      { serviceId: first.serviceId, level: 2 },
      { serviceId: never.serviceId, level: 2 },
      { serviceId: second.serviceId, level: 1 },
    ],
  })
  const ids = [second.id, first.id, never.id]
  const answer = await api.call<AcknowledgeResult>(await api.create.key(reader), 'POST', '/incidents/unacknowledge', {
    body: { ids },
  })
  expect(answer).toMatchObject({ status: 200 })
  expect(answer.body.incidents.map(({ outcome }) => outcome)).toEqual(['not_found', 'unacknowledged', 'unchanged'])
  const { acknowledgedAt, timeline } = await get(first.id)
  expect(acknowledgedAt).toBeNull()
  expect(timeline.filter(({ kind }) => kind === 'unacknowledged')).toHaveLength(1)
  expect((await get(second.id)).acknowledgedAt).not.toBeNull()
  expect((await auditOf(first.id)).at(-1)).toEqual(['incident.unacknowledge', {}])
})

test('many at once by several members: each incident has one acknowledgement', async () => {
  const rows = await Promise.all(Array.from({ length: 6 }, () => newIncident()))
  const ids = rows.map(({ id }) => id)
  const answers = await Promise.all([ids, ids.toReversed(), ids].map((given) => acknowledgeMany(given)))
  const outcomes = answers.flatMap(({ body }) => body.incidents.map(({ outcome }) => outcome))
  expect(outcomes.filter((outcome) => outcome === 'acknowledged')).toHaveLength(ids.length)
  expect(outcomes.filter((outcome) => outcome === 'unchanged')).toHaveLength(2 * ids.length)
})

test('each is judged alone also when the caller may change none of them, and 400 for none, too many, or what is no id', async () => {
  const row = await newIncident()
  const reader = await api.create.member(tree.organization, { grants: [{ serviceId: row.serviceId, level: 1 }] })
  const absent = randomUUID()
  const missing = (incidentId: string) => ({ status: 200, body: { incidents: [{ incidentId, outcome: 'not_found' }] } })
  expect(await acknowledgeMany([row.id], await api.create.key(reader))).toMatchObject(missing(row.id))
  expect(await acknowledgeMany([absent])).toMatchObject(missing(absent))
  expect((await get(row.id)).acknowledgedAt).toBeNull()
  const tooMany = Array.from({ length: ACKNOWLEDGE_MAX + 1 }, () => randomUUID())
  for (const ids of [[], tooMany, row.id, undefined]) {
    expect(await acknowledgeMany(ids)).toMatchObject({ status: 400, body: { error: 'invalid_request_body' } })
  }
  expect(await acknowledgeMany([row.id, 'x'])).toMatchObject({ status: 400, body: { error: 'invalid_uuid' } })
})
