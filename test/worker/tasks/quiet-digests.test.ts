import { eq } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { alertMessages, certificates, incidents, lostAgents } from '#db/schema/alerts.ts'
import { memberships } from '#db/schema/organizations.ts'
import { grants, silences } from '#db/schema/scoped.ts'
import { DAY_MS, MINUTE_MS } from '#server/durations.ts'
import { MAIL_NOT_CONFIGURED } from '#server/mail/configured.ts'
import {
  enqueueMailsOf,
  eventsIn,
  jobsIn,
  mailingWith,
  messagesOf,
  notifyOf,
  type StoredEvent,
} from '#test/support/alert-world.ts'
import { testDatabase } from '#test/support/database.ts'
import type { Member, ServiceTree } from '#test/support/factories.ts'
import { type MailServer, startMailServer } from '#test/support/mail-server.ts'
import type { Mailing } from '#worker/tasks/alert-mail.ts'
import { repairMails } from '#worker/tasks/overdue-mails.ts'
import { sendQuietDigest } from '#worker/tasks/quiet-digest.ts'

// One mail when quiet hours end, about what failed in them and still does.

const database = testDatabase()
const jobs = jobsIn(database)

let server: MailServer
let mailing: Mailing
let tree: ServiceTree
let ana: Member
let events: ReturnType<typeof eventsIn>

beforeAll(async () => {
  server = await startMailServer()
  mailing = mailingWith({ BASE_URL: 'https://probes.example.com', SMTP_URL: `smtp://127.0.0.1:${server.port}` })
})
afterAll(() => server.close())
beforeEach(async () => {
  tree = await database.create.serviceTree()
  ana = await database.create.member(tree.organization, { grants: [{ workspaceId: tree.ids.workspace, level: 1 }] })
  events = eventsIn(database, tree)
})
afterEach(async () => {
  server.mails.length = 0
  await jobs.clear()
})

type Project = ServiceTree['project'] & { workspaceId: string }

const statesOf = async (event: StoredEvent) => (await messagesOf(database, event)).map(({ state }) => state)

