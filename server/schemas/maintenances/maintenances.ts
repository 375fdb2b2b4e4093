import { z } from 'zod'
import {
  CreatedAt,
  Instant,
  Label,
  LineOfText,
  MaintenanceId,
  OrgUserId,
  openEnum,
  PageQuery,
  ProjectId,
  pageOf,
  ServiceId,
  WorkspaceId,
} from '../conventions.ts'

export const MAINTENANCE_MODES = ['mute', 'skip'] as const
export const MAINTENANCE_STATES = ['active', 'upcoming', 'past'] as const
/** Of those that are on or planned, in an organization. */
export const MAINTENANCES_MAX = 500
export const MAINTENANCE_NOTE_MAX = 256
/** 366 days: the longest, and how far ahead one may begin. */
export const MAINTENANCE_MINUTES_MAX = 527_040
export const MAINTENANCE_RULE_MAX = 256

const STARTS_AT = '2026-11-20T12:30:00.000Z'
const ENDS_AT = '2026-11-20T12:50:00.000Z'
const RULE_EXAMPLE = 'FREQ=WEEKLY;BYDAY=SU;BYHOUR=3;BYMINUTE=0/60'

const MODE = {
  description:
    'While it is on, `mute` runs the services as always, and `skip` starts no scheduled runs. In both modes, results count ' +
    'for no state, incident, statistic or uptime, and nobody is notified.',
  example: 'mute',
}

const MaintenanceMember = z
  .object({
    orgUserId: OrgUserId.meta({ description: 'The membership.' }),
    name: z.string().meta({ description: "The member's name at that time.", example: 'Ada Lovelace' }),
  })
  .meta({ id: 'MaintenanceMember', description: 'A member who created or ended a maintenance.' })

export const Maintenance = z
  .object({
    id: MaintenanceId,
    workspaceId: WorkspaceId.nullable().meta({ description: 'The workspace that it covers, or null.', example: null }),
    projectId: ProjectId.nullable().meta({ description: 'The project that it covers, or null.' }),
    serviceId: ServiceId.nullable().meta({ description: 'The service that it covers, or null.', example: null }),
    resourceName: z
      .string()
      .meta({ description: 'The name of that workspace, project or service.', example: 'Storefront' }),
    resourcePath: z.string().meta({
      description: 'The same with the names above it, so that resources of the same name can be told apart.',
      example: 'Shop / Storefront',
    }),
    label: z.string().nullable().meta({
      description: 'Only services with this label within the workspace or project; null for all.',
      example: null,
    }),
    mode: openEnum(MAINTENANCE_MODES).meta(MODE),
    state: openEnum(MAINTENANCE_STATES).meta({
      description:
        '`active` while it holds, `upcoming` before it begins or between the times of its rule, `past` after it.',
      example: 'active',
    }),
    startsAt: Instant.meta({
      description: 'When it begins or began; with a rule, its present or next time.',
      example: STARTS_AT,
    }),
    endsAt: Instant.meta({
      description: 'When it ends or ended; with a rule, its present or next time.',
      example: ENDS_AT,
    }),
    rule: z.string().nullable().meta({
      description: '`RRULE/minutes[/timezone]` of a maintenance that recurs; null for one time.',
      example: null,
    }),
    timezone: z
      .string()
      .nullable()
      .meta({ description: 'The time zone of a rule that names none; null without a rule.', example: null }),
    note: z.string().nullable().meta({ description: 'Why, in one line; null without.', example: 'deploy 42' }),
    createdAt: CreatedAt,
    createdBy: MaintenanceMember.meta({ description: 'Who created it.' }),
    endedAt: Instant.nullable().meta({
      description: 'When a member ended it before its time, or when its rule had no further time; null otherwise.',
      example: null,
    }),
    endedBy: MaintenanceMember.nullable().meta({ description: 'The member who ended it; null otherwise.' }),
    mayWrite: z.boolean().meta({
      description: 'Whether the member of the caller may change it. A key that only reads still cannot.',
      example: true,
    }),
  })
  .meta({ id: 'Maintenance', description: 'A time in which the services of a scope wake nobody.' })
export type Maintenance = z.output<typeof Maintenance>

export const MaintenancePage = pageOf(Maintenance, 'MaintenancePage')

