import { check, index, integer, jsonb, pgTable, primaryKey, sql, text, unique, uniqueIndex, uuid } from '../drizzle.cjs'
import { createdAt, instant, organizationKey, organizationRowId, parentForeignKey } from './columns.ts'
import { memberships } from './organizations.ts'
import { scopeColumns, scopeForeignKeys } from './scope-columns.ts'

// Events, incidents, and their recipients. Except `follows`, no table here has foreign keys to configuration: storing a
// result then locks no configuration row. The `clear` job deletes the rows of deleted services.

export type EventKind =
  | 'service.failed'
  | 'service.recovered'
  | 'service.reminder'
  | 'service.flapping'
  | 'certificate.expiring'
  | 'agent.lost'
  | 'agent.back'

/** What happened to a service or an agent. Mails, deliveries and suppressions refer to it. */
export const alertEvents = pgTable(
  'alert_events',
  {
    id: organizationRowId(),
    organizationId: uuid('organization_id').notNull(),
    /** Null for an event of an agent. */
    serviceId: uuid('service_id'),
    /** The result that caused the event; null for reminders, certificates, agents and the end of flapping. */
    resultId: uuid('result_id'),
    incidentId: uuid('incident_id'),
    agentId: uuid('agent_id'),
    kind: text('kind').$type<EventKind>().notNull(),
    payload: jsonb('payload').$type<Record<string, unknown>>().notNull(),
    createdAt: createdAt(),
    /** When its mails and deliveries were queued. A repeated job does not queue them again. */
    notifiedAt: instant('notified_at'),
    /**
     * Why no one is notified of the event, such as `alertOnRecovery` being false; null for other events. Such a
     * recovery still closes the alerts of services that keep them open.
     */
    suppressedReason: text('suppressed_reason'),
  },
  (t) => [
    organizationKey('alert_events', t.organizationId, [t.id]),
    index('alert_events_service_idx').on(t.serviceId, t.createdAt),
    index('alert_events_incident_idx').on(t.incidentId, t.createdAt),
    index('alert_events_organization_idx').on(t.organizationId, t.createdAt),
    // The events of agents, which are few among those of services.
    index('alert_events_agents_idx').on(t.organizationId, t.createdAt).where(sql`service_id is null`),
    unique('alert_events_result_key').on(t.organizationId, t.resultId, t.kind),
  ],
)

/** What one agent saw last, as an incident keeps it. Instants are ISO-8601. */
export type AgentObservation = {
  agentId: string
  agentSlug: string
  status: 'success' | 'failure' | 'timeout'
  /** When the agent first saw this status in a row. */
  since: string
  /** Failures in a row on this agent. */
  failingRuns: number
  /** Why its last run failed, in one line; null after a success. */
  summary: string | null
  resultId: string
}

export type Severity = 'critical' | 'high' | 'medium' | 'low'

