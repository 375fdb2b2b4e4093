import { z } from 'zod'
import { CRON_MAX_LENGTH, cronProblem } from '../schedule/cron.ts'
import {
  CreatedAt,
  Instant,
  Label,
  Labels,
  Name,
  openEnum,
  PageQuery,
  ProjectId,
  pageOf,
  ServiceId,
} from './conventions.ts'
import { ServiceMaintenance } from './maintenances/maintenances.ts'
import { ServiceMetrics } from './metrics.ts'
import { LastFailure } from './results/failures.ts'
import { RunStatus } from './runs.ts'
import { SCRIPT_MAX } from './scripts/limits.ts'
import { SERVICE_STATES } from './status/states.ts'

export const SCHEDULE_DEFAULT = '*/5 * * * *'
export const SCHEDULE_MAX = CRON_MAX_LENGTH
export const PROBE_MODES = ['consecutive', 'simultaneous', 'random'] as const
export const QUEUE_POLICIES = ['skip', 'enqueue_once'] as const

/** The maximum of recent runs in a snapshot. */
export const RECENT_PROBES = 50

const SCRIPT_EXAMPLE = 'get("https://shop.example/health").expect(status: 200)'

export const Script = z
  .string()
  .max(SCRIPT_MAX)
  .meta({ description: 'A probe script in the Lace language.', example: SCRIPT_EXAMPLE })

export const Schedule = z
  .string()
  .trim()
  .max(SCHEDULE_MAX)
  .superRefine((text, check) => {
    const problem = cronProblem(text)
    if (problem) check.addIssue({ code: 'custom', message: problem })
  })
  .meta({
    description: 'A cron expression of five fields, in UTC or the `timezone` of the service.',
    example: SCHEDULE_DEFAULT,
  })

/** The length of the longest name is 32. */
export const TIMEZONE_MAX = 64

export const ServiceTimezone = z
  .string()
  .max(TIMEZONE_MAX)
  .meta({
    description:
      'The time zone of `schedule`, by its IANA name. An empty text or null is UTC. A time that clocks skip takes place ' +
      'when they have moved; one that comes twice, the first time.',
    example: 'Europe/Berlin',
  })

const ProbeModeText = {
  description:
    'Which of its agents run a due service: `consecutive` (one, in turn), `simultaneous` (all) or `random` (one).',
  example: 'consecutive',
}
const QueuePolicyText = {
  description:
    'What happens to a run that is due before the previous one has finished: `skip`, or `enqueue_once`, which runs it next ' +
    '(at most one waits).',
  example: 'skip',
}
const SAVES_BODIES = 'Whether runs store the bodies of responses.'
const SENDS_TRACEPARENT =
  'Whether each request of a run carries the W3C header `traceparent`, unless the script sets it. All requests of a run ' +
  'have one trace id, which the result shows.'

const ServiceWindow = z.string().max(256).meta({
  description:
    'A maintenance window, `RRULE/minutes[/timezone]`. While it is open, no scheduled runs start. An empty text or null removes it.',
  example: 'FREQ=WEEKLY;BYDAY=SU;BYHOUR=3;BYMINUTE=0/60/Europe/Berlin',
})

/** Of clients that know one label. */
const ServiceLabel = Label.nullish().meta({
  description:
    'The first label. Without `labels`, a text replaces the first one and the others stay; null or an empty text removes ' +
    'all of them. With `labels`, it must be the first of them.',
  example: 'production',
})

const Version = z
  .int()
  .meta({ description: 'The version that the script replaces; 1 for a service without a saved script.', example: 1 })

export const ServiceCertificate = z
  .object({
    host: z.string().meta({ description: 'Host name, with the port if it is not 443.', example: 'shop.example' }),
    notAfter: Instant.meta({ description: 'When the certificate expires.', example: '2026-12-17T09:00:00.000Z' }),
    daysLeft: z.int().meta({
      description: 'Days until it expires, rounded up: 1 on the last day, 0 or less afterwards.',
      example: 27,
    }),
    subject: z.string().nullable().meta({ description: 'Common name of its subject.', example: 'shop.example' }),
    issuer: z.string().nullable().meta({ description: 'Common name of its issuer.', example: 'R11' }),
    lastSeenAt: Instant.meta({
      description: 'When a run last saw it, to the hour.',
      example: '2026-11-20T12:00:00.000Z',
    }),
  })
  .meta({
    id: 'ServiceCertificate',
    description:
      'A TLS certificate that the runs of a service see. Each host has the one that expires first of its chain, up to the ' +
      'authority, and of the chains that it shows. Hosts that no run has seen for a week are left out.',
  })
export type ServiceCertificate = z.output<typeof ServiceCertificate>

