import { v7 as uuidv7 } from 'uuid'
import { beforeEach, describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { alertMessages, certificates, incidents, lostAgents } from '#db/schema/alerts.ts'
import { maintenances } from '#db/schema/maintenances.ts'
import { memberships } from '#db/schema/organizations.ts'
import { grants, silences } from '#db/schema/scoped.ts'
import { MAIL_NOT_CONFIGURED } from '#server/alerts/mail/configured.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#server/durations.ts'
import {
  enqueueMailsOf,
  eventsIn,
  jobsIn,
  mailingWith,
  mailWorld,
  messagesOf,
  notifyOf,
  type StoredEvent,
} from '#test/support/alerts/alert-world.ts'
import { testDatabase } from '#test/support/database.ts'
import type { ServiceTree } from '#test/support/factories.ts'
import { sendQuietDigest } from '#worker/tasks/mail-digests.ts'

// One mail when quiet hours end, about what failed in them and still does.

const database = testDatabase()
const jobs = jobsIn(database)
const world = mailWorld(database)

type Project = ServiceTree['project'] & { workspaceId: string }

const statesOf = async (event: StoredEvent) => (await messagesOf(database, event)).map(({ state }) => state)

describe('quiet hours', () => {
  // Eight hours a day for Ana. The events happen in the middle of them, and they are over when the job runs: the test may
  // run at any time of the day.
  const START = new Date(Date.now() - 10 * HOUR_MS)
  START.setUTCMinutes(0, 0, 0)
  const NIGHT = new Date(START.getTime() + 4 * HOUR_MS)
  const END = new Date(START.getTime() + 8 * HOUR_MS)
  const QUIET = `FREQ=DAILY;BYHOUR=${START.getUTCHours()};BYMINUTE=0/480`

  const silence = (given: Partial<typeof silences.$inferInsert>) =>
    database.db.insert(silences).values({
      ...{
        id: uuidv7(),
        organizationId: world.ana.organizationId,
        membershipId: world.ana.membershipId,
        channel: 'quiet-hours',
      },
      ...given,
    })
  beforeEach(() => silence({ quietHours: QUIET }))

  async function endNight(by = world.mailing): Promise<void> {
    for (const job of await jobs.of('quiet')) {
      await jobs.remove(job)
      await Promise.all([1, 2, 3].map(() => sendQuietDigest(database.db, by, job.payload)))
    }
    await jobs.sendMails(by.settings)
  }
  const service = (name: string) => database.create.service(world.tree.project, { name })

  test('hold what failed until they end, and then send one mail with what still does', async () => {
    const [open, closed] = [await service('Open'), await service('Closed')]
    const made = [await world.events.failed(open, NIGHT), await world.events.failed(closed, NIGHT)]
    await notifyOf(database.db, world.mailing, made)
    for (const event of made) {
      expect(await messagesOf(database, event)).toMatchObject([
        { state: 'held', reason: 'quiet hours', silencedUntil: END, mailId: null },
      ])
    }
    const [job, ...others] = await jobs.of('quiet')
    expect(others).toEqual([])
    expect(job?.runAt).toEqual(END)
    const recovery = await world.events.follow('service.recovered', closed, made[1]?.incidentId as string, NIGHT)
    await notifyOf(database.db, world.mailing, [recovery])
    // A recovery is not repeated later.
    expect(await statesOf(recovery)).toEqual(['suppressed'])
    await endNight()
    const [mail, ...more] = world.server.mails
    expect(more).toEqual([])
    expect(mail?.subject).toBe('[Still failing] Open – status 500, expected 200')
    expect(mail?.text.replaceAll('\u200b', '').split('\n')[0]).toMatch(
      /^Open \(.*\) is still failing after .*: GET https.* This began during your quiet hours\.$/,
    )
    expect(mail?.headers).not.toHaveProperty('in-reply-to')
    expect(await messagesOf(database, made[0] as StoredEvent)).toMatchObject([{ state: 'sent', reason: null }])
    expect(await messagesOf(database, made[1] as StoredEvent)).toMatchObject([
      { state: 'suppressed', reason: 'the incident was over before the mail could be sent' },
    ])
  })

  test('send what somebody acknowledged meanwhile too, because the member does not know of it', async () => {
    const event = await world.events.failed(await service('Known'), NIGHT)
    await notifyOf(database.db, world.mailing, [event])
    await database.db
      .update(incidents)
      .set({ acknowledgedAt: new Date() })
      .where(eq(incidents.id, event.incidentId as string))
    await endNight()
    expect(world.server.mails.map(({ subject }) => subject)).toEqual([
      '[Still failing] Known – status 500, expected 200',
    ])
  })

  test('send one mail about services of several projects, certificates and agents', async () => {
    await database.db.update(memberships).set({ settings: 2 }).where(eq(memberships.id, world.ana.membershipId))
    const other = await database.create.project(world.tree.workspace, { name: 'Other' })
    const elsewhere = eventsIn(database, { ...world.tree, project: other })
    const [shop, search] = [await service('Shop'), await database.create.service(other, { name: 'Search' })]
    const [lost, back] = [uuidv7(), uuidv7()]
    const own = { organizationId: world.tree.organization.id }
    const made = [
      await world.events.failed(shop, NIGHT),
      await elsewhere.failed(search, NIGHT),
      await world.events.certificate(shop, NIGHT),
      await world.events.certificate(await service('Renewed'), NIGHT),
      await world.events.agent('agent.lost', lost, NIGHT),
      await world.events.agent('agent.lost', back, NIGHT),
    ]
    const notAfter = new Date(NIGHT.getTime() + 7 * DAY_MS)
    await database.db
      .insert(certificates)
      .values({ ...own, serviceId: shop.id, host: 'shop.example', notAfter, seenAt: NIGHT })
    await database.db.insert(lostAgents).values({ ...own, agentId: lost, lostAt: NIGHT })
    await notifyOf(database.db, world.mailing, made)
    await endNight()
    const [mail, ...more] = world.server.mails.filter(({ to }) => to.includes(world.ana.email))
    expect(more).toEqual([])
    expect(mail?.subject).toBe('[Quiet hours] 2 services still fail, 1 agent is lost, 1 certificate expires soon')
    const states = await Promise.all(
      made.map(async (event) =>
        (await messagesOf(database, event)).find((one) => one.membershipId === world.ana.membershipId),
      ),
    )
    expect(states.map((one) => one?.state)).toEqual(['sent', 'sent', 'sent', 'suppressed', 'sent', 'suppressed'])
    // Agents belong to no workspace.
    expect(mail?.text).toContain(`Stop mails about everything in ${world.tree.organization.name}`)
    expect(mail?.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
  })

  test.each<[string, (() => Promise<Project>) | null, subject: () => string]>([
    ['one service', null, () => 'the service Shop'],
    ['a project', async () => world.tree.project, () => `the project ${world.tree.project.name}`],
    [
      'a workspace',
      () => database.create.project(world.tree.workspace),
      () => `the workspace ${world.tree.workspace.name}`,
    ],
    [
      'several workspaces',
      async () => database.create.project(await database.create.workspace(world.tree.organization)),
      () => `everything in ${world.tree.organization.name}`,
    ],
  ])('let the reader stop mails about %s', async (_, create, about) => {
    const made = [await world.events.failed(await service('Shop'), NIGHT)]
    if (create) {
      const project = await create()
      const workspace = { id: project.workspaceId, name: world.tree.workspace.name }
      await database.create.grant(world.tree.organization, world.ana, { projectId: project.id, level: 1 })
      const search = await database.create.service(project, { name: 'Search' })
      made.push(await eventsIn(database, { ...world.tree, workspace, project } as ServiceTree).failed(search, NIGHT))
    }
    await notifyOf(database.db, world.mailing, made)
    await endNight()
    const [mail, ...more] = world.server.mails.filter(({ to }) => to.includes(world.ana.email))
    expect(more).toEqual([])
    expect(mail?.text.replaceAll('\u200b', '')).toContain(`Stop mails about ${about()}`)
  })

  test('begin the thread of an incident: later mails reply to the digest', async () => {
    const [shop, search] = [await service('Shop'), await service('Search')]
    const failed = await world.events.failed(shop, NIGHT)
    await notifyOf(database.db, world.mailing, [failed, await world.events.failed(search, NIGHT)])
    await endNight()
    const [digest] = world.server.mails.splice(0)
    await database.db.delete(silences)
    await enqueueMailsOf(database, world.mailing, [
      await world.events.follow('service.recovered', shop, failed.incidentId as string),
    ])
    await jobs.sendMails(world.mailing.settings)
    const [mail] = world.server.mails
    const id = digest?.headers['message-id']
    expect(id).toMatch(/^<[\w.-]+@probes\.example\.com>$/)
    expect(mail?.headers).toMatchObject({ 'in-reply-to': id, references: id })
  })

  test('send nothing when all recovered', async () => {
    const checkout = await service('Checkout')
    const failed = await world.events.failed(checkout, NIGHT)
    await notifyOf(database.db, world.mailing, [failed])
    await notifyOf(database.db, world.mailing, [
      await world.events.follow('service.recovered', checkout, failed.incidentId as string, NIGHT),
    ])
    await endNight()
    expect(world.server.mails).toEqual([])
    expect(await statesOf(failed)).toEqual(['suppressed'])
  })

  const losesGrant = () => database.db.delete(grants).where(eq(grants.membershipId, world.ana.membershipId))
  test.each<[string, () => Promise<unknown>, object]>([
    [
      'the member lost the access',
      losesGrant,
      { state: 'suppressed', reason: 'the member is no longer notified of it' },
    ],
    [
      'the member silenced the project since',
      () => silence({ channel: 'email', projectId: world.tree.ids.project }),
      { state: 'suppressed', reason: 'a silence' },
    ],
    [
      'the member left',
      () => database.db.update(memberships).set({ isActive: false }).where(eq(memberships.id, world.ana.membershipId)),
      { state: 'suppressed', reason: 'the member has left the organization' },
    ],
    [
      'other quiet hours began meanwhile',
      () =>
        silence({ quietHours: 'FREQ=DAILY;BYHOUR=0;BYMINUTE=0/1440', config: `{"until":"${soon().toISOString()}"}` }),
      { state: 'held', reason: 'quiet hours' },
    ],
  ])('send nothing when %s', async (_, change, outcome) => {
    const failed = await world.events.failed(await service('Checkout'), NIGHT)
    await notifyOf(database.db, world.mailing, [failed])
    await change()
    await endNight()
    expect(world.server.mails).toEqual([])
    const [message] = (await messagesOf(database, failed)).filter((one) => one.membershipId === world.ana.membershipId)
    expect(message).toMatchObject(outcome)
    const later = await jobs.of('quiet')
    expect(later.map(({ runAt }) => runAt)).toEqual(message?.state === 'held' ? [message.silencedUntil] : [])
  })

  test('wait for the end of a maintenance that began meanwhile, for the services that it covers', async () => {
    const [covered, other] = [await service('Covered'), await service('Other')]
    const made = [await world.events.failed(covered, NIGHT), await world.events.failed(other, NIGHT)]
    await notifyOf(database.db, world.mailing, made)
    const [own, startsAt, endsAt] = [{ organizationId: covered.organizationId, serviceId: covered.id }, NIGHT, soon()]
    const maintenance = { ...own, id: uuidv7(), mode: 'mute' as const, createdBy: uuidv7(), createdName: 'Ada' }
    await database.db.insert(maintenances).values({ ...maintenance, startsAt, endsAt })
    await endNight()
    expect(world.server.mails.map(({ subject }) => subject)).toEqual([
      '[Still failing] Other – status 500, expected 200',
    ])
    const event = made[0] as StoredEvent
    expect(await messagesOf(database, event)).toMatchObject([
      { state: 'held', reason: 'a maintenance', silencedUntil: endsAt, mailId: null },
    ])
    expect((await jobs.of('quiet')).map(({ runAt }) => runAt)).toEqual([endsAt])
    // The maintenance is over when the job runs.
    const past = new Date(Date.now() - MINUTE_MS)
    await database.db.update(maintenances).set({ endsAt: past }).where(eq(maintenances.id, maintenance.id))
    await database.db.update(alertMessages).set({ silencedUntil: past }).where(eq(alertMessages.eventId, event.id))
    await endNight()
    expect(world.server.mails.map(({ subject }) => subject).slice(1)).toEqual([
      '[Still failing] Covered – status 500, expected 200',
    ])
  })

  const soon = () => new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 5 * MINUTE_MS)

  test('hold nothing without a mail server, and nothing if they never end or a silence lasts longer', async () => {
    const checkout = await service('Checkout')
    const unsent = await world.events.failed(checkout, NIGHT)
    await notifyOf(database.db, world.mailing, [unsent])
    await endNight(mailingWith({}))
    expect(await messagesOf(database, unsent)).toMatchObject([{ state: 'suppressed', reason: MAIL_NOT_CONFIGURED }])
    await silence({ channel: 'email', serviceId: checkout.id })
    const silenced = await world.events.failed(await service('Checkout 2'), NIGHT)
    const both = await world.events.follow('service.reminder', checkout, unsent.incidentId as string, NIGHT)
    await notifyOf(database.db, world.mailing, [silenced, both])
    expect(await statesOf(silenced)).toEqual(['held'])
    expect(await statesOf(both)).toEqual(['suppressed'])
  })
})
