import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  pgTable,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, id, instant } from './columns.ts'
import { services } from './resources.ts'

/**
 * When each switched-on service is due next. Narrow and apart from `services`, because the dispatcher rewrites it at
 * every run; a service that is off has no row.
 */
export const schedules = pgTable(
  'schedules',
  {
    serviceId: uuid('service_id').primaryKey(),
    organizationId: uuid('organization_id').notNull(),
    cron: text('cron').notNull(),
    /** The service's fixed place in its minute, in seconds. */
    offsetSeconds: integer('offset_seconds').notNull().default(0),
    /** The next time of the cron expression (offset not added). */
    nextSlot: instant('next_slot').notNull(),
    /** `nextSlot` plus the offset: when the run is dispatched. */
    nextRunAt: instant('next_run_at').notNull(),
    /** `consecutive`: the agent of the last run. */
    lastAgentId: uuid('last_agent_id'),
  },
  (t) => [
    index('schedules_due_idx').on(t.nextRunAt),
    foreignKey({
      name: 'schedules_service_fkey',
      columns: [t.organizationId, t.serviceId],
      foreignColumns: [services.organizationId, services.id],
    }).onDelete('cascade'),
  ],
)

/**
 * The ledger of dispatched runs. A run has its identity from dispatch on; whoever holds its lease executes it, and the
 * attempt number fences off whoever lost it. Rows go away some time after their run is stored.
 */
export const runs = pgTable(
  'runs',
  {
    id: id(),
    organizationId: uuid('organization_id').notNull(),
    serviceId: uuid('service_id').notNull(),
    agentId: uuid('agent_id').notNull(),
    /** The scheduled time, or the moment of the request. */
    slot: instant('slot').notNull(),
    cause: text('cause').$type<'schedule' | 'request' | 'confirmation'>().notNull(),
    state: text('state').$type<'waiting' | 'queued' | 'running' | 'done'>().notNull().default('queued'),
    /** Order among the queued runs of the organization; see `server/schedule/run-queue.ts`. */
    rankAt: instant('rank_at').notNull().defaultNow(),
    /** Whether the service's runs held a slot for long lately. */
    isSlow: boolean('is_slow').notNull().default(false),
    attempt: integer('attempt').notNull().default(0),
    /** The worker process that holds the lease. */
    workerId: uuid('worker_id'),
    leaseUntil: instant('lease_until'),
    startedAt: instant('started_at'),
    finishedAt: instant('finished_at'),
    createdAt: createdAt(),
  },
  (t) => [
    unique('runs_slot_key').on(t.serviceId, t.slot, t.agentId, t.cause),
    // Several requests waiting for one service are one run.
    uniqueIndex('runs_waiting_key').on(t.serviceId).where(sql`state = 'waiting'`),
    index('runs_queue_idx').on(t.agentId, t.organizationId, t.isSlow, t.rankAt).where(sql`state = 'queued'`),
    index('runs_open_idx').on(t.serviceId, t.state).where(sql`state <> 'done'`),
    index('runs_lease_idx').on(t.leaseUntil).where(sql`state = 'running'`),
    index('runs_finished_idx').on(t.finishedAt).where(sql`state = 'done'`),
    foreignKey({
      name: 'runs_service_fkey',
      columns: [t.organizationId, t.serviceId],
      foreignColumns: [services.organizationId, services.id],
    }).onDelete('cascade'),
    check('runs_cause_check', sql`cause in ('schedule', 'request', 'confirmation')`),
    check('runs_state_check', sql`state in ('waiting', 'queued', 'running', 'done')`),
  ],
)

/** Living worker processes: one row each, refreshed by its heartbeat. */
export const workers = pgTable(
  'workers',
  {
    id: id(),
    agentId: uuid('agent_id').notNull(),
    /** The name under which the queue locks its jobs: what to unlock when it dies. */
    poolId: text('pool_id').notNull(),
    /** The same of its queues that were lost and still have jobs in hand. */
    formerPoolIds: text('former_pool_ids').array().notNull().default([]),
    /** The job it took last: its task, and when. One that beats and takes nothing while runs wait does not work. */
    lastTask: text('last_task'),
    lastTakenAt: instant('last_taken_at'),
    host: text('host').notNull(),
    pid: integer('pid').notNull(),
    startedAt: instant('started_at').notNull().defaultNow(),
    heartbeatAt: instant('heartbeat_at').notNull().defaultNow(),
  },
  (t) => [index('workers_agent_idx').on(t.agentId, t.heartbeatAt)],
)
