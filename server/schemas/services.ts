import { z } from 'zod'
import { CRON_MAX_LENGTH, cronProblem } from '../schedule/cron.ts'
import { Id, Instant, Label, Name, openEnum, PageQuery, pageOf } from './conventions.ts'
import { ServiceMetrics } from './metrics.ts'
import { LastFailure } from './results/failures.ts'
import { RunStatus } from './runs.ts'
import { SCRIPT_MAX } from './scripts/limits.ts'

export const SCHEDULE_DEFAULT = '*/5 * * * *'
export const SCHEDULE_MAX = CRON_MAX_LENGTH
export const PROBE_MODES = ['consecutive', 'simultaneous', 'random'] as const
export const QUEUE_POLICIES = ['skip', 'enqueue_once'] as const

/** The maximum of recent runs in a snapshot. */
export const RECENT_PROBES = 50

export const Script = z.string().max(SCRIPT_MAX).meta({ description: 'A probe script in the Lace language.' })

export const Schedule = z
  .string()
  .max(SCHEDULE_MAX)
  .superRefine((text, check) => {
    const problem = cronProblem(text)
    if (problem) check.addIssue({ code: 'custom', message: problem })
  })
  .meta({ description: 'A cron expression of five fields, in UTC.' })

const ServiceWindow = z.string().max(256).meta({
  description: 'A maintenance window, `RRULE/minutes[/timezone]`. While it is open, no scheduled runs start.',
})

const Version = z
  .int()
  .meta({ description: 'The version that the script replaces; 1 for a service without a saved script.' })

export const ServiceCertificate = z
  .object({
    host: z.string().meta({ description: 'Host name, with the port if it is not 443.', example: 'shop.example' }),
    notAfter: Instant.meta({ description: 'When the certificate expires.' }),
    daysLeft: z.int().meta({
      description: 'Days until it expires, rounded up: 1 on the last day, 0 or less afterwards.',
      example: 27,
    }),
    subject: z.string().nullable().meta({ description: 'Common name of its subject.', example: 'shop.example' }),
    issuer: z.string().nullable().meta({ description: 'Common name of its issuer.', example: 'R11' }),
    lastSeenAt: Instant.meta({ description: 'When a run last saw it, to the hour.' }),
  })
  .meta({
    id: 'ServiceCertificate',
    description:
      'A TLS certificate that the runs of a service see. A host that shows several has the one that expires first. Hosts ' +
      'that no run has seen for a week are left out.',
  })
export type ServiceCertificate = z.output<typeof ServiceCertificate>

export const Service = z
  .object({
    id: Id,
    projectId: Id,
    name: z.string(),
    label: z.string().nullable(),
    script: z.string().nullable().meta({ description: 'Null until the first script is saved.' }),
    schedule: z.string(),
    probeMode: openEnum(PROBE_MODES),
    queuePolicy: openEnum(QUEUE_POLICIES),
    serviceWindow: z.string().nullable(),
    saveResponseBodies: z.boolean(),
    isActive: z.boolean(),
    lastStatus: RunStatus.nullable().meta({ description: 'Null before the first run.' }),
    lastStatusSince: Instant.nullable(),
    version: z.int().meta({ description: 'Increases by one with every script save.' }),
    createdAt: Instant,
    unverifiedTargets: z
      .array(z.string())
      .meta({ description: 'Hosts that the script targets and the organization has not verified.' }),
    metrics: ServiceMetrics.optional(),
    lastFailure: LastFailure.optional(),
    certificates: z
      .array(ServiceCertificate)
      .meta({ description: 'One per host, the next to expire first; at most 50. Empty without TLS.' }),
  })
  .meta({ id: 'Service', description: 'A scripted HTTP probe with a schedule.' })
export type Service = z.output<typeof Service>

export const ServicePage = pageOf(Service, 'ServicePage')

export const ServiceQuery = PageQuery.extend({ projectId: Id })

export const ServiceCreate = z.object({
  projectId: Id,
  name: Name,
  label: Label.nullish(),
  schedule: Schedule.default(SCHEDULE_DEFAULT),
  saveResponseBodies: z.boolean().default(true),
  script: Script.optional(),
  isActive: z.boolean().optional().meta({ description: 'False saves the script without switching the service on.' }),
})
export type ServiceCreate = z.output<typeof ServiceCreate>

export const ServiceChange = z.object({
  name: Name.optional(),
  label: Label.nullish(),
  schedule: Schedule.optional(),
  probeMode: z.enum(PROBE_MODES).optional(),
  queuePolicy: z.enum(QUEUE_POLICIES).optional(),
  serviceWindow: ServiceWindow.nullish(),
  saveResponseBodies: z.boolean().optional(),
  script: Script.optional(),
  version: Version.optional().meta({ description: 'Required with a script: the version that it replaces.' }),
})
export type ServiceChange = z.output<typeof ServiceChange>

export const ScriptSave = z.object({ script: Script, version: Version })

export const RecentProbe = z
  .object({
    status: RunStatus,
    avgResponseMs: z.number().nullable().meta({ description: 'Mean over the calls; null without calls.' }),
    callCount: z.int(),
    failedCalls: z.int(),
    timestamp: z.int().meta({ description: 'Start of the run, in epoch seconds.' }),
  })
  .meta({ id: 'RecentProbe' })

export const ServiceSnapshot = z
  .object({
    service: Service,
    recentProbes: z.array(RecentProbe).meta({ description: `The latest ${RECENT_PROBES} runs at most, newest first.` }),
  })
  .meta({ id: 'ServiceSnapshot', description: 'A service and its most recent runs in one read.' })
export type ServiceSnapshot = z.output<typeof ServiceSnapshot>

export const RunRequested = z
  .object({
    ok: z.literal(true),
    requestedAt: Instant.meta({ description: 'Whole seconds; pass it as `since` to find the run among the results.' }),
  })
  .meta({ id: 'RunRequested' })
