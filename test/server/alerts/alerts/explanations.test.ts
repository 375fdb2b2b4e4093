import { randomUUID } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import { alertEvents, alertMessages, type HeardThrough } from '#db/schema/alerts.ts'
import { webhookDeliveries, webhooks } from '#db/schema/webhooks.ts'
import { readMessages, type Viewer } from '#server/alerts/alerts/explanations.ts'
import { AlertMessage, MESSAGES_MAX } from '#server/schemas/alerts/messages.ts'
import { loadActor } from '#test/support/api/api.ts'
import { testDatabase } from '#test/support/database.ts'
import type { Member, Organization } from '#test/support/factories.ts'

const database = testDatabase()
const THROUGH: HeardThrough[] = [{ kind: 'grant', group: null, resourceType: 'project', resourceName: 'Checkout' }]
const AT = new Date('2026-06-03T12:00:00Z')

let organization: Organization
let ada: Member
let bob: Member
let webhookId: string

beforeAll(async () => {
  organization = await database.create.organization()
  ada = await database.create.member(organization, { displayName: 'Ada' })
  bob = await database.create.member(organization, { displayName: 'Bob' })
  webhookId = uuidv7()
  await database.db
    .insert(webhooks)
    .values({ id: webhookId, organizationId: organization.id, name: 'Pager', sealed: Buffer.alloc(64) })
})

async function createEvent(): Promise<string> {
  const id = uuidv7()
  const organizationId = organization.id
  await database.db.insert(alertEvents).values({ id, organizationId, kind: 'service.failed', payload: {} })
  return id
}

async function addMail(eventId: string, given: Partial<typeof alertMessages.$inferInsert>): Promise<void> {
  await database.db.insert(alertMessages).values({
    ...{ id: uuidv7(), organizationId: organization.id, eventId, channel: 'email', createdAt: AT },
    ...{ heardThrough: THROUGH, state: 'sent', ...given },
  })
}

async function addDelivery(eventId: string, given: Partial<typeof webhookDeliveries.$inferInsert>): Promise<void> {
  await database.db.insert(webhookDeliveries).values({
    ...{ id: uuidv7(), organizationId: organization.id, webhookId, eventId, kind: 'service.failed', payload: {} },
    ...given,
  })
}

async function viewer(sections: { users?: 'read'; webhooks?: 'read' } = {}, member?: Member): Promise<Viewer> {
  const own = member ?? (await database.create.member(organization, { sections }))
  return loadActor(database.db, own, null)
}

async function read(as: Viewer, eventId: string) {
  const explained = (await readMessages(database.db, as, [eventId])).get(eventId)
  for (const message of explained?.messages ?? []) AlertMessage.parse(message)
  return explained
}

describe('readMessages', () => {
  test('lists mails and deliveries with their outcome and the reason', async () => {
    const eventId = await createEvent()
    await addMail(eventId, { membershipId: ada.membershipId, sentAt: AT })
    await addMail(eventId, {
      ...{ membershipId: bob.membershipId, state: 'suppressed', reason: 'quiet hours' },
      ...{ silenceId: uuidv7(), silencedUntil: AT },
    })
    await addDelivery(eventId, { state: 'pending', attempts: 2, lastStatus: 503, lastError: 'down', nextAttemptAt: AT })
    const both = await viewer({ users: 'read', webhooks: 'read' })
    const nothing = { webhookId: null, attempts: null, lastStatus: null, nextAttemptAt: null }
    const mail = { ...nothing, channel: 'email', heardThrough: THROUGH, createdAt: AT.toISOString() }
    const sent = { ...mail, orgUserId: ada.membershipId, name: 'Ada', email: ada.email, state: 'sent' }
    expect(await read(both, eventId)).toEqual({
      messagesTotal: 3,
      messages: [
        {
          ...{ ...mail, orgUserId: bob.membershipId, name: 'Bob', email: bob.email, state: 'suppressed' },
          ...{ reason: 'quiet hours', silencedUntil: AT.toISOString(), sentAt: null },
        },
        {
          ...{ channel: 'webhook', orgUserId: null, webhookId, name: 'Pager', email: null, heardThrough: [] },
          ...{ state: 'pending', reason: 'down', silencedUntil: null, sentAt: null, attempts: 2, lastStatus: 503 },
          ...{ nextAttemptAt: AT.toISOString(), createdAt: expect.any(String) },
        },
        { ...sent, reason: null, silencedUntil: null, sentAt: AT.toISOString() },
      ],
    })
  })

  test('names members only with read on Users, and webhooks only with read on Webhooks; the own always', async () => {
    const eventId = await createEvent()
    await addMail(eventId, { membershipId: ada.membershipId })
    await addMail(eventId, { membershipId: bob.membershipId })
    await addMail(eventId, { channel: 'webhook', webhookId, state: 'suppressed', reason: 'the binding is paused' })
    await addDelivery(eventId, { state: 'failed', attempts: 12, lastStatus: 500, lastError: 'at hooks.example' })
    const shown = (messages: AlertMessage[] = []) =>
      messages.map(({ name, email, webhookId: id, reason, lastStatus }) => [name, email, id, reason, lastStatus])
    expect(shown((await read(await viewer({}, ada), eventId))?.messages)).toEqual([
      ['Ada', ada.email, null, null, null],
      [null, null, null, null, null],
      [null, null, null, 'the binding is paused', null],
      [null, null, null, null, null],
    ])
    expect(shown((await read(await viewer({ webhooks: 'read' }), eventId))?.messages)).toEqual([
      ['Pager', null, webhookId, 'at hooks.example', 500],
      ['Pager', null, webhookId, 'the binding is paused', null],
      [null, null, null, null, null],
      [null, null, null, null, null],
    ])
  })

  test('keeps the messages of former members, without a name', async () => {
    const eventId = await createEvent()
    const former = uuidv7()
    await addMail(eventId, { membershipId: former, state: 'failed', reason: 'refused' })
    const { messages = [] } = (await read(await viewer({ users: 'read' }), eventId)) ?? {}
    expect(messages).toMatchObject([{ orgUserId: former, name: null, email: null, state: 'failed', reason: 'refused' }])
  })

  test('is bounded per event, counts all, and keeps events apart', async () => {
    const [many, none] = [await createEvent(), await createEvent()]
    const row = { organizationId: organization.id, eventId: many, channel: 'email', state: 'sent' } as const
    const others = Array.from({ length: MESSAGES_MAX + 20 }, () => ({
      ...{ ...row, id: uuidv7(), membershipId: randomUUID(), heardThrough: THROUGH },
    }))
    await database.db.insert(alertMessages).values(others)
    await addMail(many, { membershipId: ada.membershipId })
    const found = await readMessages(database.db, await viewer({}, ada), [many, none])
    expect(found.get(many)?.messages).toHaveLength(MESSAGES_MAX)
    expect(found.get(many)?.messagesTotal).toBe(MESSAGES_MAX + 21)
    expect(found.get(many)?.messages[0]).toMatchObject({ name: 'Ada' })
    expect(found.get(none)).toEqual({ messages: [], messagesTotal: 0 })
    expect(await readMessages(database.db, await viewer(), [])).toEqual(new Map())
  })
})
