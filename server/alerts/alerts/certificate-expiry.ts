import type { Queryable } from '#db/client.ts'
import { asc } from '#db/drizzle.cjs'
import { matchesAny } from '#db/row-match.ts'
import { certificates } from '#db/schema/alerts.ts'
import { DAY_MS } from '../../durations.ts'
import type { ServiceCertificate } from '../../schemas/services.ts'

/** Days before the expiry of a certificate at which `certificate.expiring` is stored. */
export const EXPIRY_WARNINGS = [30, 14, 7, 3, 1] as const

/** The first of these warnings. */
export const EXPIRING_DAYS = EXPIRY_WARNINGS[0]

/** Returns the days until the expiry of a certificate, rounded up: 1 on its last day, 0 or less after its expiry. */
export function daysUntil(notAfter: Date, now: Date): number {
  return Math.ceil((notAfter.getTime() - now.getTime()) / DAY_MS) + 0
}

/** Returns the certificates of services as the API shows them, by the service's id. */
export async function readCertificates(
  db: Queryable,
  organizationId: string,
  serviceIds: string[],
  now: Date,
): Promise<Map<string, ServiceCertificate[]>> {
  const rows = await db
    .select()
    .from(certificates)
    .where(matchesAny(certificates.serviceId, organizationId, serviceIds))
    .orderBy(asc(certificates.notAfter), asc(certificates.host))
  const found = new Map<string, ServiceCertificate[]>()
  for (const { serviceId, host, notAfter, subject, issuer, seenAt } of rows) {
    const own = found.get(serviceId) ?? []
    found.set(serviceId, own)
    own.push({
      host,
      notAfter: notAfter.toISOString(),
      daysLeft: daysUntil(notAfter, now),
      subject,
      issuer,
      lastSeenAt: seenAt.toISOString(),
    })
  }
  return found
}
