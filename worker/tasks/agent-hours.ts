import type { Db, Tx } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { isWorkerAlive } from '#server/schedule/agent-liveness.ts'

// The history of agents: a job samples their live processes every minute and adds to the rows of the hour.

/** Time that one sample counts at most: while no worker sampled, nothing is known of the agents. */
const SAMPLE_SECONDS_MAX = 90
/** Runs that finished this recently are left for the next sample, because their transactions may not be visible yet. */
const SETTLE_SECONDS = 10

/** Adds the time since the last sample to the hours of live agents, and the runs that agents finished since. */
export async function sampleAgents(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    const [lock] = await tx.execute<{ is_held: boolean }>(
      sql`select pg_try_advisory_xact_lock(hashtextextended('agent_hours', 0)) as is_held`,
    )
    // Another worker is taking this sample.
    if (!lock?.is_held) return
    await addSample(tx)
  })
}

/**
 * The time since the last sample is split at the full hour. Reads the runs along `runs_finished_idx`: 3 ms for 2,000 runs
 * a minute.
 */
async function addSample(tx: Tx): Promise<void> {
  await tx.execute(sql`
    with mark as (
      select greatest(coalesce((select max(counted_until) from agent_hours where hour > now() - interval '3 hours'),
        now() - interval '1 minute'), now() - make_interval(secs => ${SAMPLE_SECONDS_MAX})) as from_at, now() as to_at),
    spans as (
      select h as hour, extract(epoch from least(m.to_at, h + interval '1 hour') - greatest(m.from_at, h)) as seconds
      from mark m cross join lateral generate_series(date_trunc('hour', m.from_at), date_trunc('hour', m.to_at),
        interval '1 hour') h),
    live as (
      select w.agent_id, sum(w.slots)::int as slots, sum(w.busy)::int as busy, max(w.cpu) as cpu,
        max(w.lateness_ms) as lateness_ms
      from workers w where ${isWorkerAlive(sql`w`)} group by w.agent_id),
    finished as (
      select r.agent_id, date_trunc('hour', r.finished_at) as hour, count(*)::int as runs
      from mark m join runs r on r.state = 'done' and r.started_at is not null
        and r.finished_at > m.from_at - make_interval(secs => ${SETTLE_SECONDS})
        and r.finished_at <= m.to_at - make_interval(secs => ${SETTLE_SECONDS})
      group by 1, 2),
    sampled as (
      select coalesce(l.agent_id, f.agent_id) as agent_id, coalesce(l.hour, f.hour) as hour, l.seconds, l.slots, l.busy,
        l.cpu, l.lateness_ms, f.runs
      from (select * from live cross join spans where spans.seconds > 0) l
        full join finished f on f.agent_id = l.agent_id and f.hour = l.hour)
    insert into agent_hours as h (agent_id, hour, alive_seconds, slots_max, busy_max, cpu_max, lateness_max_ms, runs,
      counted_until)
    select s.agent_id, s.hour, coalesce(s.seconds, 0), s.slots, s.busy, s.cpu, s.lateness_ms, coalesce(s.runs, 0), m.to_at
    from sampled s join agents a on a.id = s.agent_id cross join mark m
    on conflict (agent_id, hour) do update set
      alive_seconds = least(3600, h.alive_seconds + excluded.alive_seconds),
      slots_max = greatest(h.slots_max, excluded.slots_max), busy_max = greatest(h.busy_max, excluded.busy_max),
      cpu_max = greatest(h.cpu_max, excluded.cpu_max),
      lateness_max_ms = greatest(h.lateness_max_ms, excluded.lateness_max_ms),
      runs = h.runs + excluded.runs, counted_until = excluded.counted_until`)
}
