import { bigint, date, index, integer, jsonb, pgTable, primaryKey, text } from '../drizzle.cjs'
import { bytes, id, instant } from './columns.ts'

// Data of the System page, which belongs to no organization.

/** Something that a process noticed and that the operator should act on. Upkeep deletes it when it has not recurred. */
export const systemWarnings = pgTable(
  'system_warnings',
  {
    code: text('code').notNull(),
    /** What it is about, such as a host, a store or an agent; empty for the installation. */
    subject: text('subject').notNull(),
    /** The latest reason, without secrets. */
    detail: text('detail').notNull(),
    firstAt: instant('first_at').notNull().defaultNow(),
    lastAt: instant('last_at').notNull().defaultNow(),
    count: integer('count').notNull().default(1),
  },
  (t) => [primaryKey({ columns: [t.code, t.subject] })],
)

/** Sizes, one row per day, for growth and forecast. The row of the present day is replaced by each upkeep. */
export const systemSamples = pgTable('system_samples', {
  day: date('day', { mode: 'string' }).primaryKey(),
  databaseBytes: bigint('database_bytes', { mode: 'number' }).notNull(),
  resultBytes: bigint('result_bytes', { mode: 'number' }).notNull(),
  /** The estimated bytes of bodies that were stored on the day before, by the id of their store. */
  bodyBytes: jsonb('body_bytes').$type<Record<string, number>>().notNull(),
})

/** The last time that something of the installation happened: a mail was sent, a backup was written, keys were checked. */
export const systemMarks = pgTable('system_marks', {
  name: text('name').$type<'mail' | 'backup' | 'keys'>().primaryKey(),
  at: instant('at').notNull(),
  details: jsonb('details').$type<Record<string, unknown>>().notNull(),
})

/** Live web processes: one row each, updated by its heartbeats. Workers and agents have the table `workers`. */
export const webProcesses = pgTable('web_processes', {
  id: id(),
  version: text('version').notNull(),
  host: text('host').notNull(),
  pid: integer('pid').notNull(),
  startedAt: instant('started_at').notNull().defaultNow(),
  heartbeatAt: instant('heartbeat_at').notNull().defaultNow(),
})

/**
 * The metrics of each live process, stored every ten seconds so that any web process can answer a scrape for all. UNLOGGED:
 * a crash loses at most ten seconds of values that the processes still hold. Each process replaces its own row; the row
 * of one that died is deleted after a minute by the next that stores its metrics.
 */
export const processMetrics = pgTable(
  'process_metrics',
  {
    /** The label `process_id`. */
    processId: text('process_id').primaryKey(),
    kind: text('kind').$type<'web' | 'worker'>().notNull(),
    /** Compressed JSON of the families. */
    families: bytes('families').notNull(),
    /** The length before compression, so that a reader can bound what it reads. */
    sizeBytes: integer('size_bytes').notNull(),
    storedAt: instant('stored_at').notNull().defaultNow(),
  },
  (t) => [index('process_metrics_stored_idx').on(t.storedAt)],
)
