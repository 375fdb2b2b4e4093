import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import { asc, eq, sql } from '#db/drizzle.cjs'
import { alertEvents, incidents } from '#db/schema/alerts.ts'
import { maintenances } from '#db/schema/maintenances.ts'
import { services } from '#db/schema/resources.ts'
import { serviceStates } from '#db/schema/results.ts'
import { variables } from '#db/schema/scoped.ts'
import { eventContent } from '#server/alerts/mail/event-content.ts'
import { summarize, titleOf } from '#server/alerts/webhooks/messages.ts'
import { alertOf } from '#server/alerts/webhooks/presets/alert.ts'
import type { ProbedService } from '#test/support/runs/probed.ts'
import { probedDatabase } from '#test/support/runs/probed-database.ts'
import { readSlot, storeSlot } from '#test/support/runs/slots.ts'
import { statementsOf } from '#test/support/statements.ts'
import { endFlapping } from '#worker/tasks/end-flapping.ts'
import { messageOf } from '#worker/tasks/event-message.ts'
import { remind } from '#worker/tasks/remind.ts'

const database = probedDatabase()
const READER = { heardThrough: [], timezone: 'UTC', baseUrl: null, stop: null }
/** Within the hour, so that a day does not end in between. */
const START = Date.now() - 3_000_000
let agents: Record<string, { id: string; slug: string }>

beforeAll(async () => {
  agents = { a: await database.create.agent({ slug: 'a' }) }
})

const newService = () => database.createProbedService('get("https://shop.example/")')

/** Stores slots, two minutes apart. */
async function store(service: ProbedService, sequence: string): Promise<void> {
  for (const [i, text] of sequence.split(' ').entries()) {
    await storeSlot(database.db, service, readSlot(text, agents), new Date(START + i * 120_000))
  }
}

function makeQuiet({ id }: ProbedService, minutes: number) {
  return database.db
    .update(serviceStates)
    .set({ changedAt: sql`array[now() - make_interval(mins => ${minutes})]` })
    .where(eq(serviceStates.serviceId, id))
}

const eventsOf = ({ id }: ProbedService) =>
  database.db.select().from(alertEvents).where(eq(alertEvents.serviceId, id)).orderBy(asc(alertEvents.id))

const openIncident = async ({ id }: ProbedService) =>
  (await database.db.select().from(incidents).where(eq(incidents.serviceId, id)).orderBy(asc(incidents.openedAt))).at(
    -1,
  )

test('a service that flaps has one open incident and one message, until it is quiet and passes', async () => {
  const service = await newService()
  await database.db.update(variables).set({ value: '1' }).where(eq(variables.key, 'remindMinutes'))
  await store(service, 'a- a+ a- a+ a- a+ a- a+')
  const kinds = ['service.failed', 'service.recovered', 'service.failed', 'service.recovered', 'service.flapping']
  expect((await eventsOf(service)).map(({ kind }) => kind)).toEqual(kinds)
  const open = await openIncident(service)
  expect(open).toMatchObject({ closedAt: null, flappingSince: new Date(START + 4 * 120_000) })
  await makeQuiet(service, 14)
  await remind(database.db)
  await endFlapping(database.db)
  expect(await eventsOf(service)).toHaveLength(5)
  await makeQuiet(service, 15)
  await Promise.all([endFlapping(database.db), endFlapping(database.db), endFlapping(database.db)])
  const events = await eventsOf(service)
  expect(events.map(({ kind }) => kind)).toEqual([...kinds, 'service.recovered'])
  const last = (await database.resultsOf(service)).at(-1)
  expect(await openIncident(service)).toMatchObject({
    ...{ id: open?.id, closedAt: expect.any(Date), recoveredResultId: last?.id },
    flappingSince: open?.flappingSince,
  })
  const [flapping, recovered] = events.slice(-2).map(messageOf)
  if (!flapping || !recovered) throw new Error('two messages')
  expect(titleOf(flapping)).toBe(`[Flapping] ${service.name} – failed 3 times in 8 min`)
  expect(summarize(flapping)).toMatch(/is flapping: it failed 3 times in 8 min: GET https:.* status 500, expected 200$/)
  expect(titleOf(recovered)).toMatch(/^\[Recovered\] .* – failed 4 times in /)
  // It was not down for all that time: the counts stand alone.
  expect(recovered.data).toMatchObject({ incident: { downMs: null }, failure: null })
  const facts = [...eventContent(recovered, READER).blocks].flatMap((block) =>
    block.kind === 'facts' ? block.rows.map(([label]) => label) : [],
  )
  expect(facts).toContain('Failing since')
  expect([...facts, ...alertOf(recovered).facts.map(({ name }) => name)]).not.toContain('Down for')
  // A service that keeps alerts open opens one, and closes it.
  expect([alertOf(flapping).dedupKey, alertOf(recovered).dedupKey]).toEqual(
    Array.from({ length: 2 }, () => `soundline-incident-${open?.id}`),
  )
  expect([alertOf(flapping).isOver, alertOf(recovered).isOver]).toEqual([false, true])
  // The next failure is an ordinary one.
  await storeSlot(database.db, service, readSlot('a-', agents), new Date())
  expect((await eventsOf(service)).at(-1)?.kind).toBe('service.failed')
})

