import { boolean, check, index, integer, pgTable, primaryKey, real, sql, text, unique, uuid } from '../drizzle.cjs'
import { createdAt, id, instant, organizationKey, organizationRowId, parentForeignKey } from './columns.ts'
import { organizationId, organizations } from './organizations.ts'

export const workspaces = pgTable(
  'workspaces',
  {
    id: organizationRowId(),
    organizationId: organizationId(),
    name: text('name').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    organizationKey('workspaces', t.organizationId, [t.id]),
    unique('workspaces_name_key').on(t.organizationId, t.name),
    check('workspaces_name_check', sql`char_length(name) between 1 and 128`),
  ],
)

export const projects = pgTable(
  'projects',
  {
    id: organizationRowId(),
    organizationId: uuid('organization_id').notNull(),
    workspaceId: uuid('workspace_id').notNull(),
    name: text('name').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    organizationKey('projects', t.organizationId, [t.id]),
    unique('projects_name_key').on(t.organizationId, t.workspaceId, t.name),
    parentForeignKey('projects_workspace_fkey', [t.organizationId, t.workspaceId], workspaces),
    check('projects_name_check', sql`char_length(name) between 1 and 128`),
  ],
)

export const services = pgTable(
  'services',
  {
    id: organizationRowId(),
    organizationId: uuid('organization_id').notNull(),
    projectId: uuid('project_id').notNull(),
    name: text('name').notNull(),
    /** At most ten, each once. */
    labels: text('labels').array().notNull().default([]),
    /** The first of `labels`. */
    label: text('label').generatedAlwaysAs(sql`labels[1]`),
    script: text('script'),
    /**
     * The calls of the script, in its order, such as `GET https://shop.example/cart`: URLs as written, at most 1,024
     * characters. The migration defines the function.
     */
    calls: text('calls').array().notNull().generatedAlwaysAs(sql`script_calls(script)`),
    schedule: text('schedule').notNull().default('*/5 * * * *'),
    /** The IANA time zone of the schedule; null for UTC. */
    timezone: text('timezone'),
    probeMode: text('probe_mode').$type<'consecutive' | 'simultaneous' | 'random'>().notNull().default('consecutive'),
    queuePolicy: text('queue_policy').$type<'skip' | 'enqueue_once'>().notNull().default('skip'),
    serviceWindow: text('service_window'),
    saveResponseBodies: boolean('save_response_bodies').notNull().default(true),
    sendTraceparent: boolean('send_traceparent').notNull().default(false),
    isActive: boolean('is_active').notNull().default(false),
    /** 1 until the first script save. */
    version: integer('version').notNull().default(1),
    /** The script's target hosts at its last validation, except hosts that depend on run variables. */
    targetHosts: text('target_hosts').array().notNull().default([]),
    createdAt: createdAt(),
  },
  (t) => [
    organizationKey('services', t.organizationId, [t.id]),
    unique('services_name_key').on(t.organizationId, t.projectId, t.name),
    index('services_project_order_idx').on(t.projectId, t.createdAt, t.id),
    // Finds the scripts that read a variable. The migration defines the function.
    index('services_variables_idx').using('gin', sql`script_variables(${t.script})`),
    parentForeignKey('services_project_fkey', [t.organizationId, t.projectId], projects),
    check('services_name_check', sql`char_length(name) between 1 and 128`),
    check('services_labels_check', sql`cardinality(labels) <= 10`),
    check('services_schedule_check', sql`char_length(schedule) <= 16`),
    check('services_timezone_check', sql`char_length(timezone) <= 64`),
    check('services_window_check', sql`char_length(service_window) <= 256`),
    check('services_probe_mode_check', sql`probe_mode in ('consecutive', 'simultaneous', 'random')`),
    check('services_queue_policy_check', sql`queue_policy in ('skip', 'enqueue_once')`),
    check('services_active_check', sql`not is_active or script is not null`),
  ],
)

/** Locations that runs are executed from. All organizations share the rows without an organization. */
export const agents = pgTable(
  'agents',
  {
    id: id(),
    slug: text('slug').notNull(),
    label: text('label').notNull(),
    isActive: boolean('is_active').notNull().default(true),
    organizationId: uuid('organization_id').references(() => organizations.id, { onDelete: 'cascade' }),
    /** Of shared agents: services that name no agent run on it. Agents of organizations run only services that name them. */
    isOpen: boolean('is_open').notNull().default(true),
    /** It has had keys, or it was created for a remote process and no worker of the installation has had its slug. */
    isRemote: boolean('is_remote').notNull().default(false),
    createdAt: createdAt(),
    /** The last heartbeat of its workers whose rows are deleted. Those of the others are in `workers`. */
    lastSeenAt: instant('last_seen_at'),
    /** A remote agent's networks that are not public, as its process reported them last; null for no remote agent. */
    allowedNetworks: text('allowed_networks').array(),
  },
  // Two namespaces: the slugs of shared agents, and those of each organization's own.
  (t) => [unique('agents_slug_key').on(t.organizationId, t.slug).nullsNotDistinct()],
)

/** Shared agents that an organization does not use. */
export const agentExclusions = pgTable(
  'agent_exclusions',
  {
    organizationId: organizationId(),
    agentId: uuid('agent_id')
      .notNull()
      .references(() => agents.id, { onDelete: 'cascade' }),
    createdAt: createdAt(),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.agentId] })],
)

/** What an agent's processes reported, by the hour, sampled every minute. An hour without a live process has no row. */
export const agentHours = pgTable(
  'agent_hours',
  {
    agentId: uuid('agent_id')
      .notNull()
      .references(() => agents.id, { onDelete: 'cascade' }),
    hour: instant('hour').notNull(),
    aliveSeconds: real('alive_seconds').notNull().default(0),
    /** The most slots and busy slots of all live processes together; null when no process reported them. */
    slotsMax: integer('slots_max'),
    busyMax: integer('busy_max'),
    /** The share of its machine's processor time that the busiest process used, 0 to 1. */
    cpuMax: real('cpu_max'),
    latenessMaxMs: integer('lateness_max_ms'),
    /** Runs that the agent finished. */
    runs: integer('runs').notNull().default(0),
    /** Until when the hour is counted. */
    countedUntil: instant('counted_until').notNull(),
  },
  (t) => [primaryKey({ columns: [t.agentId, t.hour] }), index('agent_hours_hour_idx').on(t.hour)],
)

export const serviceAgents = pgTable(
  'service_agents',
  {
    organizationId: uuid('organization_id').notNull(),
    serviceId: uuid('service_id').notNull(),
    agentId: uuid('agent_id')
      .notNull()
      .references(() => agents.id, { onDelete: 'cascade' }),
  },
  (t) => [
    organizationKey('service_agents', t.organizationId, [t.serviceId, t.agentId]),
    parentForeignKey('service_agents_service_fkey', [t.organizationId, t.serviceId], services),
  ],
)
