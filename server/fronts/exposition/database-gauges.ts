import { Gauge, Registry } from 'prom-client'
import type { Db } from '#db/client.ts'
import { withinRequestBounds } from '#db/connections/request-bounds.ts'
import { type SQL, sql } from '#db/drizzle.cjs'
import { type Family, readFamilies } from '../../observe/metrics/families.ts'
import { log } from '../../process/log.ts'
import { JOBS } from '../../schedule/jobs.ts'

// Gauges that are read from the database, for all processes together. Durations are medians on two shared cores.

/** The longest that a statement may take. What it would have measured is then missing, and its collector has failed. */
const STATEMENT_MS = 2_500
/** Agents, and other things that users create, per series. */
const ROWS_MAX = 1_000

type Collector = {
  /** How long a measurement is good for. */
  everyMs: number
  /** The gauges by the column that holds their value; the other columns are labels. */
  gauges: Record<string, { name: string; help: string }>
  labels: string[]
  statement: SQL
}

const COLLECTORS: Record<string, Collector> = {
  // Reads the indexes of the queue, so its cost grows with the queue.
  queue: {
    everyMs: 4_000,
    labels: ['agent', 'organization'],
    gauges: {
      queued: { name: 'soundline_queue_runs', help: 'Runs that wait for an agent' },
      oldest: { name: 'soundline_queue_oldest_seconds', help: 'Age of the oldest run that waits for an agent' },
      running: { name: 'soundline_runs_in_flight', help: 'Runs that an agent executes' },
      alive: { name: 'soundline_agent_processes', help: 'Live processes of an agent' },
      slots: { name: 'soundline_agent_slots', help: 'Runs that the live processes of an agent can execute at once' },
      busy: {
        name: 'soundline_agent_slots_busy',
        help: 'Runs that the processes of an agent execute, as of their last heartbeat',
      },
      cpu: {
        name: 'soundline_agent_cpu_ratio',
        help: 'Share of the CPU time that the busiest process of an agent uses',
      },
      late: {
        name: 'soundline_agent_timer_lateness_seconds',
        help: 'Event loop lag of the busiest process of an agent',
      },
      offset: {
        name: 'soundline_agent_clock_offset_seconds',
        help: 'Clock offset of a remote agent, positive when it is ahead',
      },
      silent: {
        name: 'soundline_agent_heartbeat_age_seconds',
        help: 'Time since the last heartbeat of an active agent',
      },
    },
    statement: sql`
      with open as (
        select agent_id, count(*) filter (where state = 'queued') as queued,
          count(*) filter (where state = 'running') as running,
          min(created_at) filter (where state = 'queued') as oldest
        from runs where state in ('queued', 'running') group by agent_id),
      live as (
        select agent_id, count(*) as alive, max(heartbeat_at) as seen, sum(slots) as slots, sum(busy) as busy,
          max(cpu) as cpu, max(lateness_ms) / 1000.0 as late, max(clock_offset_ms) / 1000.0 as "offset"
        from workers where heartbeat_at > now() - interval '3 minutes' group by agent_id)
      select a.slug as agent, coalesce(a.organization_id::text, '') as organization,
        coalesce(o.queued, 0) as queued, coalesce(o.running, 0) as running,
        extract(epoch from coalesce(now() - o.oldest, interval '0')) as oldest, coalesce(l.alive, 0) as alive,
        l.slots, l.busy, l.cpu, l.late, l."offset",
        extract(epoch from now() - greatest(l.seen, a.last_seen_at)) as silent
      from agents a left join open o on o.agent_id = a.id left join live l on l.agent_id = a.id
      where a.is_active or o.queued > 0
      order by o.queued desc nulls last, l.alive desc nulls last, a.id limit ${ROWS_MAX}`,
  },
  // Few rows, as long as dispatch keeps up.
  schedule: {
    everyMs: 4_000,
    labels: [],
    gauges: {
      due: { name: 'soundline_schedules_due', help: 'Services that are due and not dispatched, at most 100,000' },
      lag: {
        name: 'soundline_schedule_lag_seconds',
        help: 'Time since the oldest service that is not dispatched was due',
      },
    },
    statement: sql`
      select count(*) as due, extract(epoch from coalesce(now() - min(next_run_at), interval '0')) as lag
      from (select next_run_at from schedules where next_run_at <= now() order by next_run_at limit 100000) due`,
  },
  jobs: {
    everyMs: 4_000,
    labels: ['task'],
    gauges: {
      waiting: {
        name: 'soundline_jobs_waiting',
        help: 'Jobs that are due, by task: deliver sends to webhooks, mail mails',
      },
      overdue: { name: 'soundline_jobs_oldest_seconds', help: 'Time since the oldest job that waits was due' },
      later: { name: 'soundline_jobs_scheduled', help: 'Jobs that are due later, such as retries' },
      failed: {
        name: 'soundline_jobs_failed',
        help: 'Jobs that failed for good; upkeep deletes them after a week',
      },
    },
    statement: sql`
      select t.task,
        count(*) filter (where j.attempts < j.max_attempts and j.run_at <= now()) as waiting,
        extract(epoch from coalesce(now() - min(j.run_at) filter (
          where j.attempts < j.max_attempts and j.run_at <= now()), interval '0')) as overdue,
        count(*) filter (where j.attempts < j.max_attempts and j.run_at > now()) as later,
        count(*) filter (where j.attempts >= j.max_attempts) as failed
      from unnest(${`{${Object.keys(JOBS).join(',')}}`}::text[]) t (task)
        left join graphile_worker.jobs j on j.task_identifier = t.task and j.locked_at is null
      group by t.task order by t.task`,
  },
  incidents: {
    everyMs: 15_000,
    labels: [],
    gauges: {
      open: { name: 'soundline_incidents_open', help: 'Open incidents of all organizations' },
      failing: { name: 'soundline_services_failing', help: 'Services whose last run failed' },
      services: { name: 'soundline_services_scheduled', help: 'Services that run on their schedule' },
    },
    statement: sql`
      select (select count(*) from incidents where closed_at is null) as open,
        (select count(*) from service_states where last_status in ('failure', 'timeout')) as failing,
        (select count(*) from schedules) as services`,
  },
  size: {
    everyMs: 60_000,
    labels: [],
    gauges: { bytes: { name: 'soundline_database_size_bytes', help: 'Size of the database on disk' } },
    statement: sql`select pg_database_size(current_database()) as bytes`,
  },
  connections: {
    everyMs: 15_000,
    labels: [],
    gauges: {
      used: { name: 'soundline_database_connections', help: 'Connections of all programs to this database' },
      allowed: { name: 'soundline_database_connections_max', help: 'Connections that the server allows' },
    },
    statement: sql`
      select (select count(*) from pg_stat_activity where datname = current_database()) as used,
        current_setting('max_connections')::int as allowed`,
  },
}

