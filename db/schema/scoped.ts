import { boolean, check, foreignKey, index, pgTable, smallint, sql, text, unique, uuid } from '../drizzle.cjs'
import { bytes, createdAt, instant, organizationKey, organizationRowId, parentForeignKey } from './columns.ts'
import { groups, memberships, organizations } from './organizations.ts'
import { scopeColumns, scopeForeignKeys } from './scope-columns.ts'

/** Gives one member or one group read (1) or write (2) access to a resource and everything below it. */
export const grants = pgTable(
  'grants',
  {
    id: organizationRowId(),
    ...scopeColumns(),
    membershipId: uuid('membership_id'),
    groupId: uuid('group_id'),
    level: smallint('level').$type<1 | 2>().notNull(),
    /** Whether the holders are notified of failures. */
    notify: boolean('notify').notNull().default(true),
    createdAt: createdAt(),
  },
  (t) => [
    organizationKey('grants', t.organizationId, [t.id]),
    unique('grants_principal_key')
      .on(t.organizationId, t.workspaceId, t.projectId, t.serviceId, t.membershipId, t.groupId)
      .nullsNotDistinct(),
    index('grants_membership_idx').on(t.membershipId),
    index('grants_group_idx').on(t.groupId),
    index('grants_workspace_idx').on(t.workspaceId),
    index('grants_project_idx').on(t.projectId),
    index('grants_service_idx').on(t.serviceId),
    ...scopeForeignKeys('grants', t),
    parentForeignKey('grants_membership_fkey', [t.organizationId, t.membershipId], memberships),
    parentForeignKey('grants_group_fkey', [t.organizationId, t.groupId], groups),
    check('grants_level_check', sql`level in (1, 2)`),
    check('grants_principal_check', sql`num_nonnulls(membership_id, group_id) = 1`),
    check('grants_resource_check', sql`num_nonnulls(workspace_id, project_id, service_id) = 1`),
  ],
)

export const variables = pgTable(
  'variables',
  {
    id: organizationRowId(),
    ...scopeColumns(),
    key: text('key').notNull(),
    type: text('type').$type<'variable' | 'secret' | 'metric'>().notNull(),
    /** Plain text of a `metric`; null for the others. */
    value: text('value'),
    /** Encrypted by the vault for this row; null for a `metric`. */
    sealed: bytes('sealed'),
    systemType: text('system_type').$type<'integer' | 'boolean'>(),
    /** Patterns of the hosts that a `secret` may be sent to; empty for any host. */
    allowedHosts: text('allowed_hosts').array().notNull().default([]),
    /** A metric that a script wrote back: read-only in the API. */
    isScriptWritten: boolean('is_script_written').notNull().default(false),
    createdAt: createdAt(),
    updatedAt: instant('updated_at').notNull().defaultNow(),
  },
  (t) => [
    organizationKey('variables', t.organizationId, [t.id]),
    unique('variables_key_key').on(t.organizationId, t.workspaceId, t.projectId, t.serviceId, t.key).nullsNotDistinct(),
    index('variables_workspace_idx').on(t.workspaceId),
    index('variables_project_idx').on(t.projectId),
    index('variables_service_idx').on(t.serviceId),
    // The services that want reminders.
    index('variables_reminders_idx')
      .on(t.serviceId)
      .where(sql`key = 'remindMinutes' and system_type is not null and value <> '0'`),
    ...scopeForeignKeys('variables', t),
    foreignKey({
      name: 'variables_organization_fkey',
      columns: [t.organizationId],
      foreignColumns: [organizations.id],
    }).onDelete('cascade'),
    check('variables_type_check', sql`type in ('variable', 'secret', 'metric')`),
    check('variables_key_check', sql`char_length(key) between 1 and 64`),
    check(
      'variables_value_check',
      sql`(type = 'metric') = (value is not null) and (type = 'metric') = (sealed is null)`,
    ),
    check('variables_allowed_hosts_check', sql`type = 'secret' or allowed_hosts = '{}'`),
    check('variables_scope_check', sql`num_nonnulls(workspace_id, project_id, service_id) <= 1`),
  ],
)

export const silences = pgTable(
  'silences',
  {
    id: organizationRowId(),
    ...scopeColumns(),
    membershipId: uuid('membership_id').notNull(),
    channel: text('channel').$type<'email' | 'all' | 'quiet-hours'>().notNull(),
    /** The JSON string as the member sent it; null without one. */
    config: text('config'),
    quietHours: text('quiet_hours'),
    createdAt: createdAt(),
  },
  (t) => [
    organizationKey('silences', t.organizationId, [t.id]),
    index('silences_membership_idx').on(t.membershipId, t.id),
    ...scopeForeignKeys('silences', t),
    parentForeignKey('silences_membership_fkey', [t.organizationId, t.membershipId], memberships),
    check('silences_channel_check', sql`channel in ('email', 'all', 'quiet-hours')`),
    check('silences_scope_check', sql`num_nonnulls(workspace_id, project_id, service_id) <= 1`),
  ],
)
