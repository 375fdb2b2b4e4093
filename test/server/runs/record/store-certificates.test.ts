import { v7 as uuidv7 } from 'uuid'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { and, asc, eq } from '#db/drizzle.cjs'
import { ensurePartitions } from '#db/partitions.ts'
import { certificates } from '#db/schema/alerts.ts'
import { DAY_MS, HOUR_MS } from '#server/durations.ts'
import { parseSettings } from '#server/process/settings.ts'
import { type SeenCertificate, skippedRun } from '#server/runs/record/finished-run.ts'
import { storeRuns } from '#server/runs/record/store-runs.ts'
import type { ProbedService } from '#test/support/runs/probed.ts'
import { probedDatabase } from '#test/support/runs/probed-database.ts'
import { upkeep } from '#worker/tasks/upkeep.ts'

const database = probedDatabase()
const HOST = 'shop.example'
const START = new Date('2026-11-20T12:00:00Z')
const [OSLO, PORTO] = [uuidv7(), uuidv7()]
let service: ProbedService

beforeAll(async () => {
  await ensurePartitions(database.db, START, 5)
  await ensurePartitions(database.db, new Date(Date.now() - 8 * DAY_MS), 2)
})
beforeEach(async () => {
  service = await database.createProbedService('')
})

const later = (hours: number) => new Date(START.getTime() + hours * HOUR_MS)
/** A certificate that expires `days` days after START. */
const expiring = (days: number, host = HOST): SeenCertificate => ({
  host,
  notBefore: new Date(START.getTime() - 60 * DAY_MS),
  notAfter: new Date(START.getTime() + days * DAY_MS),
  subject: host,
  issuer: 'R11',
})

/** A run of the service that saw these certificates. */
function runAt(startedAt: Date, seen: SeenCertificate[], agentId = OSLO, serviceId = service.id) {
  const { organizationId } = service
  const attempt = { id: uuidv7(), attempt: 1, organizationId, serviceId, agentId, agentSlug: agentId.slice(-4) }
  const run = skippedRun(attempt, startedAt, 'test')
  return { ...run, result: { ...run.result, status: 'success' as const, raw: {} }, certificates: seen }
}

const store = (...runs: ReturnType<typeof runAt>[]) =>
  database.db.transaction((tx) => storeRuns(tx, runs, { variablesMax: 3 }))

const rowsOf = (serviceId = service.id) =>
  database.db.select().from(certificates).where(eq(certificates.serviceId, serviceId)).orderBy(asc(certificates.host))

/** Marks the certificate as warned of. */
async function warned(days: number): Promise<void> {
  await database.db
    .update(certificates)
    .set({ warnedDays: days })
    .where(and(eq(certificates.serviceId, service.id), eq(certificates.host, HOST)))
}