type Measurement = { at: number; families: Promise<Family[]> }

/**
 * Returns a function that measures the database. Scrapes share a measurement while it is good. A part that fails is missing
 * in the result, and `soundline_collector_up` says so.
 */
export function createDatabaseGauges(db: Db): () => Promise<Family[]> {
  const measured = new Map<string, Measurement>()
  const up = new Registry()
  const collectorUp = new Gauge({
    name: 'soundline_collector_up',
    help: 'Whether the last measurement of this part of the database succeeded',
    labelNames: ['collector'],
    registers: [up],
  })
  const measure = (name: string, collector: Collector): Promise<Family[]> => {
    const known = measured.get(name)
    if (known && performance.now() - known.at < collector.everyMs) return known.families
    const families = collect(db, collector).then(
      (found) => {
        collectorUp.set({ collector: name }, 1)
        return found
      },
      (error: unknown) => {
        collectorUp.set({ collector: name }, 0)
        log.warn({ err: error, collector: name }, 'a part of the metrics could not be measured')
        return []
      },
    )
    measured.set(name, { at: performance.now(), families })
    return families
  }
  return async () => {
    const lists = await Promise.all(Object.entries(COLLECTORS).map(([name, collector]) => measure(name, collector)))
    return [...lists.flat(), ...(await readFamilies(up, {}))]
  }
}

async function collect(db: Db, { gauges, labels, statement }: Collector): Promise<Family[]> {
  const rows = await withinRequestBounds(STATEMENT_MS, () => db.execute(statement))
  const registry = new Registry()
  for (const [column, { name, help }] of Object.entries(gauges)) {
    const gauge = new Gauge({ name, help, labelNames: labels, registers: [registry] })
    for (const row of rows) {
      if (row[column] === null) continue
      gauge.set(Object.fromEntries(labels.map((label) => [label, String(row[label])])), Number(row[column]))
    }
  }
  return readFamilies(registry, {})
}
