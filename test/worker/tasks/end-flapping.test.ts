import { asc, eq, sql } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { alertEvents, incidents } from '#db/schema/alerts.ts'
import { serviceStates } from '#db/schema/results.ts'
import { variables } from '#db/schema/scoped.ts'
import { summarize, titleOf } from '#server/alerts/webhooks/messages.ts'
import { alertOf } from '#server/alerts/webhooks/presets/alert.ts'
import type { ProbedService } from '#test/support/runs/probed.ts'
import { probedDatabase } from '#test/support/runs/probed-database.ts'
import { readSlot, storeSlot } from '#test/support/runs/slots.ts'
import { endFlapping } from '#worker/tasks/end-flapping.ts'
import { messageOf } from '#worker/tasks/event-message.ts'
import { remind } from '#worker/tasks/remind.ts'

const database = probedDatabase()
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
