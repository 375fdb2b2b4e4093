import { check, index, jsonb, pgTable, sql, text, uuid } from '../drizzle.cjs'
import { bytes, createdAt, instant, organizationKey, organizationRowId, parentForeignKey } from './columns.ts'
import { memberships } from './organizations.ts'
import { agents, services } from './resources.ts'
import type { RunStatus, StoredStep } from './results.ts'

/** The start of a step's response body. `encoding` is null for text. */
export type DraftBody = {
  stepId: string
  content: string
  contentType: string | null
  encoding: string | null
  isCut: boolean
}

/** The result of a draft run, without secrets. `raw`, `steps` as in `results`, but bodies are kept here. */
export type StoredDraftResult = {
  status: RunStatus
  startedAt: string
  runDurationMs: number
  agentSlug: string
  raw: Record<string, unknown> | null
  steps: StoredStep[]
  bodies: DraftBody[]
}

/**
 * Runs of scripts that are not saved: of a service's editor, or without a service on the page for a new one. They do
 * not change results, metrics, alerts or variables. Upkeep deletes them after a day.
 */
export const draftRuns = pgTable(
  'draft_runs',
  {
    id: organizationRowId(),
    organizationId: uuid('organization_id').notNull(),
    membershipId: uuid('membership_id').notNull(),
    serviceId: uuid('service_id'),
    agentId: uuid('agent_id')
      .notNull()
      .references(() => agents.id, { onDelete: 'cascade' }),
    script: text('script').notNull(),
    /** The secrets of a service that is not created yet. Null without any, and when the run has ended. */
    sealed: bytes('sealed'),
    state: text('state').$type<'queued' | 'running' | 'done'>().notNull().default('queued'),
    startedAt: instant('started_at'),
    result: jsonb('result').$type<StoredDraftResult | null>(),
    createdAt: createdAt(),
  },
  (t) => [
    organizationKey('draft_runs', t.organizationId, [t.id]),
    index('draft_runs_queue_idx').on(t.agentId, t.createdAt).where(sql`state = 'queued'`),
    index('draft_runs_organization_idx').on(t.organizationId, t.createdAt),
    index('draft_runs_service_idx').on(t.serviceId),
    parentForeignKey('draft_runs_membership_fkey', [t.organizationId, t.membershipId], memberships),
    parentForeignKey('draft_runs_service_fkey', [t.organizationId, t.serviceId], services),
    check('draft_runs_state_check', sql`state in ('queued', 'running', 'done')`),
  ],
)