describe('the certificate of a host', () => {
  test('is stored with its names', async () => {
    await store(runAt(START, [expiring(20), expiring(40, 'other.example:8443')]))
    expect(await rowsOf()).toEqual([
      {
        serviceId: service.id,
        organizationId: service.organizationId,
        host: 'other.example:8443',
        notBefore: later(-60 * 24),
        notAfter: later(40 * 24),
        subject: 'other.example:8443',
        issuer: 'R11',
        seenAt: START,
        agentId: OSLO,
        warnedDays: null,
      },
      expect.objectContaining({ host: HOST, notAfter: later(20 * 24) }),
    ])
  })

  test('is replaced by the renewed one that its agent sees, and warnings start again', async () => {
    await store(runAt(START, [expiring(20)]))
    await warned(30)
    await store(runAt(later(1 / 60), [expiring(90)]))
    expect(await rowsOf()).toMatchObject([{ notAfter: later(90 * 24), seenAt: later(1 / 60), warnedDays: null }])
  })

  test('is the one that expires first while another agent still sees it', async () => {
    await store(runAt(START, [expiring(20)], OSLO))
    await store(runAt(later(1), [expiring(90)], PORTO))
    expect(await rowsOf()).toMatchObject([{ notAfter: later(20 * 24), agentId: OSLO }])
    // Oslo sees the renewed one, Porto the old one: an address of the host was forgotten.
    await store(runAt(later(2), [expiring(90)], OSLO))
    await store(runAt(later(3), [expiring(20)], PORTO))
    await store(runAt(later(4), [expiring(90)], OSLO))
    expect(await rowsOf()).toMatchObject([{ notAfter: later(20 * 24), agentId: PORTO }])
    await store(runAt(later(5), [expiring(90)], PORTO))
    expect(await rowsOf()).toMatchObject([{ notAfter: later(90 * 24), agentId: PORTO }])
  })

  test('is replaced after a day in which no agent saw it', async () => {
    await store(runAt(START, [expiring(20)], OSLO))
    await store(runAt(later(24), [expiring(90)], PORTO))
    expect(await rowsOf()).toMatchObject([{ notAfter: later(20 * 24) }])
    await store(runAt(later(25), [expiring(90)], PORTO))
    expect(await rowsOf()).toMatchObject([{ notAfter: later(90 * 24) }])
  })

  test('is written once an hour while it stays the same, and keeps what was warned of', async () => {
    await store(runAt(START, [expiring(20)]))
    await warned(30)
    await store(runAt(later(0.9), [expiring(20)]))
    expect(await rowsOf()).toMatchObject([{ seenAt: START, warnedDays: 30 }])
    await store(runAt(later(1.1), [expiring(20)], PORTO))
    expect(await rowsOf()).toMatchObject([{ seenAt: later(1.1), agentId: PORTO, warnedDays: 30 }])
  })

  test('is not changed by a run that started earlier', async () => {
    await store(runAt(later(2), [expiring(90)]))
    await store(runAt(START, [expiring(20)]))
    expect(await rowsOf()).toMatchObject([{ notAfter: later(90 * 24) }])
  })

  test('is the one that expires first of those in a batch', async () => {
    await store(runAt(later(1), [expiring(90)]), runAt(START, [expiring(20)], PORTO), runAt(later(2), [expiring(50)]))
    expect(await rowsOf()).toMatchObject([{ notAfter: later(20 * 24) }])
  })

  test('is deleted when the runs of a week have not seen it, however rarely the service runs', async () => {
    const now = new Date()
    const [gone, kept] = [new Date(now.getTime() - 7 * DAY_MS - 1), new Date(now.getTime() - 7 * DAY_MS + HOUR_MS)]
    await store(runAt(gone, [expiring(90, 'gone.example')]))
    await upkeep(database.db, parseSettings({}), now)
    expect(await rowsOf()).toHaveLength(1)
    await store(runAt(kept, [expiring(90)]), runAt(now, []))
    await upkeep(database.db, parseSettings({}), now)
    expect(await rowsOf()).toMatchObject([{ host: HOST }])
  })
})

test('a service has at most 50 hosts; those that it has are still updated', async () => {
  const hosts = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => expiring(20, `h${String(from + i).padStart(3, '0')}.example`))
  await store(runAt(START, hosts(0, 30)))
  await store(runAt(later(1), hosts(20, 40)))
  const rows = await rowsOf()
  expect(rows.map(({ host }) => host)).toEqual(hosts(0, 50).map(({ host }) => host))
  await store(runAt(later(3), hosts(45, 20)))
  const after = await rowsOf()
  expect(after).toHaveLength(50)
  expect(after.at(-1)?.seenAt).toEqual(later(3))
})

test('a batch stores the certificates of many services', async () => {
  const services = [service, await database.createProbedService(''), await database.createProbedService('')]
  const runs = services.map(({ id }) => runAt(START, [expiring(20)], OSLO, id))
  await store(...runs)
  for (const { id } of services) expect(await rowsOf(id)).toHaveLength(1)
})
