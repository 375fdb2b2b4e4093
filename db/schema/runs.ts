import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  real,
  sql,
  text,
  unique,
  uniqueIndex,
  uuid,
} from '../drizzle.cjs'
import { createdAt, id, instant, organizationKey, organizationRowId } from './columns.ts'

/**
 * When each active service is due next. A narrow table apart from `services`, because dispatch updates it for every
 * run. A service that is off has no row. No foreign key to the service: to check it, dispatch would lock the service
 * after the schedule, and could deadlock with writers of the service. A trigger deletes the schedule with its service.
 */
export const schedules = pgTable(
  'schedules',
  {
    serviceId: uuid('service_id').notNull(),
    organizationId: uuid('organization_id').notNull(),
    cron: text('cron').notNull(),
    /** The IANA time zone in which the expression is read. */
    cronTimezone: text('cron_timezone').notNull().default('UTC'),
    /** The service's fixed offset within its minute, in seconds. */
    offsetSeconds: integer('offset_seconds').notNull().default(0),
    /** The next slot of the cron expression, without the offset. */
    nextSlot: instant('next_slot').notNull(),
    /** `nextSlot` plus the offset: when the run is dispatched. */
    nextRunAt: instant('next_run_at').notNull(),
    /** The agent of the last run, from which `consecutive` rotates. */
    lastAgentId: uuid('last_agent_id'),
    /**
     * Since when results are expected: since the service was switched on, its expression or time zone changed, or a slot
     * fell into its maintenance window or a maintenance.
     */
    expectedFrom: instant('expected_from').notNull().defaultNow(),
  },
  (t) => [organizationKey('schedules', t.organizationId, [t.serviceId]), index('schedules_due_idx').on(t.nextRunAt)],
)

export type RunCause = 'schedule' | 'request' | 'confirmation'

/**
 * Dispatched runs, one row per agent. The worker that holds a run's lease executes it; the attempt number keeps a
 * worker that lost the lease from storing a result (a fencing token). Upkeep deletes rows an hour after their run is
 * stored. No foreign key: its check took 10 to 22 µs a run. Inserts of runs lock the service or its schedule, and a
 * trigger of `services` deletes the runs of deleted services.
 */
