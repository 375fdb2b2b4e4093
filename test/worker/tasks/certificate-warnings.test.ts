import { v7 as uuidv7 } from 'uuid'
import { beforeEach, describe, expect, test } from 'vitest'
import { asc, eq } from '#db/drizzle.cjs'
import { alertEvents, certificates } from '#db/schema/alerts.ts'
import { maintenances } from '#db/schema/maintenances.ts'
import { organizations } from '#db/schema/organizations.ts'
import { services } from '#db/schema/resources.ts'
import { serviceStates } from '#db/schema/results.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#server/durations.ts'
import type { ProbedService } from '#test/support/runs/probed.ts'
import { probedDatabase } from '#test/support/runs/probed-database.ts'
import { jobByKey } from '#test/support/side-effects.ts'
import { warnOfCertificates } from '#worker/tasks/certificate-warnings.ts'

const database = probedDatabase()
const HOST = 'shop.example'
let service: ProbedService

beforeEach(async () => {
  await database.db.delete(certificates)
  service = await database.createProbedService('')
  await ran(service, new Date())
})

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS)

/** The service has run at this time. */
async function ran({ id: serviceId, organizationId }: ProbedService, lastRunAt: Date): Promise<void> {
  const state = { serviceId, organizationId, lastRunAt }
  await database.db
    .insert(serviceStates)
    .values(state)
    .onConflictDoUpdate({ target: [serviceStates.organizationId, serviceStates.serviceId], set: { lastRunAt } })
}

/** Stores a certificate that expires in `days` days, as a run that sees it for the first time does. */
async function see(days: number, given: Partial<typeof certificates.$inferInsert> = {}): Promise<void> {
  const { id: serviceId, organizationId } = service
  const row = {
    ...{ serviceId, organizationId, host: HOST, notAfter: inDays(days), notBefore: inDays(days - 90) },
    ...{ subject: HOST, issuer: 'R11', seenAt: new Date(), warnedDays: null },
    ...given,
  }
  await database.db
    .insert(certificates)
    .values(row)
    .onConflictDoUpdate({ target: [certificates.organizationId, certificates.serviceId, certificates.host], set: row })
}

/** Sets the expiry as if time had passed. */
const pass = (daysLeft: number) => database.db.update(certificates).set({ notAfter: inDays(daysLeft) })

const eventsOf = () =>
  database.db.select().from(alertEvents).where(eq(alertEvents.serviceId, service.id)).orderBy(asc(alertEvents.id))

async function daysLeft(): Promise<number[]> {
  const events = await eventsOf()
  return events.map(({ payload }) => (payload.certificate as { daysLeft: number }).daysLeft)
}