export const MaintenanceQuery = PageQuery.extend({
  state: z
    .enum(MAINTENANCE_STATES)
    .optional()
    .meta({ description: 'Only maintenances in this state.', example: 'active' }),
  serviceId: ServiceId.optional().meta({
    description: 'Only maintenances that cover this service: its own, and those of its project and workspace.',
  }),
  projectId: ProjectId.optional().meta({
    description: 'Only maintenances of this project, of its workspace, and of its services.',
  }),
  workspaceId: WorkspaceId.optional().meta({
    description:
      'Only maintenances of this workspace, its projects and its services. At most one of the three ids may be given.',
  }),
  withoutParts: z.enum(['true', 'false']).optional().meta({
    description: 'Leaves out those of projects within the workspace, and of services within the project or workspace.',
    example: 'false',
  }),
})
export type MaintenanceQuery = z.output<typeof MaintenanceQuery>

const At = z.iso.datetime({
  offset: true,
  error: 'must be an ISO-8601 time with a time zone, such as 2026-01-31T09:30:00Z',
})
const Minutes = z.int().min(1).max(MAINTENANCE_MINUTES_MAX)
const Note = LineOfText.max(MAINTENANCE_NOTE_MAX)

export const MaintenanceCreate = z
  .object({
    workspaceId: WorkspaceId.nullish().meta({ description: 'Covers the services of this workspace.' }),
    projectId: ProjectId.nullish().meta({ description: 'Covers the services of this project.' }),
    serviceId: ServiceId.nullish().meta({
      description: 'Covers this service. Exactly one of the three ids must be given.',
    }),
    label: Label.nullish().meta({
      description: 'Covers only services with this label within the workspace or project.',
      example: 'production',
    }),
    mode: z.enum(MAINTENANCE_MODES).default('mute').meta(MODE),
    startsAt: At.nullish().meta({
      description: 'When it begins, at most 5 minutes in the past; now if it is not given. Not with a rule.',
      example: STARTS_AT,
    }),
    endsAt: At.nullish().meta({
      description: 'When it ends. Exactly one of `endsAt`, `minutes` and `rule` must be given.',
      example: ENDS_AT,
    }),
    minutes: Minutes.nullish().meta({ description: 'How long it lasts, instead of `endsAt`.', example: 20 }),
    rule: z.string().max(MAINTENANCE_RULE_MAX).nullish().meta({
      description: 'When it recurs, at most once an hour: `RRULE/minutes[/timezone]`.',
      example: RULE_EXAMPLE,
    }),
    timezone: z.string().max(64).nullish().meta({
      description: 'The time zone (IANA) of a rule that names none; otherwise that of the organization.',
      example: 'Europe/Berlin',
    }),
    note: Note.nullish().meta({ description: 'Why, in one line.', example: 'deploy 42' }),
  })
  .meta({ example: { projectId: ProjectId.meta()?.example, minutes: 20, note: 'deploy 42' } })
export type MaintenanceCreate = z.output<typeof MaintenanceCreate>

export const MaintenanceChange = z.object({
  endsAt: At.optional().meta({ description: 'When it ends. Not for a maintenance with a rule.', example: ENDS_AT }),
  minutes: Minutes.optional().meta({
    description: 'It ends so many minutes from now, or from its start if it has not begun. Instead of `endsAt`.',
    example: 30,
  }),
  end: z.literal(true).optional().meta({
    description:
      'Ends it now. One with a rule ends for this time, and goes on with its next. One that is past stays as it is.',
    example: true,
  }),
  note: Note.nullable().optional().meta({ description: 'Why, in one line; null clears it.', example: 'deploy 42' }),
})
export type MaintenanceChange = z.output<typeof MaintenanceChange>

/** What holds for a service now. */
export const ServiceMaintenance = z
  .object({
    id: MaintenanceId.nullable().meta({
      description: 'The id of the maintenance; null for the own maintenance window of the service.',
    }),
    mode: openEnum(MAINTENANCE_MODES).meta({ ...MODE, description: 'As in a maintenance.' }),
    until: Instant.meta({ description: 'When it ends.', example: ENDS_AT }),
    note: z.string().nullable().meta({ description: 'Why, in one line; null without.', example: 'deploy 42' }),
    by: z.string().nullable().meta({
      description: 'The name of who created it; null for the own maintenance window of the service.',
      example: 'Ada Lovelace',
    }),
  })
  .meta({ id: 'ServiceMaintenance', description: 'The maintenance that holds for a service now.' })
export type ServiceMaintenance = z.output<typeof ServiceMaintenance>