/** One confirmed failure of a service, from its confirmation to the recovery. */
export const incidents = pgTable(
  'incidents',
  {
    id: organizationRowId(),
    organizationId: uuid('organization_id').notNull(),
    serviceId: uuid('service_id').notNull(),
    openedAt: instant('opened_at').notNull(),
    /** Null while the incident is open. */
    closedAt: instant('closed_at'),
    /** The first failing run of the streak that was confirmed, which can be older than the incident. */
    failingSince: instant('failing_since').notNull(),
    /** The cause in one line, and the structured failure (`RunFailure`) behind it. */
    summary: text('summary').notNull(),
    failure: jsonb('failure').$type<Record<string, unknown>>().notNull(),
    /** The first failing result in a row, the last passing one before it, and the one that closed the incident. */
    firstResultId: uuid('first_result_id').notNull(),
    lastPassingResultId: uuid('last_passing_result_id'),
    recoveredResultId: uuid('recovered_result_id'),
    /** What each agent saw last when the incident opened, and, once it is closed, before the run that closed it. */
    agents: jsonb('agents').$type<AgentObservation[]>().notNull(),
    acknowledgedAt: instant('acknowledged_at'),
    /** The membership that acknowledged, and its name at that time: the membership can be removed later. */
    acknowledgedBy: uuid('acknowledged_by'),
    acknowledgedName: text('acknowledged_name'),
    /** Since when the service changes so often that the incident stays open; kept when it closes like this. */
    flappingSince: instant('flapping_since'),
    /** When the last reminder was stored. */
    remindedAt: instant('reminded_at'),
    /** Set by a member; null: that of the service's label, if it names one. */
    severity: text('severity').$type<Severity>(),
    assignedAt: instant('assigned_at'),
    /** The assigned membership, and its name at that time: the membership can be removed later. */
    assignedTo: uuid('assigned_to'),
    assignedName: text('assigned_name'),
  },
  (t) => [
    organizationKey('incidents', t.organizationId, [t.id]),
    uniqueIndex('incidents_open_key').on(t.organizationId, t.serviceId).where(sql`closed_at is null`),
    index('incidents_service_idx').on(t.serviceId, t.openedAt),
    // The order of the list: open ones first, newest first.
    index('incidents_list_idx').on(t.organizationId, sql`(closed_at is null)`, t.openedAt, t.id),
    check('incidents_severity_check', sql`severity in ('critical', 'high', 'medium', 'low')`),
  ],
)

export const incidentNotes = pgTable(
  'incident_notes',
  {
    id: organizationRowId(),
    incidentId: uuid('incident_id').notNull(),
    organizationId: uuid('organization_id').notNull(),
    membershipId: uuid('membership_id').notNull(),
    /** The author's name when the note was written. */
    authorName: text('author_name').notNull(),
    text: text('text').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    organizationKey('incident_notes', t.organizationId, [t.id]),
    index('incident_notes_incident_idx').on(t.incidentId, t.createdAt),
    parentForeignKey('incident_notes_incident_fkey', [t.organizationId, t.incidentId], incidents),
  ],
)

/** What members did with an incident, for its timeline. */
export const incidentChanges = pgTable(
  'incident_changes',
  {
    id: organizationRowId(),
    incidentId: uuid('incident_id').notNull(),
    organizationId: uuid('organization_id').notNull(),
    kind: text('kind').$type<IncidentChangeKind>().notNull(),
    membershipId: uuid('membership_id').notNull(),
    /** The member's name at that time. */
    memberName: text('member_name').notNull(),
    /** The name of the assignee or the new severity; null for other kinds, and for the severity of the label. */
    value: text('value'),
    createdAt: createdAt(),
  },
  (t) => [
    organizationKey('incident_changes', t.organizationId, [t.id]),
    index('incident_changes_incident_idx').on(t.incidentId, t.createdAt),
    parentForeignKey('incident_changes_incident_fkey', [t.organizationId, t.incidentId], incidents),
  ],
)

export type IncidentChangeKind =
  | 'acknowledged'
  | 'unacknowledged'
  | 'assigned'
  | 'unassigned'
  | 'severity'
  | 'post_mortem'