describe('certificate.expiring', () => {
  test('is stored at 30, 14, 7, 3 and 1 days, once each', async () => {
    await see(31)
    for (const days of [30.01, 29.99, 20, 14.01, 13.99, 10, 7.01, 6.99, 5, 3.01, 2.99, 2, 1.01, 0.99, 0.2, -0.1]) {
      await pass(days)
      await warnOfCertificates(database.db)
      await warnOfCertificates(database.db)
    }
    expect(await daysLeft()).toEqual([30, 14, 7, 3, 1])
  })

  test('waits while a maintenance is on', async () => {
    await see(6.5)
    const { id: serviceId, organizationId } = service
    const held = { id: uuidv7(), organizationId, serviceId, mode: 'mute' as const, createdBy: uuidv7() }
    const times = { startsAt: new Date(Date.now() - MINUTE_MS), endsAt: new Date(Date.now() + MINUTE_MS) }
    await database.db.insert(maintenances).values({ ...held, ...times, createdName: 'Ada' })
    await warnOfCertificates(database.db)
    expect(await daysLeft()).toEqual([])
    await database.db.delete(maintenances)
    await warnOfCertificates(database.db)
    expect(await daysLeft()).toEqual([7])
  })

  test('names the service, the host and the certificate, and is sent like other events of the service', async () => {
    await see(6.5)
    await warnOfCertificates(database.db)
    const [event] = await eventsOf()
    const [row] = await database.db.select().from(certificates)
    const [organization] = await database.db
      .select()
      .from(organizations)
      .where(eq(organizations.id, service.organizationId))
    expect(event).toMatchObject({
      kind: 'certificate.expiring',
      organizationId: service.organizationId,
      resultId: null,
      incidentId: null,
      agentId: null,
      suppressedReason: null,
      payload: {
        organization: { id: organization?.id, name: organization?.name },
        workspace: { id: expect.any(String), name: expect.any(String) },
        project: { id: service.projectId, name: expect.any(String) },
        service: { id: service.id, name: service.name },
        certificate: {
          host: HOST,
          notAfter: row?.notAfter.toISOString(),
          daysLeft: 7,
          subject: HOST,
          issuer: 'R11',
        },
      },
    })
    const job = await jobByKey(database.db, `notify:${event?.id}`)
    const payload = { organizationId: service.organizationId, eventId: event?.id }
    expect(job).toEqual({ task: 'notify', payload })
  })

  test('names only the smallest of several thresholds that were passed at once', async () => {
    await see(2.5)
    await warnOfCertificates(database.db)
    await pass(1.5)
    await warnOfCertificates(database.db)
    expect(await daysLeft()).toEqual([3])
    await pass(0.5)
    await warnOfCertificates(database.db)
    expect(await daysLeft()).toEqual([3, 1])
  })

  test('is stored once by many workers, in the transaction that remembers it', async () => {
    const expected = 25
    for (let i = 0; i < expected; i++) await see(6.5, { host: `h${i}.example` })
    await Promise.all(Array.from({ length: 6 }, () => warnOfCertificates(database.db)))
    expect(await daysLeft()).toEqual(Array(expected).fill(7))
    expect(await database.db.$count(certificates, eq(certificates.warnedDays, 7))).toBe(expected)
  })

  test('is stored for more certificates than a transaction takes', async () => {
    for (let i = 0; i < 230; i++) await see(6.5, { host: `h${i}.example` })
    await warnOfCertificates(database.db)
    expect(await eventsOf()).toHaveLength(230)
  })

  test('is stored again for a renewed certificate, but not again when the host shows the old one once more', async () => {
    const old = inDays(6.5)
    await see(6.5, { notAfter: old })
    await warnOfCertificates(database.db)
    await see(89)
    await warnOfCertificates(database.db)
    await see(6.5, { notAfter: old })
    await warnOfCertificates(database.db)
    expect(await daysLeft()).toEqual([7])
    expect(await database.db.select().from(certificates)).toMatchObject([{ warnedDays: 7 }])
    await see(2.5)
    await warnOfCertificates(database.db)
    expect(await daysLeft()).toEqual([7, 3])
  })

  test('is not stored for an inactive service until it is active again', async () => {
    await see(6.5)
    await database.db.update(services).set({ isActive: false }).where(eq(services.id, service.id))
    await warnOfCertificates(database.db)
    expect(await eventsOf()).toEqual([])
    await database.db.update(services).set({ isActive: true, script: '' }).where(eq(services.id, service.id))
    await warnOfCertificates(database.db)
    expect(await daysLeft()).toEqual([7])
  })

  test('is not stored for a host that the service no longer calls', async () => {
    await see(6.5, { seenAt: new Date(Date.now() - 2 * DAY_MS) })
    await warnOfCertificates(database.db)
    expect(await eventsOf()).toEqual([])
    // A service that runs every three days saw it in its last run.
    await ran(service, new Date(Date.now() - 2 * DAY_MS + HOUR_MS))
    await warnOfCertificates(database.db)
    expect(await daysLeft()).toEqual([7])
  })

  test('is not stored for thresholds that are longer than the validity of the certificate', async () => {
    await see(5.5, { notBefore: new Date(Date.now() - 10 * MINUTE_MS) })
    await warnOfCertificates(database.db)
    expect(await eventsOf()).toEqual([])
    await pass(2.9)
    await database.db.update(certificates).set({ notBefore: inDays(-2) })
    await warnOfCertificates(database.db)
    expect(await daysLeft()).toEqual([3])
  })

  test('is not stored for a deleted service', async () => {
    await see(6.5)
    await database.db.delete(services).where(eq(services.id, service.id))
    await warnOfCertificates(database.db)
    expect(await eventsOf()).toEqual([])
  })
})
