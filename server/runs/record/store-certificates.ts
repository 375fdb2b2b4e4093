import type { Tx } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { rowsOf } from '#db/rows.ts'
import { certificates } from '#db/schema/alerts.ts'
import { CERTIFIED_HOSTS_MAX } from '../../schemas/agents/probe-upload.ts'
import type { FinishedRun } from './finished-run.ts'

// The certificates that the runs of a service see, one row per host: the first to expire of those still seen. A later
// one replaces it when the same agent sees it, or when no agent has seen the old one for a day. A replacement starts
// without warnings. Upkeep deletes rows not seen for a week.

/**
 * Stores the certificates of the runs, where something changes or the row is an hour old. `limit 1` makes the planner read
 * by key; a hash join would read the whole table. The states of the services are locked, so no other writer inserts rows of
 * theirs.
 */
export async function storeCertificates(tx: Tx, runs: FinishedRun[]): Promise<void> {
  const seen = new Map<string, CertificateRow>()
  for (const run of runs) {
    for (const row of certificateRows(run)) {
      const key = `${row.serviceId} ${row.host}`
      const known = seen.get(key)
      if (!known || row.notAfter < known.notAfter) seen.set(key, row)
    }
  }
  if (seen.size === 0) return
  await tx.execute(sql`
    insert into certificates as c (service_id, host, organization_id, agent_id, not_before, not_after, subject, issuer, seen_at)
    select service_id, host, organization_id, agent_id, not_before, not_after, subject, issuer, seen_at from (
      select i.*, c.host is null as is_new,
        row_number() over (partition by i.service_id, c.host is null order by i.host) as nth
      from ${rowsOf(certificates, [...seen.values()])}
      left join lateral (
        select * from certificates k
        where (k.organization_id, k.service_id) = (i.organization_id, i.service_id) and k.host = i.host limit 1) c on true
      where c.host is null or i.seen_at > c.seen_at and case
        when i.not_after < c.not_after then true
        when i.not_after = c.not_after then i.seen_at > c.seen_at + interval '1 hour'
        else i.agent_id = c.agent_id or i.seen_at > c.seen_at + interval '1 day' end) i
    where not is_new
      or nth + (select count(*) from certificates o
        where (o.organization_id, o.service_id) = (i.organization_id, i.service_id)) <= ${CERTIFIED_HOSTS_MAX}::int
    order by service_id, host
    on conflict (organization_id, service_id, host) do update set agent_id = excluded.agent_id,
      not_before = excluded.not_before, not_after = excluded.not_after, subject = excluded.subject, issuer = excluded.issuer, seen_at = excluded.seen_at,
      warned_days = case when c.not_after = excluded.not_after then c.warned_days end`)
}

type CertificateRow = ReturnType<typeof certificateRows>[number]

function certificateRows({ organizationId, serviceId, agentId, result, certificates: seen = [] }: FinishedRun) {
  return seen.map((certificate) => ({ ...certificate, organizationId, serviceId, agentId, seenAt: result.startedAt }))
}