/** The post-mortem of an incident, in Markdown. In a table of its own: storing runs reads the rows of open incidents. */
export const incidentPostMortems = pgTable(
  'incident_post_mortems',
  {
    incidentId: uuid('incident_id').notNull(),
    organizationId: uuid('organization_id').notNull(),
    text: text('text').notNull(),
    /** Who saved it last, and the name at that time. */
    membershipId: uuid('membership_id').notNull(),
    authorName: text('author_name').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  (t) => [
    organizationKey('incident_post_mortems', t.organizationId, [t.incidentId]),
    parentForeignKey('incident_post_mortems_incident_fkey', [t.organizationId, t.incidentId], incidents),
  ],
)

/** A member who follows a workspace, project or service without a grant on it. */
export const follows = pgTable(
  'follows',
  {
    id: organizationRowId(),
    ...scopeColumns(),
    membershipId: uuid('membership_id').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    organizationKey('follows', t.organizationId, [t.id]),
    unique('follows_key')
      .on(t.organizationId, t.membershipId, t.workspaceId, t.projectId, t.serviceId)
      .nullsNotDistinct(),
    index('follows_membership_idx').on(t.membershipId),
    index('follows_workspace_idx').on(t.workspaceId),
    index('follows_project_idx').on(t.projectId),
    index('follows_service_idx').on(t.serviceId),
    ...scopeForeignKeys('follows', t),
    parentForeignKey('follows_membership_fkey', [t.organizationId, t.membershipId], memberships),
    check('follows_resource_check', sql`num_nonnulls(workspace_id, project_id, service_id) = 1`),
  ],
)

/** Why a member or a webhook is a recipient of an event. */
export type HeardThrough = {
  kind: 'grant' | 'group' | 'follow' | 'binding' | 'section' | 'owner'
  /** The group's name; null for the other kinds. */
  group: string | null
  /** The resource of the grant, follow or binding, or `organization` for a binding; null for sections and the owner. */
  resourceType: 'organization' | 'workspace' | 'project' | 'service' | null
  resourceName: string | null
}

/**
 * The message of an event to one recipient: one row per member, and one per webhook whose binding is paused. Sent
 * webhook messages are in `webhookDeliveries`.
 */
export const alertMessages = pgTable(
  'alert_messages',
  {
    id: organizationRowId(),
    organizationId: uuid('organization_id').notNull(),
    eventId: uuid('event_id').notNull(),
    channel: text('channel').$type<'email' | 'webhook'>().notNull(),
    membershipId: uuid('membership_id'),
    webhookId: uuid('webhook_id'),
    heardThrough: jsonb('heard_through').$type<HeardThrough[]>().notNull(),
    /** `held`: a silence keeps it back until quiet hours end, and a digest then lists what still fails. */
    state: text('state').$type<'pending' | 'sent' | 'failed' | 'suppressed' | 'held'>().notNull(),
    /** Why it is suppressed, held or failed, or why the last attempt failed; null for the others. */
    reason: text('reason'),
    silencedUntil: instant('silenced_until'),
    /** The mail that carries it: a digest carries several. A pending message without a mail is being collected. */
    mailId: uuid('mail_id'),
    sentAt: instant('sent_at'),
    createdAt: createdAt(),
  },
  (t) => [
    organizationKey('alert_messages', t.organizationId, [t.id]),
    index('alert_messages_event_idx').on(t.eventId),
    index('alert_messages_open_idx').on(t.membershipId, t.createdAt).where(sql`state in ('pending', 'held')`),
    parentForeignKey('alert_messages_event_fkey', [t.organizationId, t.eventId], alertEvents),
    check('alert_messages_state_check', sql`state in ('pending', 'sent', 'failed', 'suppressed', 'held')`),
  ],
)

/** The certificate that expires first of those that a service's runs see on a host. */
export const certificates = pgTable(
  'certificates',
  {
    serviceId: uuid('service_id').notNull(),
    /** Host name, with the port if it is not 443. */
    host: text('host').notNull(),
    organizationId: uuid('organization_id').notNull(),
    notAfter: instant('not_after').notNull(),
    notBefore: instant('not_before'),
    subject: text('subject'),
    issuer: text('issuer'),
    /** When it was last seen, to the hour, and by which agent. */
    seenAt: instant('seen_at').notNull(),
    agentId: uuid('agent_id'),
    /** The threshold in days of the last `certificate.expiring` for this `notAfter`; null before the first. */
    warnedDays: integer('warned_days'),
  },
  (t) => [
    organizationKey('certificates', t.organizationId, [t.serviceId, t.host]),
    index('certificates_expiry_idx').on(t.notAfter),
  ],
)

/** Agents whose loss an organization was notified of, until their return. */
export const lostAgents = pgTable(
  'lost_agents',
  {
    organizationId: uuid('organization_id').notNull(),
    agentId: uuid('agent_id').notNull(),
    lostAt: instant('lost_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.organizationId, t.agentId] })],
)
