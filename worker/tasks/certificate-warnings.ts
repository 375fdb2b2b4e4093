import type { Db, Tx } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { rowsOf } from '#db/rows.ts'
import { certificates } from '#db/schema/alerts.ts'
import { daysUntil, EXPIRING_DAYS, EXPIRY_WARNINGS } from '#server/alerts/alerts/certificate-expiry.ts'
import { readServiceNames, storeEvents } from '#server/runs/record/events.ts'
import { isMaintained } from '#server/schedule/maintenance/holding.ts'

/** Certificates per transaction. */
const BATCH = 100

type Expiring = {
  service_id: string
  host: string
  organization_id: string
  not_after: string
  subject: string | null
  issuer: string | null
  now: string
  warns_at: number
  is_announced: boolean
}

/**
 * Stores `certificate.expiring` for the certificates that expire soon, once per certificate and threshold. A certificate
 * that passed several thresholds at once gives one event, for the smallest. Inactive services give none, and those under a maintenance none before it ends.
 */
export async function warnOfCertificates(db: Db): Promise<void> {
  while ((await db.transaction(warnBatch)) === BATCH);
}

async function warnBatch(tx: Tx): Promise<number> {
  const expiring = await lockExpiring(tx)
  if (expiring.length === 0) return 0
  const unannounced = expiring.filter((row) => !row.is_announced)
  const names = await readServiceNames(
    tx,
    unannounced.map((row) => ({ organizationId: row.organization_id, id: row.service_id })),
  )
  await storeEvents(
    tx,
    unannounced.flatMap((row) => {
      const named = names.find(({ service }) => service.id === row.service_id)
      if (!named) return []
      const { host, subject, issuer } = row
      const notAfter = new Date(row.not_after)
      const certificate = {
        ...{ host, notAfter: notAfter.toISOString(), daysLeft: daysUntil(notAfter, new Date(row.now)) },
        ...{ subject, issuer },
      }
      return {
        organizationId: row.organization_id,
        serviceId: row.service_id,
        kind: 'certificate.expiring',
        payload: { ...named, certificate },
      }
    }),
  )
  const rows = expiring.map(
    ({ organization_id: organizationId, service_id: serviceId, host, warns_at: warnedDays }) => ({
      ...{ organizationId, serviceId, host, warnedDays },
    }),
  )
  await tx.execute(sql`
    update certificates c set warned_days = i.warned_days
    from ${rowsOf(certificates, rows)}
    where (c.organization_id, c.service_id, c.host) = (i.organization_id, i.service_id, i.host)`)
  return expiring.length
}

/**
 * Locks certificates that have passed a threshold, unless another worker has locked them. `is_announced`: an event says so
 * already, because a host shows an old certificate again. Certificates that the service's recent runs did not see are left
 * out: its script no longer calls the host. A threshold that is longer than the certificate's whole validity does not
 * count: short-lived certificates are renewed all the time. Reads along
 * `certificates_expiry_idx`: 20 ms among 100,000 certificates of which none is due.
 */
function lockExpiring(tx: Tx): Promise<Expiring[]> {
  const smallest = sql.join(
    EXPIRY_WARNINGS.toSorted((a, b) => a - b).map((days) => {
      const isPassed = sql`c.not_after <= now() + make_interval(days => ${days}::int)`
      return sql`when ${isPassed} then ${days}::int`
    }),
    sql` `,
  )
  return tx.execute<Expiring>(sql`
    select c.service_id, c.host, c.organization_id, c.not_after, c.subject, c.issuer, now() as now, t.warns_at,
      exists (select 1 from alert_events e
        where (e.organization_id, e.service_id) = (c.organization_id, c.service_id) and e.kind = 'certificate.expiring'
          and e.created_at > now() - make_interval(days => ${EXPIRING_DAYS + 1})
          and e.payload #>> '{certificate,host}' = c.host
          and (e.payload #>> '{certificate,notAfter}')::timestamptz = c.not_after
          and (e.payload #>> '{certificate,daysLeft}')::int <= t.warns_at) as is_announced
    from certificates c
      join services v on (v.organization_id, v.id) = (c.organization_id, c.service_id) and v.is_active
        and not ${isMaintained(sql`v`)}
      join service_states s on (s.organization_id, s.service_id) = (c.organization_id, c.service_id) and c.seen_at > s.last_run_at - interval '1 day'
      cross join lateral (select case ${smallest} end as warns_at) t
    where c.not_after > now() and c.not_after <= now() + make_interval(days => ${EXPIRING_DAYS})
      and (c.warned_days is null or c.warned_days > t.warns_at)
      and (c.not_before is null or c.not_after > c.not_before + make_interval(days => t.warns_at))
    order by c.not_after limit ${BATCH} for update of c skip locked`)
}