export const Service = z
  .object({
    id: ServiceId,
    projectId: ProjectId,
    name: z.string().meta({ description: 'The name, unique in the project.', example: 'Checkout' }),
    label: z
      .string()
      .nullable()
      .meta({ description: 'The first of `labels`; null without one.', example: 'production' }),
    labels: z
      .array(z.string())
      .meta({ description: 'Short texts shown next to the name.', example: ['production', 'checkout'] }),
    script: z
      .string()
      .nullable()
      .meta({ description: 'The script. Null until the first one is saved.', example: SCRIPT_EXAMPLE }),
    schedule: z.string().meta({
      description: 'A cron expression of five fields, in UTC or the `timezone` of the service.',
      example: SCHEDULE_DEFAULT,
    }),
    timezone: z
      .string()
      .nullable()
      .meta({ description: 'The time zone of `schedule`, by its IANA name; null for UTC.', example: 'Europe/Berlin' }),
    probeMode: openEnum(PROBE_MODES).meta(ProbeModeText),
    queuePolicy: openEnum(QUEUE_POLICIES).meta(QueuePolicyText),
    serviceWindow: z.string().nullable().meta({
      description: 'The maintenance window, `RRULE/minutes[/timezone]`; null without one.',
      example: null,
    }),
    saveResponseBodies: z.boolean().meta({ description: SAVES_BODIES, example: true }),
    sendTraceparent: z.boolean().meta({ description: SENDS_TRACEPARENT, example: false }),
    isActive: z
      .boolean()
      .meta({ description: 'Whether the service is on, so that its runs are scheduled.', example: true }),
    state: openEnum(SERVICE_STATES).meta({
      description:
        '`failing`: the last run failed. `degraded`: it passed with failed checks, or fewer than half of the agents fail. ' +
        '`passing`: it passed. `unknown`: two more slots of the schedule and a minute have passed since the first slot ' +
        'without a result, or each agent that may run the service has been lost for three minutes; the last run then says ' +
        'nothing about now. `pending`: the service is on and has not run yet. `paused`: it is off.',
      example: 'passing',
    }),
    stateSince: Instant.nullable().meta({
      description:
        'Since when the service is in this state. For `unknown`: the first slot without a result, or the last heartbeat ' +
        'of its agents, whichever is earlier. Null while it is paused.',
    }),
    lastStatus: RunStatus.nullable().meta({
      description:
        'The outcome of the last run that was executed. Skipped runs leave it as it is: after skipped runs alone it is null.',
    }),
    lastStatusSince: Instant.nullable().meta({
      description: 'When the current streak of this outcome began; null before the first run.',
    }),
    maintenance: ServiceMaintenance.nullable().meta({
      description:
        'The maintenance that holds for the service now, or its own maintenance window that is open; null without one.',
      example: null,
    }),
    version: z.int().meta({ description: 'Increases by one with every script save.', example: 2 }),
    createdAt: CreatedAt,
    unverifiedTargets: z.array(z.string()).meta({
      description: 'Hosts that the script targets and the organization has not verified.',
      example: ['shop.example'],
    }),
    metrics: ServiceMetrics.optional(),
    lastFailure: LastFailure.optional(),
    certificates: z
      .array(ServiceCertificate)
      .meta({ description: 'One per host, the next to expire first; at most 50. Empty without TLS.' }),
  })
  .meta({ id: 'Service', description: 'A scripted HTTP probe with a schedule.' })
export type Service = z.output<typeof Service>

export const ServicePage = pageOf(Service, 'ServicePage')

export const ServiceQuery = PageQuery.extend({
  projectId: ProjectId.meta({ description: 'The project whose services are listed.' }),
})

export const ServiceCreate = z.object({
  projectId: ProjectId.meta({ description: 'The project that gets the service.' }),
  name: Name,
  label: ServiceLabel,
  labels: Labels.optional(),
  schedule: Schedule.default(SCHEDULE_DEFAULT),
  timezone: ServiceTimezone.nullish(),
  saveResponseBodies: z.boolean().default(true).meta({ description: SAVES_BODIES, example: true }),
  sendTraceparent: z.boolean().default(false).meta({ description: SENDS_TRACEPARENT, example: true }),
  script: Script.optional(),
  isActive: z
    .boolean()
    .optional()
    .meta({ description: 'False saves the script without switching the service on.', example: true }),
})
export type ServiceCreate = z.output<typeof ServiceCreate>

export const ServiceChange = z.object({
  name: Name.optional(),
  label: ServiceLabel,
  labels: Labels.optional(),
  schedule: Schedule.optional(),
  timezone: ServiceTimezone.nullish(),
  probeMode: z.enum(PROBE_MODES).optional().meta(ProbeModeText),
  queuePolicy: z.enum(QUEUE_POLICIES).optional().meta(QueuePolicyText),
  serviceWindow: ServiceWindow.nullish(),
  saveResponseBodies: z.boolean().optional().meta({ description: SAVES_BODIES, example: true }),
  sendTraceparent: z.boolean().optional().meta({ description: SENDS_TRACEPARENT, example: true }),
  script: Script.optional(),
  version: Version.optional().meta({ description: 'Required with a script: the version that it replaces.' }),
})
export type ServiceChange = z.output<typeof ServiceChange>

export const ScriptSave = z.object({ script: Script, version: Version })

export const RecentProbe = z
  .object({
    status: RunStatus,
    avgResponseMs: z
      .number()
      .nullable()
      .meta({ description: 'Mean response time of the calls, in milliseconds; null without calls.', example: 92 }),
    callCount: z.int().meta({ description: 'Calls that the run made.', example: 2 }),
    failedCalls: z.int().meta({ description: 'Calls of these that failed.', example: 0 }),
    timestamp: z.int().meta({ description: 'Start of the run, in epoch seconds.', example: 1_795_177_800 }),
  })
  .meta({ id: 'RecentProbe', description: 'Summary of a run.' })

export const ServiceSnapshot = z
  .object({
    service: Service,
    recentProbes: z.array(RecentProbe).meta({ description: `The latest ${RECENT_PROBES} runs at most, newest first.` }),
  })
  .meta({ id: 'ServiceSnapshot', description: 'A service and its most recent runs in one read.' })
export type ServiceSnapshot = z.output<typeof ServiceSnapshot>
