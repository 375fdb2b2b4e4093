import { eq, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { alertMessages } from '#db/schema/alerts.ts'
import { memberships } from '#db/schema/organizations.ts'
import { DAY_MS, MINUTE_MS } from '#server/durations.ts'
import {
  eventsIn,
  jobsIn,
  mailWorld,
  messagesOf,
  notifyOf,
  type QueuedJob,
  type StoredEvent,
} from '#test/support/alert-world.ts'
import { testDatabase } from '#test/support/database.ts'
import { repairMails } from '#worker/tasks/overdue-mails.ts'
import { type Change, type Decision, decide, type Gathered, mostServicesInMinute } from '#worker/tasks/storm.ts'
import { sendGathered } from '#worker/tasks/storm-digest.ts'

// One mail instead of many, when many services of a project change within a minute.

const database = testDatabase()
const jobs = jobsIn(database)
const world = mailWorld(database)

type Named = { id: string; name: string }

const servicesNamed = (count: number): Promise<Named[]> =>
  Promise.all(
    Array.from({ length: count }, (_, index) =>
      database.create.service(world.tree.project, { name: `S${String(index).padStart(2, '0')}` }),
    ),
  )
const statesOf = async (event: StoredEvent) => (await messagesOf(database, event)).map(({ state }) => state)

/** The start of a storm. Its jobs are performed at their times, whatever the clock says. */
const START = new Date(Date.now() - 60 * MINUTE_MS)
const timeOf = (second: number) => new Date(START.getTime() + Math.round(second * 1_000))
type Sent = { subject: string; second: number }
const singles = (count: number, second: number) =>
  Array.from({ length: count }, (): [services: number, second: number] => [1, second])

/** When all messages of this moment have waited long enough. */
const afterwards = () => new Date(Date.now() + 2 * MINUTE_MS)

/** Performs the digest jobs, as if the minute was over. */
async function sendDigests(): Promise<void> {
  await jobs.sendGathered(world.mailing, afterwards())
  await jobs.sendMails(world.mailing.settings)
}

const SECOND_MS = 1_000
const times = (count: number, everySeconds: number) => Array.from({ length: count }, (_, index) => index * everySeconds)

describe('mostServicesInMinute', () => {
  const at = (...seconds: number[]): Change[] =>
    seconds.map((second, index) => ({ serviceId: `s${index}`, at: second * SECOND_MS }))

  test.each<[string, Change[], number]>([
    ['nothing', [], 0],
    ['an event alone', at(0), 1],
    ['all at once', at(0, 0, 0, 0), 4],
    ['within a minute', at(0, 20, 40, 59), 4],
    ['exactly a minute later is the next one', at(0, 60), 1],
    ['the fullest minute counts', at(0, 30, 61, 89, 90, 151), 3],
    ['a service that changes often counts once', at(1, 2, 3).map((one) => ({ ...one, serviceId: 's' })), 1],
  ])('%s', (_, changes, most) => {
    expect(mostServicesInMinute(changes)).toBe(most)
  })
})

describe('decide', () => {
  const gathered = (seconds: number[], given: Partial<Gathered> = {}): Gathered => ({
    since: (seconds[0] as number) * SECOND_MS,
    storedAt: 0,
    changes: seconds.map((second, index) => ({ serviceId: `s${index}`, at: second * SECOND_MS })),
    isFollowing: false,
    isIncomplete: false,
    ...given,
  })
  const following = { isFollowing: true }
  const later = (second: number): Decision => ({ waitUntil: second * SECOND_MS })

  test.each<[string, Gathered, nowSeconds: number, Decision]>([
    ['a change by itself waits for a second', gathered([0]), 0.5, later(1)],
    ['and is mailed then', gathered([0]), 1, 'first'],
    ['the first of ten', gathered(times(10, 0)), 1, 'first'],
    ['eleven at once wait for a second without changes', gathered(times(11, 0.09)), 1, later(1.9)],
    ['and are one mail then', gathered(times(11, 0.09)), 1.9, 'digest'],
    ['a storm that goes on waits for ten seconds at most', gathered(times(40, 0.25)), 9.9, later(10)],
    ['and is one mail then', gathered(times(40, 0.25)), 10, 'digest'],
    ['changes after a mail wait for ten seconds', gathered([5], following), 6, later(15)],
    ['and are mailed singly then', gathered([5], following), 15, 'each'],
    ['five services wait for ten seconds', gathered([0, 9, 18, 27, 36], following), 37, later(46)],
    ['more wait for a minute', gathered([0, 9, 18, 27, 36, 45], following), 55, later(60)],
    ['and are mailed singly then', gathered([0, 9, 18, 27, 36, 45], following), 60, 'each'],
    ['a service that changes often waits for a minute at most', gathered(times(20, 3), following), 59, later(60)],
    ['a storm after a mail waits for ten seconds without changes', gathered(times(11, 1), following), 19, later(20)],
    ['and is one mail then', gathered(times(11, 1), following), 20, 'digest'],
    ['a storm waits for messages to be stored', gathered(times(11, 0), { isIncomplete: true }), 5, later(6)],
    ['for ten seconds', gathered(times(11, 0), { isIncomplete: true }), 10, 'digest'],
    ['a change by itself does not', gathered([0], { isIncomplete: true }), 1, 'first'],
  ])('%s', (_, given, now, decision) => {
    expect(decide(given, now * SECOND_MS)).toEqual(decision)
  })
})

describe('a storm', () => {
  type Change_ = { second: number; make: () => Promise<StoredEvent> }

  /**
   * Lets events happen at their seconds, and performs the jobs when they are due. Returns the mails with the seconds at
   * which they were sent.
   */
  async function play(changes: Change_[], untilSecond = 180): Promise<Sent[]> {
    const sent: Sent[] = []
    const waiting = changes.toSorted((a, b) => a.second - b.second)
    for (let second = 0; second <= untilSecond; second = await nextSecond(second, waiting[0]?.second)) {
      const made: StoredEvent[] = []
      while (waiting[0] && waiting[0].second <= second) made.push(await (waiting.shift() as Change_).make())
      await notifyOf(database.db, world.mailing, made)
      await jobs.sendGathered(world.mailing, timeOf(second))
      await jobs.sendMails(world.mailing.settings)
      for (const { subject } of world.server.mails.slice(sent.length)) sent.push({ subject, second })
    }
    return sent
  }

  /** Returns the time of the next job or change, or infinity. */
  async function nextSecond(now: number, change = Infinity): Promise<number> {
    const due = (await jobs.of('digest')).map(({ runAt }) => (runAt.getTime() - START.getTime()) / SECOND_MS)
    return Math.max(now + 0.001, Math.min(change, ...due))
  }

  const sizeOf = ({ subject }: Sent) => Number(/– (\d+) services failed$/.exec(subject)?.[1] ?? 1)

  /** The seconds at which the services of a project fail, and the mails: how many services each names, and when. */
  test.each<[string, number[], mails: [services: number, second: number][]]>([
    ['one service', [0], [[1, 1]]],
    [
      'one service, then another after a minute',
      [0, 60],
      [
        [1, 1],
        [1, 61],
      ],
    ],
    [
      'two services at once',
      [0, 0],
      [
        [1, 1],
        [1, 10],
      ],
    ],
    [
      'two within a minute',
      [0, 40],
      [
        [1, 1],
        [1, 50],
      ],
    ],
    ['ten at once', times(10, 0), [[1, 1], ...singles(9, 60)]],
    ['ten in a minute', times(10, 6), [[1, 1], ...singles(9, 66)]],
    ['eleven at once', times(11, 0), [[11, 1]]],
    ['eleven within a second', times(11, 0.09), [[11, 1.9]]],
    [
      'eleven in ten seconds',
      times(11, 1),
      [
        [1, 1],
        [11, 20],
      ],
    ],
    [
      'eleven in 59 seconds',
      times(11, 5.9),
      [
        [1, 1],
        [11, 65.9],
      ],
    ],
    [
      'six, and five more after a pause',
      [0, 1, 2, 3, 4, 5, 35, 36, 37, 38, 39],
      [
        [1, 1],
        [11, 61],
      ],
    ],
    [
      'twelve at once, and ten in the next seconds',
      [...times(12, 0), ...times(10, 2).map((at) => at + 2)],
      [
        [12, 1],
        [10, 30],
      ],
    ],
    ['three in any minute', times(8, 20), times(8, 20).map((at): [number, number] => [1, at === 0 ? 1 : at + 10])],
  ])('%s', async (_, seconds, mails) => {
    const services = await servicesNamed(seconds.length)
    const sent = await play(
      seconds.map((second, index) => ({
        second,
        make: () => world.events.failed(services[index] as Named, timeOf(second)),
      })),
    )
    expect(sent.map((mail) => [sizeOf(mail), mail.second])).toEqual(mails)
    const rows = await database.db
      .select()
      .from(alertMessages)
      .where(eq(alertMessages.membershipId, world.ana.membershipId))
    expect(rows.map(({ state }) => state)).toEqual(seconds.map(() => 'sent'))
  })

  test('of each of two projects is a mail of its own', async () => {
    const other = await database.create.project(world.tree.workspace)
    const elsewhere = eventsIn(database, { ...world.tree, project: other })
    const changes: Change_[] = []
    for (const service of await servicesNamed(12)) {
      const twin = await database.create.service(other, { name: `T${service.name}` })
      const at = timeOf(0)
      changes.push({ second: 0, make: () => world.events.failed(service, at) })
      changes.push({ second: 0, make: () => elsewhere.failed(twin, at) })
    }
    const sent = await play(changes)
    expect(sent.map((mail) => [sizeOf(mail), mail.second])).toEqual([
      [12, 1],
      [12, 1],
    ])
  })

  test('does not delay the recovery of a service by itself, and others only shortly', async () => {
    const [first, second] = (await servicesNamed(2)) as [Named, Named]
    let [one, two]: StoredEvent[] = []
    const sent = await play([
      { second: 0, make: async () => (one = await world.events.failed(first, timeOf(0))) },
      {
        second: 20,
        make: () => world.events.follow('service.recovered', first, one?.incidentId as string, timeOf(20)),
      },
      { second: 40, make: async () => (two = await world.events.failed(second, timeOf(40))) },
      {
        second: 55,
        make: () => world.events.follow('service.recovered', second, two?.incidentId as string, timeOf(55)),
      },
    ])
    expect(sent.map(({ subject, second }) => [subject.split(' – ')[0], second])).toEqual([
      ['[Failed] S00', 1],
      ['[Recovered] S00', 21],
      ['[Failed] S01', 50],
      ['[Recovered] S01', 65],
    ])
  })

  test('begins the thread of its incidents, and joins that of the first one', async () => {
    const services = await servicesNamed(11)
    const made: StoredEvent[] = []
    for (const service of services) made.push(await world.events.failed(service, timeOf(made.length)))
    await play(
      made.map((event, second) => ({ second, make: async () => event })),
      60,
    )
    const [early, digest, ...more] = world.server.mails.splice(0).map(({ headers }) => headers)
    expect(more).toEqual([])
    expect(early).not.toHaveProperty('in-reply-to')
    expect(digest?.['in-reply-to']).toBe(early?.['message-id'])
    for (const [index, starts] of [
      [0, early],
      [5, digest],
    ] as const) {
      const at = timeOf(200 + index * 100)
      const own = made[index]?.incidentId as string
      await notifyOf(database.db, world.mailing, [
        await world.events.follow('service.recovered', services[index] as Named, own, at),
      ])
      await jobs.sendGathered(world.mailing, new Date(at.getTime() + SECOND_MS))
      await jobs.sendMails(world.mailing.settings)
      const [mail] = world.server.mails.splice(0)
      expect(mail?.subject).toMatch(/^\[Recovered\] S0\d/)
      const id = starts?.['message-id']
      expect(mail?.headers).toMatchObject({ 'in-reply-to': id, references: id })
    }
  })

  test('lists the worst first, what recovered last, and lets the reader stop mails about the project', async () => {
    const services = await servicesNamed(13)
    const [first, second, ...others] = services
    const now = Date.now()
    const recovered = await world.events.follow('service.recovered', first as { id: string; name: string }, uuidv7())
    const old = await world.events.failed(second as { id: string; name: string }, new Date(now - 30_000))
    const made = [recovered, old]
    for (const service of others) made.push(await world.events.failed(service, new Date(now - 1_000)))
    await notifyOf(database.db, world.mailing, made)
    await sendDigests()
    const [mail, ...more] = world.server.mails
    expect(more).toEqual([])
    expect(mail?.subject).toBe(`[Failed] ${world.tree.project.name} – 12 services failed, 1 recovered`)
    const text = (mail?.text ?? '').replaceAll('\u200b', '')
    expect(text.split('\n')[0]).toBe(
      `12 services failed, 1 recovered in ${world.tree.workspace.name} / ${world.tree.project.name}, within a minute.`,
    )
    const order = [...text.matchAll(/^- (S\d\d): (.*)$/gm)].map(([, name]) => name)
    expect(order).toHaveLength(13)
    expect([order[0], order.at(-1)]).toEqual(['S01', 'S00'])
    expect(text).toMatch(/Failed \(12\):[\s\S]*GET https:\/\/shop\.example\/cart: status 500[\s\S]*Recovered \(1\):/)
    expect(text).toContain('https://probes.example.com/incidents')
    expect(text).toContain(`Stop mails about the project ${world.tree.project.name}`)
    expect(mail?.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click')
    expect(mail?.html).toContain('S01')
  })

  test('of hundreds of services is one mail that lists the first hundred, sent once by many workers', async () => {
    const services = await servicesNamed(120)
    const made: StoredEvent[] = []
    for (const service of services) made.push(await world.events.failed(service))
    // Every event is notified by two workers, eight at a time.
    const ids = [...made, ...made].map(({ id }) => id).values()
    const work = async () => {
      for (const id of ids) await notifyOf(database.db, world.mailing, [{ id }])
    }
    await Promise.all(Array.from({ length: 8 }, work))
    const [job, ...others] = await jobs.of('digest')
    expect(others).toEqual([])
    expect(job?.key).toBe(`digest:${world.ana.membershipId}:${world.tree.ids.project}`)
    await Promise.all(
      Array.from({ length: 5 }, () => sendGathered(database.db, world.mailing, job?.payload, afterwards())),
    )
    await jobs.sendMails(world.mailing.settings)
    const [mail, ...more] = world.server.mails
    expect(more).toEqual([])
    expect(mail?.subject).toContain('120 services failed')
    expect(mail?.text).toContain('and 20 more')
    const rows = await database.db
      .select()
      .from(alertMessages)
      .where(eq(alertMessages.membershipId, world.ana.membershipId))
    expect(rows).toHaveLength(120)
    expect(new Set(rows.map(({ state, mailId }) => `${state} ${mailId}`)).size).toBe(1)
    expect(rows[0]?.state).toBe('sent')
  })

  test('has one job from its first message on, and what comes later goes into the next digest', async () => {
    const services = await servicesNamed(12)
    const at = new Date()
    const made: StoredEvent[] = []
    for (const service of services) made.push(await world.events.failed(service, at))
    await notifyOf(database.db, world.mailing, made.slice(0, 1))
    const [first] = await jobs.of('digest')
    expect(first?.runAt).toEqual(new Date(at.getTime() + SECOND_MS))
    await notifyOf(database.db, world.mailing, made.slice(1))
    expect((await jobs.of('digest')).map(({ runAt }) => runAt)).toEqual([first?.runAt])
    await sendDigests()
    expect(world.server.mails).toHaveLength(1)
    const late = [await world.events.failed(...(await servicesNamedLate()))]
    late.push(await world.events.certificate(services[0] as { id: string; name: string }))
    await notifyOf(database.db, world.mailing, late)
    await sendDigests()
    expect(world.server.mails).toHaveLength(2)
    expect(world.server.mails[1]?.subject).toContain('1 service failed, 1 certificate expires soon')
  })

  const servicesNamedLate = async () => [await database.create.service(world.tree.project, { name: 'Late' })] as const

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
    for (const service of others) made.push(await world.events.failed(service))
    // All in one millisecond: then the order of their ids counts.
    const at = new Date()
    const own = [await world.events.failed(one, at)]
    const recover = () => world.events.follow('service.recovered', one, own[0]?.incidentId as string, at)
    if (state === 'failed again') {
      own.push(await recover())
      // The new failure is not announced to the member if it is unmailed.
      const again = await world.events.failed(one, at)
      if (how !== 'unmailed') own.push(again)
    } else if (state === 'recovered') {
      const recovery = await recover()
      if (how !== 'unmailed') own.push(recovery)
    }
    await notifyOf(database.db, world.mailing, [...made, ...own])
    if (how === 'mailed') {
      const mailId = uuidv7()
      const sent = { state: 'sent' as const, mailId, sentAt: new Date() }
      const of = own.at(-1) as StoredEvent
      await database.db.update(alertMessages).set(sent).where(eq(alertMessages.eventId, of.id))
    }
    await sendDigests()
    const [mail, ...more] = world.server.mails
    expect(more).toEqual([])
    const text = (mail?.text ?? '').replaceAll('\u200b', '')
    const heading = text.slice(0, text.indexOf('- S00: ')).match(/^\w+(?= \(\d+\):$)/gm)
    expect(text.includes('- S00: ') ? heading?.at(-1) : null).toBe(listed)
    expect((await Promise.all(own.map(statesOf))).flat()).toEqual(states)
  })

  test('of a few services sends no failure that is over, only the recovery', async () => {
    const [first, ...others] = (await servicesNamed(5)) as [Named, ...Named[]]
    const made: StoredEvent[] = []
    for (const service of others) made.push(await world.events.failed(service))
    const failed = await world.events.failed(first)
    await notifyOf(database.db, world.mailing, [...made, failed])
    const recovered = await world.events.follow('service.recovered', first, failed.incidentId as string)
    await notifyOf(database.db, world.mailing, [recovered])
    await sendDigests()
    expect(world.server.mails.map(({ subject }) => subject).filter((subject) => subject.includes(first.name))).toEqual([
      '[Recovered] S00 – down for 2 h 5 min',
    ])
    expect(await messagesOf(database, failed)).toMatchObject([
      { state: 'suppressed', reason: 'the incident was over before the mail could be sent' },
    ])
  })

  test('names every certificate of a service', async () => {
    const made: StoredEvent[] = []
    for (const service of await servicesNamed(11)) {
      for (const host of ['a.example', 'b.example'])
        made.push(await world.events.certificate(service, new Date(), host))
    }
    await notifyOf(database.db, world.mailing, made)
    await sendDigests()
    const [mail, ...more] = world.server.mails
    expect(more).toEqual([])
    expect(mail?.subject).toBe(`[Certificate] ${world.tree.project.name} – 22 certificates expire soon`)
    const listed = [...(mail?.text ?? '').replaceAll('\u200b', '').matchAll(/^- S00: (\w\.example)/gm)]
    expect(listed.map(([, host]) => host)).toEqual(['a.example', 'b.example'])
  })

  test('is not sent to a member who left meanwhile', async () => {
    const made: StoredEvent[] = []
    for (const service of await servicesNamed(11)) made.push(await world.events.failed(service))
    await notifyOf(database.db, world.mailing, made)
    await database.db.update(memberships).set({ isActive: false }).where(eq(memberships.id, world.ana.membershipId))
    await sendDigests()
    expect(world.server.mails).toEqual([])
    expect(await statesOf(made[0] as StoredEvent)).toEqual(['suppressed'])
  })

  test('whose job was lost is repaired by the upkeep', async () => {
    const made: StoredEvent[] = []
    for (const service of await servicesNamed(11)) made.push(await world.events.failed(service))
    await notifyOf(database.db, world.mailing, made)
    await jobs.clear()
    await repairMails(database.db, new Date())
    expect(await jobs.of('digest')).toEqual([])
    await database.db.update(alertMessages).set({ createdAt: new Date(Date.now() - 10 * MINUTE_MS) })
    await repairMails(database.db, new Date())
    await sendDigests()
    expect(world.server.mails).toHaveLength(1)
    // A mail whose job is gone was given up.
    const event = await world.events.failed(...(await servicesNamedLate()))
    await database.db.insert(alertMessages).values({
      ...{
        id: uuidv7(),
        organizationId: world.tree.organization.id,
        eventId: event.id,
        channel: 'email',
        heardThrough: [],
      },
      ...{ membershipId: world.ana.membershipId, state: 'pending', mailId: uuidv7({ msecs: Date.now() - 4 * DAY_MS }) },
    })
    await repairMails(database.db, new Date())
    expect(await messagesOf(database, event)).toMatchObject([
      { state: 'failed', reason: 'all attempts to send it failed' },
    ])
  })
})

test('the repair goes on when one of the digests is just being sent', async () => {
  await database.create.member(world.tree.organization, {
    grants: [{ workspaceId: world.tree.ids.workspace, level: 1 }],
  })
  const made: StoredEvent[] = []
  for (const service of await servicesNamed(11)) made.push(await world.events.failed(service))
  await notifyOf(database.db, world.mailing, made)
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
