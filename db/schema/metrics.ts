import { index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { bytes, instant } from './columns.ts'

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