export const runs = pgTable(
  'runs',
  {
    id: organizationRowId(),
    /** The id of the run's first row, for its further agents; null for the first row, whose own id is the run's. */
    runId: uuid('run_id'),
    organizationId: uuid('organization_id').notNull(),
    serviceId: uuid('service_id').notNull(),
    agentId: uuid('agent_id').notNull(),
    /** The instant at which the schedule was due. A requested run has the instant of its request. */
    slot: instant('slot').notNull(),
    /** `confirmation` is the recheck of a failed scheduled run, with the same slot. */
    cause: text('cause').$type<RunCause>().notNull(),
    /** The result of the failed run that this one rechecks; null for other runs. */
    recheckOf: uuid('recheck_of'),
    /**
     * `waiting_with_values`: requested with values, and waiting. A service may have several of these. `waiting_recheck`: a
     * recheck until `rankAt`; its agent is the one that saw the failure.
     */
    state: text('state')
      .$type<'waiting' | 'waiting_with_values' | 'waiting_recheck' | 'queued' | 'running' | 'done'>()
      .notNull()
      .default('queued'),
    /** Set for a run that was requested with values: equal for requests with the same values and note. */
    valuesDigest: text('values_digest'),
    /** The order among the organization's queued runs; see `server/schedule/run-queue.ts`. */
    rankAt: instant('rank_at').notNull().defaultNow(),
    /** Whether the service's recent runs held a permit for long. */
    isSlow: boolean('is_slow').notNull().default(false),
    attempt: integer('attempt').notNull().default(0),
    /** How many attempts ended with the death of their worker; others were given back. */
    deaths: integer('deaths').notNull().default(0),
    /** The version of the script that a remote agent was given; null for the server's own workers. */
    leasedVersion: integer('leased_version'),
    /** The worker process that holds the lease. */
    workerId: uuid('worker_id'),
    leaseUntil: instant('lease_until'),
    startedAt: instant('started_at'),
    finishedAt: instant('finished_at'),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ name: 'runs_pkey', columns: [t.organizationId, t.id] }),
    unique('runs_slot_key').on(t.organizationId, t.serviceId, t.slot, t.agentId, t.cause),
    // Several waiting requests of one service share one run, unless they bring values.
    uniqueIndex('runs_waiting_key').on(t.organizationId, t.serviceId).where(sql`state = 'waiting'`),
    index('runs_waiting_with_values_idx').on(t.serviceId).where(sql`state = 'waiting_with_values'`),
    index('runs_waiting_recheck_idx').on(t.rankAt).where(sql`state = 'waiting_recheck'`),
    index('runs_queue_idx').on(t.agentId, t.organizationId, t.isSlow, t.rankAt).where(sql`state = 'queued'`),
    index('runs_open_idx').on(t.serviceId, t.state).where(sql`state <> 'done'`),
    index('runs_lease_idx').on(t.leaseUntil).where(sql`state = 'running'`),
    index('runs_finished_idx').on(t.finishedAt).where(sql`state = 'done'`),
    // A shared agent sends the id of a run, but not its organization. Ids grow with time, so the index is cheap to
    // write.
    index('runs_id_idx').on(t.id).where(sql`state <> 'done'`),
    index('runs_run_idx').on(t.runId).where(sql`run_id is not null`),
    check('runs_cause_check', sql`cause in ('schedule', 'request', 'confirmation')`),
    check(
      'runs_state_check',
      sql`state in ('waiting', 'waiting_with_values', 'waiting_recheck', 'queued', 'running', 'done')`,
    ),
  ],
)

/** Live processes that execute runs, in-house workers and remote agents: one row each, updated by its heartbeats. */
export const workers = pgTable(
  'workers',
  {
    id: id(),
    agentId: uuid('agent_id').notNull(),
    /** The name under which a queue locks the worker's jobs. It identifies the jobs to unlock when the worker dies. */
    poolId: text('pool_id').notNull(),
    /** The same for the worker's other queues. */
    formerPoolIds: text('former_pool_ids').array().notNull().default([]),
    /** The task that the worker took last, and when. A live worker that takes nothing while runs wait is stalled. */
    lastTask: text('last_task'),
    lastTakenAt: instant('last_taken_at'),
    host: text('host').notNull(),
    /** 0 for a remote agent. */
    pid: integer('pid').notNull(),
    kind: text('kind').$type<'worker' | 'agent'>().notNull().default('worker'),
    /** The key of a remote agent; null for an in-house worker. */
    keyId: uuid('key_id'),
    /** The release that the process runs. */
    version: text('version'),
    /** The address that a remote agent's requests come from; null for an in-house worker. */
    address: text('address'),
    /** The most runs at the same time, and how many there are. */
    slots: integer('slots'),
    busy: integer('busy'),
    /** Share of the processor time that the process uses, 0 to 1. */
    cpu: real('cpu'),
    /** By how much timers of the process fire late. */
    latenessMs: integer('lateness_ms'),
    /** How far a remote agent's clock is ahead, as it last said; null for an in-house worker. */
    clockOffsetMs: integer('clock_offset_ms'),
    /** Seconds without a heartbeat after which the process counts as dead; null: `WORKER_STALE_SECONDS`. */
    staleSeconds: integer('stale_seconds'),
    /** The private networks that the operator of a remote agent lets probes reach. */
    allowedNetworks: text('allowed_networks').array().notNull().default([]),
    startedAt: instant('started_at').notNull().defaultNow(),
    heartbeatAt: instant('heartbeat_at').notNull().defaultNow(),
  },
  (t) => [
    index('workers_agent_idx').on(t.agentId, t.heartbeatAt),
    check('workers_kind_check', sql`kind in ('worker', 'agent')`),
  ],
)
