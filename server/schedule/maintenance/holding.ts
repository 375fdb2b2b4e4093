import { uuids } from '#db/any-of.ts'
import type { Tx } from '#db/client.ts'
import { type SQL, sql } from '#db/drizzle.cjs'
import { matchesRows, type RowKey } from '#db/row-match.ts'
import { services } from '#db/schema/resources.ts'

// Which maintenances hold for services. An index finds those that are not past, which are few. In the SQL, `m` is a
// maintenance, `p` the project of a service, and `service` the name of a relation with the columns of `services`.

/** A time in which a maintenance holds for a service. */
export type Maintained = { mode: 'skip' | 'mute'; startsAt: Date; endsAt: Date }

/** Whether a maintenance holds now. */
const HOLDS_NOW = sql`m.starts_at <= now() and m.ends_at > now()`

/** The maintenances that cover a service, as `from … where …`. */
function fromCovering(service: SQL): SQL {
  return sql`from maintenances m
    join projects p on (p.organization_id, p.id) = (${service}.organization_id, ${service}.project_id)
    where m.organization_id = ${service}.organization_id and ${covers(service)}`
}

/** Whether a maintenance covers a service of a project `p`. */
function covers(service: SQL): SQL {
  return sql`(m.service_id = ${service}.id or m.project_id = p.id or m.workspace_id = p.workspace_id)
    and (m.label is null or m.label = any(${service}.labels))`
}

/** Whether a maintenance holds for a service now. */
export function isMaintained(service: SQL): SQL<boolean> {
  return sql<boolean>`exists (select ${fromCovering(service)} and ${HOLDS_NOW})`
}

/** A maintenance that holds for a service now, as `heldMaintenance` selects it. */
export type HeldMaintenance = {
  id: string
  mode: 'skip' | 'mute'
  /** In ISO 8601. */
  until: string
  note: string | null
  by: string
}

/** The maintenance that holds for a service now; of several the one that skips its runs, and then the longest. Or null. */
export function heldMaintenance(service: SQL): SQL<HeldMaintenance | null> {
  return sql<HeldMaintenance | null>`(select json_build_object('id', m.id, 'mode', m.mode, 'until', m.ends_at,
      'note', m.note, 'by', m.created_name) ${fromCovering(service)} and ${HOLDS_NOW}
    order by m.mode = 'skip' desc, m.ends_at desc, m.id limit 1)`
}

/**
 * Returns the maintenances that have begun and had not ended at `from`, by default now, by service. The time before that of
 * a rule is one, and so is a deleted one: neither ends later than `ends_at`, which has the index. While the organizations
 * have none, the statement reads no service.
 */
export async function readMaintained(
  tx: Tx,
  wanted: readonly RowKey<string>[],
  from?: Date,
): Promise<Map<string, Maintained[]>> {
  const organizationIds = [...new Set(wanted.map(({ organizationId }) => organizationId))]
  const end = from ? sql`${from.toISOString()}::timestamptz` : sql`now()`
  const rows = await tx.execute<{ id: string; mode: Maintained['mode']; starts_at: string; ends_at: string }>(sql`
    select services.id, m.mode, t.starts_at, t.ends_at
    from maintenances m
      cross join lateral (values (m.starts_at, m.ends_at), (m.previous_starts_at, m.previous_ends_at)) t (starts_at, ends_at)
      join services on services.organization_id = m.organization_id and ${matchesRows(services.id, wanted)}
      join projects p on (p.organization_id, p.id) = (services.organization_id, services.project_id)
    where m.organization_id = any(${uuids(organizationIds)}) and m.ends_at > ${end}
      and t.ends_at > ${end} and t.starts_at <= now() and ${covers(sql`services`)}`)
  const times = rows.map((row) => {
    return { id: row.id, mode: row.mode, startsAt: new Date(row.starts_at), endsAt: new Date(row.ends_at) }
  })
  return Map.groupBy(times, ({ id }) => id)
}
