import { index, pgTable, text, uuid } from '../drizzle.cjs'
import { bytes, createdAt, instant, organizationKey, organizationRowId, parentForeignKey } from './columns.ts'
import type { RunCause } from './runs.ts'

// No table here has foreign keys to services, projects or workspaces: its rows remain while a deletion can be undone, as
// results do. Upkeep deletes them when it drops the results of their day.

/** What is known of a run besides its results: a row for each requested run, and for each run that was cancelled. */
export const runRequests = pgTable(
  'run_requests',
  {
    /** The run's id. */
    id: organizationRowId(),
    organizationId: uuid('organization_id').notNull(),
    serviceId: uuid('service_id').notNull(),
    cause: text('cause').$type<RunCause>().notNull().default('request'),
    requestedAt: instant('requested_at').notNull().defaultNow(),
    note: text('note'),
    /** The values of the run, as JSON by key; null without any. */
    sealed: bytes('sealed'),
    cancelledAt: instant('cancelled_at'),
  },
  (t) => [
    organizationKey('run_requests', t.organizationId, [t.id]),
    index('run_requests_service_idx').on(t.serviceId, t.id),
    index('run_requests_requested_idx').on(t.requestedAt),
  ],
)

/** Runs of several services that one request asked for. */
export const runBatches = pgTable(
  'run_batches',
  {
    id: organizationRowId(),
    organizationId: uuid('organization_id').notNull(),
    workspaceId: uuid('workspace_id').notNull(),
    /** Null for a batch of a whole workspace. */
    projectId: uuid('project_id'),
    note: text('note'),
    createdAt: createdAt(),
    /** The member who requested it. */
    membershipId: uuid('membership_id'),
  },
  (t) => [organizationKey('run_batches', t.organizationId, [t.id]), index('run_batches_created_idx').on(t.createdAt)],
)

/** The services of a batch. */
export const batchRuns = pgTable(
  'batch_runs',
  {
    batchId: uuid('batch_id').notNull(),
    organizationId: uuid('organization_id').notNull(),
    serviceId: uuid('service_id').notNull(),
    /** As it was when the batch was made. */
    serviceName: text('service_name').notNull(),
    /** Null for a service that was not run. A run may belong to several batches. */
    runId: uuid('run_id'),
    /** Why the service was not run. */
    reason: text('reason'),
  },
  (t) => [
    organizationKey('batch_runs', t.organizationId, [t.batchId, t.serviceId]),
    parentForeignKey('batch_runs_batch_fkey', [t.organizationId, t.batchId], runBatches),
  ],
)
