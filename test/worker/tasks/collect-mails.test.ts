import { v7 as uuidv7 } from 'uuid'
import { describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { alertMessages } from '#db/schema/alerts.ts'
import { memberships } from '#db/schema/organizations.ts'
import {
  enqueueMailsOf,
  eventsIn,
  jobsIn,
  mailWorld,
  messagesOf,
  notifyOf,
  type StoredEvent,
} from '#test/support/alerts/alert-world.ts'
import { testDatabase } from '#test/support/database.ts'
import { COLLECT_MS, sendCollected } from '#worker/tasks/collect-mails.ts'

// Events of a project are collected per recipient: up to three become mails of their own, more become one digest.

const database = testDatabase()
const jobs = jobsIn(database)
const world = mailWorld(database)

type Named = { id: string; name: string }

const servicesNamed = (count: number, project = world.tree.project): Promise<Named[]> =>
  Promise.all(
    Array.from({ length: count }, (_, index) =>
      database.create.service(project, { name: `S${String(index).padStart(2, '0')}` }),
    ),
  )
const failuresOf = async (services: Named[], events = world.events) => {
  const made: StoredEvent[] = []
  for (const service of services) made.push(await events.failed(service))
  return made
}
const statesOf = async (event: StoredEvent) => (await messagesOf(database, event)).map(({ state }) => state)
const textOf = (mail: { text: string } | undefined) => (mail?.text ?? '').replaceAll('\u200b', '')

/** Performs the jobs of collected messages, as if ten seconds were over. */
async function sendAll(): Promise<void> {
  await jobs.sendCollected(world.mailing)
  await jobs.sendMails(world.mailing.settings)
}

describe('the mails of a project', () => {
  test.each([
    [1, ['[Failed] S00 – status 500, expected 200']],
    [3, ['S00', 'S01', 'S02'].map((name) => `[Failed] ${name} – status 500, expected 200`)],
    [4, [expect.stringMatching(/^\[Failed\] .* – 4 services failed$/)]],
  ])('are, after %i failures, %j', async (count, subjects) => {
    const made = await failuresOf(await servicesNamed(count))
    await notifyOf(database.db, world.mailing, made)
    expect(await jobs.of('mail')).toEqual([])
    await sendAll()
    expect(world.server.mails.map(({ subject }) => subject).toSorted()).toEqual(subjects)
    expect((await Promise.all(made.map(statesOf))).flat()).toEqual(made.map(() => 'sent'))
  })

  test('have one job from the first message on, and what comes later waits again', async () => {
    const made = await failuresOf(await servicesNamed(5))
    const before = Date.now()
    await notifyOf(database.db, world.mailing, made.slice(0, 1))
    const after = Date.now()
    const [first] = await jobs.of('digest')
    expect(first?.runAt.getTime()).toBeGreaterThanOrEqual(before + COLLECT_MS)
    expect(first?.runAt.getTime()).toBeLessThanOrEqual(after + COLLECT_MS)
    await notifyOf(database.db, world.mailing, made.slice(1))
    expect((await jobs.of('digest')).map(({ runAt }) => runAt)).toEqual([first?.runAt])
    await sendAll()
    expect(world.server.mails).toHaveLength(1)
    const late = await database.create.service(world.tree.project, { name: 'Late' })
    await notifyOf(database.db, world.mailing, [await world.events.failed(late)])
    await sendAll()
    expect(world.server.mails.map(({ subject }) => subject)).toEqual([
      `[Failed] ${world.tree.project.name} – 5 services failed`,
      '[Failed] Late – status 500, expected 200',
    ])
  })

  test('are apart from those of another project', async () => {
    const other = await database.create.project(world.tree.workspace)
    const elsewhere = eventsIn(database, { ...world.tree, project: other })
    const made = await failuresOf(await servicesNamed(4))
    made.push(...(await failuresOf(await servicesNamed(4, other), elsewhere)))
    await notifyOf(database.db, world.mailing, made)
    await sendAll()
    expect(world.server.mails.map(({ subject }) => subject).toSorted()).toEqual(
      [world.tree.project, other].map(({ name }) => `[Failed] ${name} – 4 services failed`).toSorted(),
    )
  })

  test('about many agents are one digest too', async () => {
    await database.db.update(memberships).set({ settings: 2 }).where(eq(memberships.id, world.ana.membershipId))
    const made: StoredEvent[] = []
    for (let lost = 0; lost < 4; lost++) made.push(await world.events.agent('agent.lost', uuidv7()))
    await notifyOf(database.db, world.mailing, made)
    await sendAll()
    const [mail, ...more] = world.server.mails.filter(({ to }) => to.includes(world.ana.email))
    expect(more).toEqual([])
    expect(mail?.subject).toBe('[Agent lost] 4 agents are lost')
    expect(textOf(mail)).toContain('https://probes.example.com/agents')
    expect(textOf(mail)).toContain('Stop mails about agents')
  })
})

describe('a digest', () => {
  test('begins the thread of its incidents, and joins that of the first one', async () => {
    const services = await servicesNamed(6)
    const made = await failuresOf(services)
    await enqueueMailsOf(database, world.mailing, made.slice(0, 1))
    await jobs.sendMails(world.mailing.settings)
    const reminder = await world.events.follow('service.reminder', services[0] as Named, made[0]?.incidentId as string)
    await notifyOf(database.db, world.mailing, [...made.slice(1), reminder])
    await sendAll()
    const [early, digest, ...more] = world.server.mails.splice(0).map(({ headers }) => headers)
    expect(more).toEqual([])
    expect(early).not.toHaveProperty('in-reply-to')
    expect(digest?.['in-reply-to']).toBe(early?.['message-id'])
    for (const [index, starts] of [
      [0, early],
      [5, digest],
    ] as const) {
      const incidentId = made[index]?.incidentId as string
      const recovery = await world.events.follow('service.recovered', services[index] as Named, incidentId)
      await enqueueMailsOf(database, world.mailing, [recovery])
      await jobs.sendMails(world.mailing.settings)
      const [mail] = world.server.mails.splice(0)
      expect(mail?.subject).toMatch(/^\[Recovered\] S0\d/)
      const id = starts?.['message-id']
      expect(mail?.headers).toMatchObject({ 'in-reply-to': id, references: id })
    }
  })

  test('lists the worst first, what recovered last, and lets the reader stop mails about the project', async () => {
    const [first, second, ...others] = (await servicesNamed(13)) as [Named, Named, ...Named[]]
    const now = Date.now()
    const made = [await world.events.follow('service.recovered', first, uuidv7())]
    for (const service of others) made.push(await world.events.failed(service, new Date(now - 1_000)))
    made.push(await world.events.failed(second, new Date(now - 30_000)))
    await notifyOf(database.db, world.mailing, made)
    await sendAll()
    const [mail, ...more] = world.server.mails
    expect(more).toEqual([])
    expect(mail?.subject).toBe(`[Failed] ${world.tree.project.name} – 12 services failed, 1 recovered`)
    const text = textOf(mail)
    expect(text.split('\n')[0]).toBe(
      `12 services failed, 1 recovered in ${world.tree.workspace.name} / ${world.tree.project.name}.`,
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

  test('of hundreds of services lists the first hundred, and is sent once by many workers', async () => {
    const made = await failuresOf(await servicesNamed(120))
    // Every event is notified by two workers, eight at a time.
    const ids = [...made, ...made].map(({ id }) => id).values()
    const work = async () => {
      for (const id of ids) await notifyOf(database.db, world.mailing, [{ id }])
    }
    await Promise.all(Array.from({ length: 8 }, work))
    const [job, ...others] = await jobs.of('digest')
    expect(others).toEqual([])
    expect(job?.key).toBe(`digest:${world.ana.membershipId}:${world.tree.ids.project}`)
    await Promise.all(Array.from({ length: 5 }, () => sendCollected(database.db, world.mailing, job?.payload)))
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

  test('names every certificate of a service', async () => {
    const made: StoredEvent[] = []
    for (const service of await servicesNamed(11)) {
      for (const host of ['a.example', 'b.example'])
        made.push(await world.events.certificate(service, new Date(), host))
    }
    await notifyOf(database.db, world.mailing, made)
    await sendAll()
    const [mail, ...more] = world.server.mails
    expect(more).toEqual([])
    expect(mail?.subject).toBe(`[Certificate] ${world.tree.project.name} – 22 certificates expire soon`)
    const listed = [...textOf(mail).matchAll(/^- S00: (\w\.example)/gm)]
    expect(listed.map(([, host]) => host)).toEqual(['a.example', 'b.example'])
  })
})

describe('a collected message', () => {
  test('about a failure that is over is not sent, only the recovery', async () => {
    const [first, ...others] = (await servicesNamed(5)) as [Named, ...Named[]]
    const failed = await world.events.failed(first)
    await notifyOf(database.db, world.mailing, [...(await failuresOf(others)), failed])
    const recovered = await world.events.follow('service.recovered', first, failed.incidentId as string)
    await notifyOf(database.db, world.mailing, [recovered])
    await sendAll()
    const [mail, ...more] = world.server.mails
    expect(more).toEqual([])
    expect(mail?.subject).toBe(`[Failed] ${world.tree.project.name} – 4 services failed, 1 recovered`)
    expect(await messagesOf(database, failed)).toMatchObject([
      { state: 'suppressed', reason: 'the incident was over before the mail could be sent' },
    ])
    expect(await statesOf(recovered)).toEqual(['sent'])
  })

  test('about a recovery is not sent if the service has failed again', async () => {
    const [service] = (await servicesNamed(1)) as [Named]
    const failed = await world.events.failed(service)
    const recovered = await world.events.follow('service.recovered', service, failed.incidentId as string)
    const again = await world.events.failed(service)
    await notifyOf(database.db, world.mailing, [failed, recovered, again])
    await sendAll()
    expect(world.server.mails.map(({ subject }) => subject)).toEqual(['[Failed] S00 – status 500, expected 200'])
    expect((await Promise.all([failed, recovered, again].map(statesOf))).flat()).toEqual([
      'suppressed',
      'suppressed',
      'sent',
    ])
  })

  test('is not sent to a member who left meanwhile', async () => {
    const made = await failuresOf(await servicesNamed(5))
    await notifyOf(database.db, world.mailing, made)
    await database.db.update(memberships).set({ isActive: false }).where(eq(memberships.id, world.ana.membershipId))
    await sendAll()
    expect(world.server.mails).toEqual([])
    expect(await statesOf(made[0] as StoredEvent)).toEqual(['suppressed'])
  })
})
