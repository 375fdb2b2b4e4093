import type { Queryable } from '#db/client.ts'
import { type SQL, sql } from '#db/drizzle.cjs'
import { isLost, lastSeen } from '../alerts/alerts/lost-agents.ts'
import { isOpen, isUsable } from '../schedule/usable-agents.ts'
import { overdueBefore, overdueSince } from './overdue.ts'

// Which services are unknown: their results are overdue, or each agent that may run them is lost. Stopped workers write
// nothing, so reads compute it from schedules and heartbeats, by the database's clock. In the SQL, `sc` is the schedule
// of `services` and `st` its state. A service without a schedule is off.

/** What decides which services of an organization are unknown, besides their own rows. */
export type Outlook = {
  now: Date
  /** By cron expression and time zone, as `TIMING` has them: see `overdueBefore`. In ISO 8601. */
  overdueBefore: Record<string, string>
  agents: UsableAgent[]
}

/** A schedule's expression and time zone in one text. */
const TIMING = sql`sc.cron || ' ' || sc.cron_timezone`

type UsableAgent = { id: string; is_open: boolean; is_lost: boolean; seen_at: string | null }

export async function readOutlook(db: Queryable, organizationId: string): Promise<Outlook> {
  const [timings, agents] = await Promise.all([
    db.execute<{ timing: string; schedule: string; timezone: string; now: string }>(sql`
      select distinct ${TIMING} as timing, cron as schedule, cron_timezone as timezone, now() as now
      from schedules sc where organization_id = ${organizationId}`),
    db.execute<UsableAgent>(usableAgents(sql`${organizationId}::uuid`)),
  ])
  const now = new Date(timings[0]?.now ?? 0)
  return {
    now,
    overdueBefore: Object.fromEntries(timings.map((one) => [one.timing, overdueBefore(one, now).toISOString()])),
    agents: [...agents],
  }
}

/** The agents that an organization can use, as a relation. */
export function usableAgents(organizationId: SQL): SQL {
  return sql`select a.id, ${isOpen(sql`a`)} as is_open, seen.at as seen_at, ${isLost()} as is_lost
    from agents a cross join lateral (select ${lastSeen()} as at) seen where ${isUsable(sql`a`, organizationId)}`
}

/**
 * Since when results of a service are expected; null for a service that is off. A run is known when it ends, so long runs
 * may take their time twice: the last one, and the next.
 */
export const EXPECTED_FROM = sql`case when sc.cron is not null then
  greatest(sc.expected_from, st.last_run_at + make_interval(secs => st.mean_run_ms * 0.002)) end`

/** Whether results of a service are overdue. */
export function isOverdue({ overdueBefore: before }: Outlook): SQL<boolean> {
  return sql`coalesce(${EXPECTED_FROM} < (${JSON.stringify(before)}::jsonb ->> (${TIMING}))::timestamptz, false)`
}

/**
 * Since when each agent that may run a service is lost; null while one is not. Usually no agent is lost, and nothing is
 * read.
 */
export function silentSince({ agents }: Outlook): SQL {
  if (!agents.some((agent) => agent.is_lost)) return sql`null::timestamptz`
  return silentSinceOf(sql`jsonb_to_recordset(${JSON.stringify(agents)}::jsonb)
    u(id uuid, is_open boolean, is_lost boolean, seen_at timestamptz)`)
}

/** The same for agents in a relation `u`. Agents that never sent a heartbeat are not lost, and run nothing either. */
export function silentSinceOf(agents: SQL): SQL {
  const named = sql`service_agents sa where sa.organization_id = services.organization_id and sa.service_id = services.id`
  return sql`case when sc.cron is not null then (
    select case when bool_and(u.is_lost or u.seen_at is null) then max(u.seen_at) end from ${agents}
    where case when exists (select from ${named}) then exists (select from ${named} and sa.agent_id = u.id)
      else u.is_open end) end`
}

/** The columns that give the time since which a service is unknown. Instants as the database writes them. */
export type Expectation = {
  schedule: string
  timezone: string | null
  expectedFrom: string | null
  silentSince: string | null
}

/** Returns since when a service is unknown; null while its state is known. The same rule as in SQL, for one service. */
export function unknownSince(expectation: Expectation, now: Date): Date | null {
  const { expectedFrom, silentSince: silent } = expectation
  const overdue = expectedFrom === null ? null : overdueSince(expectation, new Date(expectedFrom), now)
  if (silent === null) return overdue
  const since = new Date(silent)
  return overdue !== null && overdue < since ? overdue : since
}
