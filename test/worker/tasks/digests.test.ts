import { eq, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { alertMessages, certificates, incidents, lostAgents } from '#db/schema/alerts.ts'
import { memberships } from '#db/schema/organizations.ts'
import { grants, silences } from '#db/schema/scoped.ts'
import { DAY_MS, MINUTE_MS } from '#server/durations.ts'
import { MAIL_NOT_CONFIGURED } from '#server/mail/configured.ts'
import {
  eventsIn,
  jobsIn,
  mailingWith,
  messagesOf,
  notifyOf,
  type QueuedJob,
  type StoredEvent,
} from '#test/support/alert-world.ts'
import { testDatabase } from '#test/support/database.ts'
import type { Member, ServiceTree } from '#test/support/factories.ts'
import { type MailServer, startMailServer } from '#test/support/mail-server.ts'
import type { Mailing } from '#worker/tasks/alert-mail.ts'
import { notify } from '#worker/tasks/notify.ts'
import { repairMails } from '#worker/tasks/overdue-mails.ts'
import { sendQuietDigest } from '#worker/tasks/quiet-digest.ts'
import { type Change, mostServicesAround, othersBefore } from '#worker/tasks/storm.ts'
import { sendStormDigest } from '#worker/tasks/storm-digest.ts'

// One mail instead of many: when many services of a project change within a minute, and when quiet hours end.

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

type Named = { id: string; name: string }

const servicesNamed = (count: number): Promise<Named[]> =>
  Promise.all(
    Array.from({ length: count }, (_, index) =>
      database.create.service(tree.project, { name: `S${String(index).padStart(2, '0')}` }),
    ),
  )
const statesOf = async (event: StoredEvent) => (await messagesOf(database, event)).map(({ state }) => state)

/** Performs the digest jobs, as if the minute was over. */
async function sendDigests(): Promise<void> {
  for (const job of await jobs.of('digest')) {
    await jobs.remove(job)
    await sendStormDigest(database.db, mailing, job.payload)
  }
  await jobs.sendMails(mailing.settings)
}

describe('mostServicesAround', () => {
  const at = (...seconds: number[]): Change[] =>
    seconds.map((second, index) => ({ id: `e${index}`, serviceId: `s${index}`, at: second * 1_000 }))

  test.each<[string, Change[], time: number, number]>([
    ['an event alone', at(0), 0, 1],
    ['all at once', at(0, 0, 0, 0), 0, 4],
    ['the last of a minute', at(0, 20, 40, 59), 59, 4],
    ['the first of a minute', at(0, 20, 40, 59), 0, 4],
    ['one in the middle: only minutes that contain it', at(0, 30, 61, 89, 121), 61, 3],
    ['exactly a minute later is the next one', at(0, 60), 60, 1],
    ['a service that changes often counts once', at(1, 2, 3).map((one) => ({ ...one, serviceId: 's' })), 2_000, 1],
    ['nothing around', [], 0, 0],
  ])('%s', (_, changes, time, most) => {
    expect(mostServicesAround(changes, time < 1_000 ? time * 1_000 : time)).toBe(most)
  })
})

describe('othersBefore', () => {
  const change = (id: string, serviceId: string, second: number): Change => ({ id, serviceId, at: second * 1_000 })

  test.each<[string, Change[], number]>([
    ['nothing before', [], 0],
    ['itself does not count', [change('e5', 's', 60)], 0],
    ['others at the same time count by id', [change('e4', 'a', 60), change('e6', 'b', 60)], 1],
    ['others within the minute', [change('e1', 'a', 1), change('e2', 'b', 30), change('e3', 'c', 59)], 3],
    ['exactly a minute before is not within it', [change('e1', 'a', 0)], 0],
    ['later changes do not count', [change('e9', 'a', 61)], 0],
    ['a service counts once, the own never', [change('e1', 'a', 5), change('e2', 'a', 6), change('e3', 's', 7)], 1],
  ])('%s', (_, changes, count) => {
    expect(othersBefore(changes, change('e5', 's', 60))).toBe(count)
  })
})

describe('a storm', () => {
  /** Seconds at which a service of a project changes. `stored` says whether all are stored before the first is notified. */
  test.each<
    [string, { offsets: number[]; stored: 'at once' | 'one by one' }, { now: number; later: number; digests: number[] }]
  >([
    ['three services at once', { offsets: Array(3).fill(0), stored: 'at once' }, { now: 3, later: 0, digests: [] }],
    ['ten services at once', { offsets: Array(10).fill(0), stored: 'at once' }, { now: 3, later: 7, digests: [] }],
    ['eleven services at once', { offsets: Array(11).fill(0), stored: 'at once' }, { now: 0, later: 0, digests: [11] }],
    [
      'eleven within a minute, stored before they are notified',
      { offsets: Array.from({ length: 11 }, (_, index) => index * 5), stored: 'at once' },
      { now: 0, later: 0, digests: [11] },
    ],
    [
      'a trickle: the first three go out, the digest names them too',
      { offsets: Array.from({ length: 14 }, (_, index) => index * 4), stored: 'one by one' },
      { now: 3, later: 0, digests: [14] },
    ],
    [
      'a trickle of ten',
      { offsets: Array.from({ length: 10 }, (_, index) => index * 4), stored: 'one by one' },
      { now: 3, later: 7, digests: [] },
    ],
    [
      'three in any minute',
      { offsets: Array.from({ length: 8 }, (_, index) => index * 20), stored: 'one by one' },
      { now: 8, later: 0, digests: [] },
    ],
    [
      'fewer than eleven in any minute',
      { offsets: Array.from({ length: 20 }, (_, index) => index * 7), stored: 'at once' },
      { now: 3, later: 17, digests: [] },
    ],
  ])('%s', async (_, { offsets, stored }, { now, later, digests }) => {
    const services = await servicesNamed(offsets.length)
    const start = Date.now() - 10 * MINUTE_MS
    const made: StoredEvent[] = []
    for (const [index, offset] of offsets.entries()) {
      made.push(await events.failed(services[index] as { id: string; name: string }, new Date(start + offset * 1_000)))
      if (stored === 'one by one') await notifyOf(database, mailing, made.slice(-1))
    }
    if (stored === 'at once') await notifyOf(database, mailing, made)
    await jobs.sendMails(mailing.settings)
    expect(server.mails).toHaveLength(now)
    await sendDigests()
    const sizes = server.mails.flatMap(({ subject }) => /– (\d+) services failed$/.exec(subject)?.[1] ?? [])
    expect(sizes.map(Number)).toEqual(digests)
    expect(server.mails).toHaveLength(now + later + digests.length)
    for (const event of made) expect(await statesOf(event)).toEqual(['sent'])
  })

  test('of two projects is two digests, and a few of each are single mails', async () => {
    const other = await database.create.project(tree.workspace)
    const elsewhere = eventsIn(database, { ...tree, project: other })
    const made: StoredEvent[] = []
    for (const service of await servicesNamed(6)) made.push(await events.failed(service))
    for (let index = 0; index < 6; index++) {
      made.push(await elsewhere.failed(await database.create.service(other, { name: `T${index}` })))
    }
    await notifyOf(database, mailing, made)
    await jobs.sendMails(mailing.settings)
    expect(server.mails).toHaveLength(6)
    await sendDigests()
    expect(server.mails).toHaveLength(12)
    expect(server.mails.filter(({ subject }) => !/^\[Failed\] [ST]\d+ – status 500/.test(subject))).toEqual([])
  })

  test('lists the worst first, what recovered last, and lets the reader stop mails about the project', async () => {
    const services = await servicesNamed(13)
    const [first, second, ...others] = services
    const now = Date.now()
    const recovered = await events.follow('service.recovered', first as { id: string; name: string }, uuidv7())
    const old = await events.failed(second as { id: string; name: string }, new Date(now - 30_000))
    const made = [recovered, old]
    for (const service of others) made.push(await events.failed(service, new Date(now - 1_000)))
    await notifyOf(database, mailing, made)
    await sendDigests()
    const [mail, ...more] = server.mails
    expect(more).toEqual([])
    expect(mail?.subject).toBe(`[Failed] ${tree.project.name} – 12 services failed, 1 recovered`)
    const text = (mail?.text ?? '').replaceAll('\u200b', '')
    expect(text.split('\n')[0]).toBe(
      `12 services failed, 1 recovered in ${tree.workspace.name} / ${tree.project.name}, within a minute.`,
    )
    const order = [...text.matchAll(/^- (S\d\d): (.*)$/gm)].map(([, name]) => name)
    expect(order).toHaveLength(13)
    expect([order[0], order.at(-1)]).toEqual(['S01', 'S00'])
    expect(text).toMatch(/Failed \(12\):[\s\S]*GET https:\/\/shop\.example\/cart: status 500[\s\S]*Recovered \(1\):/)
    expect(text).toContain('https://probes.example.com/incidents')
    expect(text).toContain(`Stop mails about the project ${tree.project.name}`)
    expect(mail?.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
    expect(mail?.html).toContain('S01')
  })

  test('of hundreds of services is one mail that lists the first hundred, sent once by many workers', async () => {
    const services = await servicesNamed(120)
    const made: StoredEvent[] = []
    for (const service of services) made.push(await events.failed(service))
    // Every event is notified by two workers, eight at a time.
    const ids = [...made, ...made].map(({ id }) => id).values()
    const work = async () => {
      for (const eventId of ids) await notify(database.db, mailing, { eventId })
    }
    await Promise.all(Array.from({ length: 8 }, work))
    const [job, ...others] = await jobs.of('digest')
    expect(others).toEqual([])
    expect(job?.key).toBe(`digest:${ana.membershipId}:${tree.ids.project}`)
    await Promise.all(Array.from({ length: 5 }, () => sendStormDigest(database.db, mailing, job?.payload)))
    await jobs.sendMails(mailing.settings)
    const [mail, ...more] = server.mails
    expect(more).toEqual([])
    expect(mail?.subject).toContain('120 services failed')
    expect(mail?.text).toContain('and 20 more')
    const rows = await database.db.select().from(alertMessages).where(eq(alertMessages.membershipId, ana.membershipId))
    expect(rows).toHaveLength(120)
    expect(new Set(rows.map(({ state, mailId }) => `${state} ${mailId}`)).size).toBe(1)
    expect(rows[0]?.state).toBe('sent')
  })

  test('gathers for a minute from the first message on, and what comes later goes into the next digest', async () => {
    const services = await servicesNamed(12)
    const made: StoredEvent[] = []
    for (const service of services) made.push(await events.failed(service))
    await notifyOf(database, mailing, made.slice(0, 1))
    const [first] = await jobs.of('digest')
    expect(Math.abs((first?.runAt.getTime() ?? 0) - Date.now() - MINUTE_MS)).toBeLessThan(20_000)
    await notifyOf(database, mailing, made.slice(1))
    expect((await jobs.of('digest')).map(({ runAt }) => runAt)).toEqual([first?.runAt])
    await sendDigests()
    expect(server.mails).toHaveLength(1)
    const late = [await events.failed(...(await servicesNamedLate()))]
    late.push(await events.certificate(services[0] as { id: string; name: string }))
    await notifyOf(database, mailing, late)
    await sendDigests()
    expect(server.mails).toHaveLength(2)
    expect(server.mails[1]?.subject).toContain('1 service failed, 1 certificate expires soon')
  })

  const servicesNamedLate = async () => [await database.create.service(tree.project, { name: 'Late' })] as const

  type State = 'failed' | 'recovered' | 'failed again'
  /** How a service is told of that had failed before the digest, by what happened until then and whether it was mailed. */
  test.each<[State, 'mailed' | 'gathered' | 'unmailed', listed: string | null, states: string[]]>([
    ['failed', 'gathered', 'Failed', ['sent']],
    ['recovered', 'gathered', 'Recovered', ['sent', 'sent']],
    ['recovered', 'mailed', 'Recovered', ['sent', 'sent']],
    ['recovered', 'unmailed', null, ['suppressed']],
    ['failed again', 'gathered', 'Failed', ['sent', 'sent', 'sent']],
    ['failed again', 'unmailed', null, ['suppressed', 'suppressed']],
  ])('shows its time: a service that has %s, %s, is listed under %s', async (state, how, listed, states) => {
    const made: StoredEvent[] = []
    const [one, ...others] = (await servicesNamed(13)) as [Named, ...Named[]]
    for (const service of others) made.push(await events.failed(service))
    // All in one millisecond: then the order of their ids counts.
    const at = new Date()
    const own = [await events.failed(one, at)]
    const recover = () => events.follow('service.recovered', one, own[0]?.incidentId as string, at)
    if (state === 'failed again') {
      own.push(await recover())
      // The new failure is not announced to the member if it is unmailed.
      const again = await events.failed(one, at)
      if (how !== 'unmailed') own.push(again)
    } else if (state === 'recovered') {
      const recovery = await recover()
      if (how !== 'unmailed') own.push(recovery)
    }
    await notifyOf(database, mailing, [...made, ...own])
    if (how === 'mailed') {
      const mailId = uuidv7()
      const sent = { state: 'sent' as const, mailId, sentAt: new Date() }
      const of = own.at(-1) as StoredEvent
      await database.db.update(alertMessages).set(sent).where(eq(alertMessages.eventId, of.id))
    }
    await sendDigests()
    const [mail, ...more] = server.mails
    expect(more).toEqual([])
    const text = (mail?.text ?? '').replaceAll('\u200b', '')
    const heading = text.slice(0, text.indexOf('- S00: ')).match(/^\w+(?= \(\d+\):$)/gm)
    expect(text.includes('- S00: ') ? heading?.at(-1) : null).toBe(listed)
    expect((await Promise.all(own.map(statesOf))).flat()).toEqual(states)
  })

  test('of a few services sends no failure that is over, only the recovery', async () => {
    const [first, ...others] = (await servicesNamed(5)) as [Named, ...Named[]]
    const made: StoredEvent[] = []
    for (const service of others) made.push(await events.failed(service))
    const failed = await events.failed(first)
    await notifyOf(database, mailing, [...made, failed])
    const recovered = await events.follow('service.recovered', first, failed.incidentId as string)
    await notifyOf(database, mailing, [recovered])
    await sendDigests()
    expect(server.mails.map(({ subject }) => subject).filter((subject) => subject.includes(first.name))).toEqual([
      '[Recovered] S00 – down for 2 h 5 min',
    ])
    expect(await messagesOf(database, failed)).toMatchObject([
      { state: 'suppressed', reason: 'the incident was over before the mail could be sent' },
    ])
  })

  test('names every certificate of a service', async () => {
    const made: StoredEvent[] = []
    for (const service of await servicesNamed(11)) {
      for (const host of ['a.example', 'b.example']) made.push(await events.certificate(service, new Date(), host))
    }
    await notifyOf(database, mailing, made)
    await sendDigests()
    const [mail, ...more] = server.mails
    expect(more).toEqual([])
    expect(mail?.subject).toBe(`[Certificate] ${tree.project.name} – 22 certificates expire soon`)
    const listed = [...(mail?.text ?? '').replaceAll('\u200b', '').matchAll(/^- S00: (\w\.example)/gm)]
    expect(listed.map(([, host]) => host)).toEqual(['a.example', 'b.example'])
  })

  test('is not sent to a member who left meanwhile', async () => {
    const made: StoredEvent[] = []
    for (const service of await servicesNamed(11)) made.push(await events.failed(service))
    await notifyOf(database, mailing, made)
    await database.db.update(memberships).set({ isActive: false }).where(eq(memberships.id, ana.membershipId))
    await sendDigests()
    expect(server.mails).toEqual([])
    expect(await statesOf(made[0] as StoredEvent)).toEqual(['suppressed'])
  })

  test('whose job was lost is repaired by the upkeep', async () => {
    const made: StoredEvent[] = []
    for (const service of await servicesNamed(11)) made.push(await events.failed(service))
    await notifyOf(database, mailing, made)
    await jobs.clear()
    await repairMails(database.db, new Date())
    expect(await jobs.of('digest')).toEqual([])
    await database.db.update(alertMessages).set({ createdAt: new Date(Date.now() - 10 * MINUTE_MS) })
    await repairMails(database.db, new Date())
    await sendDigests()
    expect(server.mails).toHaveLength(1)
    // A mail whose job is gone was given up.
    const event = await events.failed(...(await servicesNamedLate()))
    await database.db.insert(alertMessages).values({
      ...{ id: uuidv7(), organizationId: tree.organization.id, eventId: event.id, channel: 'email', heardThrough: [] },
      ...{ membershipId: ana.membershipId, state: 'pending', mailId: uuidv7({ msecs: Date.now() - 4 * DAY_MS }) },
    })
    await repairMails(database.db, new Date())
    expect(await messagesOf(database, event)).toMatchObject([
      { state: 'failed', reason: 'all attempts to send it failed' },
    ])
  })
})

test('the repair goes on when one of the digests is just being sent', async () => {
  await database.create.member(tree.organization, { grants: [{ workspaceId: tree.ids.workspace, level: 1 }] })
  const made: StoredEvent[] = []
  for (const service of await servicesNamed(11)) made.push(await events.failed(service))
  await notifyOf(database, mailing, made)
  const [mine, other, ...more] = await jobs.of('digest')
  expect(more).toEqual([])
  await jobs.remove(other as QueuedJob)
  await database.db.update(alertMessages).set({ createdAt: new Date(Date.now() - 10 * MINUTE_MS) })
  // A worker takes the job while the repair waits for its row.
  const { repaired } = await database.db.transaction(async (tx) => {
    await tx.execute(sql`update graphile_worker._private_jobs set locked_at = now(), locked_by = 'other'
      where id = ${mine?.id as string}`)
    const repaired = repairMails(database.db, new Date())
    const isWaiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(async () => (await tx.execute(isWaiting)).length, { timeout: 20_000 }).toBeGreaterThan(0)
    return { repaired }
  })
  await repaired
  expect((await jobs.of('digest')).map(({ key }) => key)).toContain(other?.key)
})

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
    // The thread of the incident begins with this mail.
    expect(mail?.headers['message-id']).toBe(`<incident.${made[0]?.incidentId}.${ana.membershipId}@probes.example.com>`)
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
    // No single click can stop mails about several projects.
    expect(mail?.headers).not.toHaveProperty('list-unsubscribe')
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