describe('quiet hours', () => {
  // Open at night for Ana; the events happen in the middle of it, and the night is over when the job runs.
  const NIGHT = new Date(Date.now() - DAY_MS)
  NIGHT.setUTCHours(2, 0, 0, 0)
  const END = new Date(NIGHT.getTime() + 4 * 60 * MINUTE_MS)

  const silence = (given: Partial<typeof silences.$inferInsert>) =>
    database.db.insert(silences).values({
      ...{ id: uuidv7(), organizationId: ana.organizationId, membershipId: ana.membershipId, channel: 'quiet-hours' },
      ...given,
    })
  beforeEach(() => silence({ quietHours: 'FREQ=DAILY;BYHOUR=22;BYMINUTE=0/480' }))

  async function endNight(by = mailing): Promise<void> {
    for (const job of await jobs.of('quiet')) {
      await jobs.remove(job)
      await Promise.all([1, 2, 3].map(() => sendQuietDigest(database.db, by, job.payload)))
    }
    await jobs.sendMails(by.settings)
  }
  const service = (name: string) => database.create.service(tree.project, { name })

  test('hold what failed until they end, and then send one mail with what still does', async () => {
    const [open, closed] = [await service('Open'), await service('Closed')]
    const made = [await events.failed(open, NIGHT), await events.failed(closed, NIGHT)]
    await notifyOf(database, mailing, made)
    for (const event of made) {
      expect(await messagesOf(database, event)).toMatchObject([
        { state: 'held', reason: 'quiet hours', silencedUntil: END, mailId: null },
      ])
    }
    const [job, ...others] = await jobs.of('quiet')
    expect(others).toEqual([])
    expect(job?.runAt).toEqual(END)
    const recovery = await events.follow('service.recovered', closed, made[1]?.incidentId as string, NIGHT)
    await notifyOf(database, mailing, [recovery])
    // A recovery is not repeated later.
    expect(await statesOf(recovery)).toEqual(['suppressed'])
    await endNight()
    const [mail, ...more] = server.mails
    expect(more).toEqual([])
    expect(mail?.subject).toBe('[Still failing] Open – status 500, expected 200')
    expect(mail?.text.replaceAll('\u200b', '').split('\n')[0]).toMatch(
      /^Open \(.*\) is still failing after .*: GET https.* This began in your quiet hours\.$/,
    )
    expect(mail?.headers).not.toHaveProperty('in-reply-to')
    expect(await messagesOf(database, made[0] as StoredEvent)).toMatchObject([{ state: 'sent', reason: null }])
    expect(await messagesOf(database, made[1] as StoredEvent)).toMatchObject([
      { state: 'suppressed', reason: 'quiet hours: it recovered before they ended' },
    ])
  })

  test('send what somebody acknowledged meanwhile too, because the member does not know of it', async () => {
    const event = await events.failed(await service('Known'), NIGHT)
    await notifyOf(database, mailing, [event])
    await database.db
      .update(incidents)
      .set({ acknowledgedAt: new Date() })
      .where(eq(incidents.id, event.incidentId as string))
    await endNight()
    expect(server.mails.map(({ subject }) => subject)).toEqual(['[Still failing] Known – status 500, expected 200'])
  })

  test('send one mail about services of several projects, certificates and agents', async () => {
    await database.db.update(memberships).set({ settings: 2 }).where(eq(memberships.id, ana.membershipId))
    const other = await database.create.project(tree.workspace, { name: 'Other' })
    const elsewhere = eventsIn(database, { ...tree, project: other })
    const [shop, search] = [await service('Shop'), await database.create.service(other, { name: 'Search' })]
    const [lost, back] = [uuidv7(), uuidv7()]
    const own = { organizationId: tree.organization.id }
    const made = [
      await events.failed(shop, NIGHT),
      await elsewhere.failed(search, NIGHT),
      await events.certificate(shop, NIGHT),
      await events.certificate(await service('Renewed'), NIGHT),
      await events.agent('agent.lost', lost, NIGHT),
      await events.agent('agent.lost', back, NIGHT),
    ]
    const notAfter = new Date(NIGHT.getTime() + 7 * DAY_MS)
    await database.db
      .insert(certificates)
      .values({ ...own, serviceId: shop.id, host: 'shop.example', notAfter, seenAt: NIGHT })
    await database.db.insert(lostAgents).values({ ...own, agentId: lost, lostAt: NIGHT })
    await notifyOf(database, mailing, made)
    await endNight()
    const [mail, ...more] = server.mails.filter(({ to }) => to.includes(ana.email))
    expect(more).toEqual([])
    expect(mail?.subject).toBe('[Quiet hours] 2 services still fail, 1 agent is still lost, 1 certificate expires soon')
    const states = await Promise.all(
      made.map(async (event) =>
        (await messagesOf(database, event)).find((one) => one.membershipId === ana.membershipId),
      ),
    )
    expect(states.map((one) => one?.state)).toEqual(['sent', 'sent', 'sent', 'suppressed', 'sent', 'suppressed'])
    // Agents belong to no workspace.
    expect(mail?.text).toContain(`Stop mails about everything in ${tree.organization.name}`)
    expect(mail?.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
  })

  test.each<[string, (() => Promise<Project>) | null, subject: () => string]>([
    ['one service', null, () => 'the service Shop'],
    ['a project', async () => tree.project, () => `the project ${tree.project.name}`],
    ['a workspace', () => database.create.project(tree.workspace), () => `the workspace ${tree.workspace.name}`],
    [
      'several workspaces',
      async () => database.create.project(await database.create.workspace(tree.organization)),
      () => `everything in ${tree.organization.name}`,
    ],
  ])('let the reader stop mails about %s', async (_, create, about) => {
    const made = [await events.failed(await service('Shop'), NIGHT)]
    if (create) {
      const project = await create()
      const workspace = { id: project.workspaceId, name: tree.workspace.name }
      await database.create.grant(tree.organization, ana, { projectId: project.id, level: 1 })
      const search = await database.create.service(project, { name: 'Search' })
      made.push(await eventsIn(database, { ...tree, workspace, project } as ServiceTree).failed(search, NIGHT))
    }
    await notifyOf(database, mailing, made)
    await endNight()
    const [mail, ...more] = server.mails.filter(({ to }) => to.includes(ana.email))
    expect(more).toEqual([])
    expect(mail?.text.replaceAll('\u200b', '')).toContain(`Stop mails about ${about()}`)
  })

  test('begin the thread of an incident: later mails reply to the digest', async () => {
    const [shop, search] = [await service('Shop'), await service('Search')]
    const failed = await events.failed(shop, NIGHT)
    await notifyOf(database, mailing, [failed, await events.failed(search, NIGHT)])
    await endNight()
    const [digest] = server.mails.splice(0)
    await database.db.delete(silences)
    await enqueueMailsOf(database, mailing, [
      await events.follow('service.recovered', shop, failed.incidentId as string),
    ])
    await jobs.sendMails(mailing.settings)
    const [mail] = server.mails
    const id = digest?.headers['message-id']
    expect(id).toMatch(/^<[\w.-]+@probes\.example\.com>$/)
    expect(mail?.headers).toMatchObject({ 'in-reply-to': id, references: id })
  })

  test('send nothing when all recovered', async () => {
    const checkout = await service('Checkout')
    const failed = await events.failed(checkout, NIGHT)
    await notifyOf(database, mailing, [failed])
    await notifyOf(database, mailing, [
      await events.follow('service.recovered', checkout, failed.incidentId as string, NIGHT),
    ])
    await endNight()
    expect(server.mails).toEqual([])
    expect(await statesOf(failed)).toEqual(['suppressed'])
  })

  const losesGrant = () => database.db.delete(grants).where(eq(grants.membershipId, ana.membershipId))
  test.each<[string, () => Promise<unknown>, object]>([
    ['the member lost the access', losesGrant, { state: 'suppressed', reason: 'the member no longer hears of it' }],
    [
      'the member silenced the project since',
      () => silence({ channel: 'email', projectId: tree.ids.project }),
      { state: 'suppressed', reason: 'a silence' },
    ],
    [
      'the member left',
      () => database.db.update(memberships).set({ isActive: false }).where(eq(memberships.id, ana.membershipId)),
      { state: 'suppressed', reason: 'the member has left the organization' },
    ],
    [
      'other quiet hours began meanwhile',
      () =>
        silence({ quietHours: 'FREQ=DAILY;BYHOUR=0;BYMINUTE=0/1440', config: `{"until":"${soon().toISOString()}"}` }),
      { state: 'held', reason: 'quiet hours' },
    ],
  ])('send nothing when %s', async (_, change, outcome) => {
    const failed = await events.failed(await service('Checkout'), NIGHT)
    await notifyOf(database, mailing, [failed])
    await change()
    await endNight()
    expect(server.mails).toEqual([])
    const [message] = (await messagesOf(database, failed)).filter((one) => one.membershipId === ana.membershipId)
    expect(message).toMatchObject(outcome)
    const later = await jobs.of('quiet')
    expect(later.map(({ runAt }) => runAt)).toEqual(message?.state === 'held' ? [message.silencedUntil] : [])
  })

  const soon = () => new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 5 * MINUTE_MS)

  test('hold nothing without a mail server, and nothing if they never end or a silence lasts longer', async () => {
    const checkout = await service('Checkout')
    const unsent = await events.failed(checkout, NIGHT)
    await notifyOf(database, mailing, [unsent])
    await endNight(mailingWith({}))
    expect(await messagesOf(database, unsent)).toMatchObject([{ state: 'suppressed', reason: MAIL_NOT_CONFIGURED }])
    await silence({ channel: 'email', serviceId: checkout.id })
    const silenced = await events.failed(await service('Checkout 2'), NIGHT)
    const both = await events.follow('service.reminder', checkout, unsent.incidentId as string, NIGHT)
    await notifyOf(database, mailing, [silenced, both])
    expect(await statesOf(silenced)).toEqual(['held'])
    expect(await statesOf(both)).toEqual(['suppressed'])
  })

  test('whose job was lost are repaired by the upkeep', async () => {
    const failed = await events.failed(await service('Checkout'), NIGHT)
    await notifyOf(database, mailing, [failed])
    await jobs.clear()
    await database.db
      .update(alertMessages)
      .set({ silencedUntil: new Date(Date.now() - 10 * MINUTE_MS) })
      .where(eq(alertMessages.eventId, failed.id))
    await repairMails(database.db, new Date())
    await endNight()
    expect(server.mails.filter(({ to }) => to.includes(ana.email))).toHaveLength(1)
  })
})
