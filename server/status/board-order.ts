import { type SQL, sql } from '#db/drizzle.cjs'
import { projects, services, workspaces } from '#db/schema/resources.ts'
import { lastBuckets } from '../results/statistics/windows.ts'
import type { BoardOrder, BoardSort } from '../schemas/status/board-sorts.ts'
import { RANK, sinceOf } from './state-columns.ts'

/** Of `servicesWithState`, except of unknown services, whose time is computed from their schedule. */
export const SINCE = sinceOf(sql`x.state`)

/** Equal services keep this order. */
const PLACE = sql`${workspaces.name}, ${workspaces.id}, ${projects.name}, ${projects.id}, ${services.name}, ${services.id}`

/** Returns the `order by` of the board for `servicesWithState`. `p95` is by the list of ids that `orderByP95` returns. */
export function orderOf(sort: Exclude<BoardSort, 'p95'>, order: BoardOrder, now: Date): SQL {
  const direction = sql.raw(order)
  if (sort === 'state') {
    const latest = sql`case when x.state in ('failing', 'degraded') then ${SINCE} end desc`
    return sql`${RANK} ${direction}, ${latest}, ${PLACE}`
  }
  return sql`${KEYS[sort](now)} ${direction} nulls last, ${PLACE}`
}

const KEYS: Record<Exclude<BoardSort, 'state' | 'p95'>, (now: Date) => SQL> = {
  name: () => sql`lower(${services.name})`,
  // Of unknown services, the first result that is missing.
  since: () => sql`case x.state when 'unknown' then coalesce(q.silent_since, st.last_run_at) else ${SINCE} end`,
  lastRun: () => sql`st.last_run_at`,
  schedule: () => sql`${services.schedule}`,
  uptime24h: (now) => uptimeOf(hoursSince(lastBuckets('hour', 24, now).since)),
  uptime7d: (now) => {
    const { since } = lastBuckets('day', 7, now)
    return uptimeOf(sql`select d.runs, d.success from run_days d
        where (d.organization_id, d.service_id) = (${services.organizationId}, ${services.id})
          and d.day >= ${since.toISOString()}::timestamptz and d.day < st.folded_until
      union all ${hoursSince(since)} and h.hour >= coalesce(st.folded_until, 'epoch')`)
  },
}

function hoursSince(since: Date): SQL {
  return sql`select h.runs, h.success from run_hours h
    where (h.organization_id, h.service_id) = (${services.organizationId}, ${services.id})
      and h.hour >= ${since.toISOString()}::timestamptz`
}

function uptimeOf(counted: SQL): SQL {
  return sql`(select sum(success)::float8 / nullif(sum(runs), 0) from (${counted}) counted)`
}
