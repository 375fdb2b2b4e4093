import { check, index, pgTable, sql, text, uuid } from '../drizzle.cjs'
import { createdAt, instant, organizationKey, organizationRowId } from './columns.ts'
import { scopeColumns, scopeForeignKeys } from './scope-columns.ts'

/**
 * Times in which the services of a scope wake nobody. It holds from `startsAt` up to `endsAt`, so a read of those that hold
 * now needs no rule: a job moves the two to the next time of a rule.
 */
export const maintenances = pgTable(
  'maintenances',
  {
    id: organizationRowId(),
    ...scopeColumns(),
    /** Only services of the workspace or project with this label; null for all. */
    label: text('label'),
    /** Both leave the results of runs uncounted; `skip` also starts no scheduled runs. */
    mode: text('mode').$type<'skip' | 'mute'>().notNull(),
    startsAt: instant('starts_at').notNull(),
    endsAt: instant('ends_at').notNull(),
    /** `RRULE/minutes[/timezone]`, and the zone of a rule that names none; null for one time. */
    rule: text('rule'),
    timezone: text('timezone'),
    /** The time of a rule before the present or next one, for runs that are stored after it; null without. */
    previousStartsAt: instant('previous_starts_at'),
    previousEndsAt: instant('previous_ends_at'),
    note: text('note'),
    /** The membership that created it, and its name at that time: the membership can be removed later. */
    createdBy: uuid('created_by').notNull(),
    createdName: text('created_name').notNull(),
    createdAt: createdAt(),
    /** When a member ended it before its time, or when its rule had no further time; null otherwise. */
    endedAt: instant('ended_at'),
    endedBy: uuid('ended_by'),
    endedName: text('ended_name'),
    /** A deleted one is hidden, and stays for runs that are stored after it; null otherwise. */
    deletedAt: instant('deleted_at'),
  },
  (t) => [
    organizationKey('maintenances', t.organizationId, [t.id]),
    // Those that hold now or later, however many are past.
    index('maintenances_organization_idx').on(t.organizationId, t.endsAt),
    index('maintenances_end_idx').on(t.endsAt),
    // Those that move to a next time.
    index('maintenances_rule_idx').on(t.endsAt).where(sql`rule is not null and ended_at is null`),
    ...scopeForeignKeys('maintenances', t),
    check('maintenances_mode_check', sql`mode in ('skip', 'mute')`),
    check('maintenances_scope_check', sql`num_nonnulls(workspace_id, project_id, service_id) = 1`),
    check('maintenances_label_check', sql`label is null or service_id is null`),
    check('maintenances_times_check', sql`starts_at <= ends_at`),
    check('maintenances_previous_check', sql`(previous_starts_at is null) = (previous_ends_at is null)`),
    check('maintenances_rule_check', sql`(rule is null) = (timezone is null)`),
  ],
)