test('a service that fails when it is quiet has an ordinary incident, and one message says so', async () => {
  const service = await newService()
  await store(service, 'a- a+ a- a+ a- a+ a-')
  const before = await openIncident(service)
  await makeQuiet(service, 15)
  await endFlapping(database.db)
  const failed = (await eventsOf(service)).at(-1)
  expect(failed).toMatchObject({ kind: 'service.failed', incidentId: before?.id, suppressedReason: null })
  if (failed) expect(summarize(messageOf(failed))).toContain('still fails, and failed 4 times in ')
  expect(await openIncident(service)).toMatchObject({ id: before?.id, closedAt: null, flappingSince: null })
  await storeSlot(database.db, service, readSlot('a+', agents), new Date())
  expect((await eventsOf(service)).at(-1)).toMatchObject({ kind: 'service.recovered', incidentId: before?.id })
  expect(await openIncident(service)).toMatchObject({ id: before?.id, closedAt: expect.any(Date) })
})

test('the end is not announced if recoveries are not', async () => {
  const service = await newService()
  await database.db.update(variables).set({ value: 'false' }).where(eq(variables.key, 'alertOnRecovery'))
  await store(service, 'a- a+ a- a+ a- a+')
  await makeQuiet(service, 15)
  await endFlapping(database.db)
  expect((await eventsOf(service)).at(-1)).toMatchObject({
    kind: 'service.recovered',
    suppressedReason: 'alertOnRecovery is false',
  })
})

async function maintain({ id: serviceId, organizationId }: ProbedService): Promise<void> {
  const held = { id: randomUUID(), organizationId, serviceId, mode: 'mute' as const, createdBy: randomUUID() }
  const times = { startsAt: new Date(Date.now() - 60_000), endsAt: new Date(Date.now() + 600_000) }
  await database.db.insert(maintenances).values({ ...held, ...times, createdName: 'Ada' })
}

const setActive = ({ id }: ProbedService, isActive: boolean) =>
  database.db.update(services).set({ isActive }).where(eq(services.id, id))

test.each<[string, (service: ProbedService) => Promise<unknown>, (service: ProbedService) => Promise<unknown>]>([
  ['under a maintenance', maintain, () => database.db.delete(maintenances)],
  ['switched off', (service) => setActive(service, false), (service) => setActive(service, true)],
])('a service that is %s is not quiet: its quiet time begins when that ends', async (_, begin, end) => {
  const service = await newService()
  await store(service, 'a- a+ a- a+ a- a+ a- a+')
  const before = await eventsOf(service)
  const expectUnchanged = async () => {
    await endFlapping(database.db)
    expect(await eventsOf(service)).toEqual(before)
    expect(await openIncident(service)).toMatchObject({ closedAt: null, flappingSince: expect.any(Date) })
  }
  await makeQuiet(service, 20)
  await begin(service)
  await expectUnchanged()
  await end(service)
  await expectUnchanged()
  // A quarter of an hour later, no run is counted yet.
  await database.db
    .update(serviceStates)
    .set({
      flapping: sql`flapping || jsonb_build_object('quietFrom', now() - interval '15 minutes')`,
      lastRunAt: sql`now() - interval '16 minutes'`,
    })
    .where(eq(serviceStates.serviceId, service.id))
  await expectUnchanged()
  await storeSlot(database.db, service, readSlot('a+', agents), new Date())
  await endFlapping(database.db)
  expect((await eventsOf(service)).slice(before.length).map(({ kind }) => kind)).toEqual(['service.recovered'])
  expect(await openIncident(service)).toMatchObject({ closedAt: expect.any(Date) })
})

test('many services are read together: the number of statements does not grow with them', async () => {
  const end = async (count: number) => {
    const some = await Promise.all(Array.from({ length: count }, newService))
    for (const service of some) {
      await store(service, 'a- a+ a- a+ a- a+ a-')
      await makeQuiet(service, 15)
    }
    const sent = await statementsOf(() => endFlapping(database.db))
    for (const service of some) {
      const failed = (await eventsOf(service)).at(-1)
      const last = (await database.resultsOf(service)).at(-1)
      expect(failed?.payload).toMatchObject({
        ...{ service: { id: service.id }, incident: { downMs: null }, result: { id: last?.id } },
        ...{ failure: { cause: 'status 500, expected 200' }, agents: [{ agentSlug: 'a', resultId: last?.id }] },
      })
    }
    return sent.length
  }
  expect(await end(2)).toBe(await end(1))
})
