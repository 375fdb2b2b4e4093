import { z } from 'zod'
import { Id as AnyId, Label, Labels, Name } from '../../../schemas/conventions.ts'
import { PROBE_MODES, QUEUE_POLICIES, Schedule, ServiceTimezone } from '../../../schemas/services.ts'
import { VARIABLE_TYPES, VariableKey } from '../../../schemas/variables.ts'

// The files of a folder of monitoring as code. A field that is omitted keeps its value in the installation; a created
// resource gets the default of the server. The server judges what the values mean.

const Id = AnyId.meta({
  description: 'The id in the installation. Needed only to rename: without it, the name finds the resource.',
})
const EnvironmentName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable')

export const VariableEntry = z
  .strictObject({
    type: z.enum(VARIABLE_TYPES).default('variable'),
    value: z
      .union([z.string(), z.number(), z.boolean()])
      .transform(String)
      .optional()
      .meta({ description: 'Not for secrets. The installation hides values of all types but metric.' }),
    fromEnv: EnvironmentName.optional().meta({
      description:
        'The environment variable that `apply` reads the value from. A name that does not start with SOUNDLINE_VAR_ must be allowed by `--allow-env`.',
    }),
    allowedHosts: z
      .array(z.string().max(260))
      .max(20)
      .optional()
      .meta({ description: 'The hosts that a secret may be sent to; empty for any host.' }),
  })
  .refine(({ type, value }) => type !== 'secret' || value === undefined, {
    path: ['value'],
    message: 'must not be written for a secret; name an environment variable in fromEnv',
  })
  .refine(({ type, allowedHosts }) => type === 'secret' || !allowedHosts?.length, {
    path: ['allowedHosts'],
    message: 'must be empty unless the type is secret',
  })
export type VariableEntry = z.output<typeof VariableEntry>

const Variables = z
  .record(VariableKey, VariableEntry)
  .meta({ description: 'Variables by key. Values of secrets come from the environment.' })

const WebhookEntry = z.strictObject({
  name: Name.meta({ description: 'The name of a webhook of the organization.' }),
  enabled: z.boolean().default(true),
})
export type WebhookEntry = z.output<typeof WebhookEntry>

const Webhooks = z
  .array(WebhookEntry)
  .max(100)
  .refine((list) => new Set(list.map(({ name }) => name)).size === list.length, 'must name each webhook once')
  .meta({ description: 'The webhooks that get the events of this resource and everything in it.' })

/** The API stores an empty text as none. */
function orNull(text: string): string | null {
  return text || null
}

export const OrganizationFile = z
  .strictObject({ kind: z.literal('organization'), variables: Variables.optional() })
  .meta({ description: 'The variables of the organization, in organization.yaml.' })
export type OrganizationFile = z.output<typeof OrganizationFile>

export const WorkspaceFile = z
  .strictObject({
    kind: z.literal('workspace'),
    id: Id.optional(),
    name: Name,
    webhooks: Webhooks.optional(),
    variables: Variables.optional(),
  })
  .meta({
    description: 'A workspace, in workspace.yaml. With it, the folder describes every project of the workspace.',
  })
export type WorkspaceFile = z.output<typeof WorkspaceFile>

export const ProjectFile = z
  .strictObject({
    kind: z.literal('project'),
    id: Id.optional(),
    workspace: Name.meta({ description: 'The name of the workspace; it is created if it is missing.' }),
    name: Name,
    webhooks: Webhooks.optional(),
    variables: Variables.optional(),
  })
  .meta({ description: 'A project, in soundline.yaml. The other YAML files of its folder are its services.' })
export type ProjectFile = z.output<typeof ProjectFile>

const Alerting = z
  .strictObject({
    confirmFailures: z.int().min(1).max(10).optional().meta({ description: 'Failures in a row until an alert.' }),
    confirmRecoveries: z.int().min(1).max(10).optional().meta({ description: 'Passes in a row until a recovery.' }),
    recheckSeconds: z.int().min(0).max(300).optional().meta({
      description: 'Seconds after which a failed scheduled run is repeated once; 0 for never.',
    }),
    recheckWrites: z.boolean().optional().meta({
      description: 'Whether scripts that send POST, PUT, PATCH or DELETE are repeated too.',
    }),
    alertOnRecovery: z.boolean().optional().meta({ description: 'Whether a recovery is announced.' }),
    remindMinutes: z.int().min(0).max(10_080).optional().meta({
      description: 'Minutes between reminders of an incident that is not acknowledged; 0 for none.',
    }),
  })
  .meta({ description: 'How the runs of the service become alerts.' })

export const ServiceFile = z
  .strictObject({
    kind: z.literal('service'),
    id: Id.optional(),
    name: Name,
    label: Label.transform(orNull)
      .nullish()
      .meta({ description: 'The first label; null for none. Further labels stay as they are.' }),
    labels: Labels.optional().meta({ description: 'All labels. The first one is `label`.' }),
    schedule: Schedule.optional(),
    timezone: ServiceTimezone.transform(orNull).nullish(),
    serviceWindow: z
      .string()
      .max(256)
      .transform(orNull)
      .nullish()
      .meta({ description: 'A maintenance window, `RRULE/minutes[/timezone]`.' }),
    probeMode: z.enum(PROBE_MODES).optional(),
    queuePolicy: z.enum(QUEUE_POLICIES).optional(),
    saveResponseBodies: z.boolean().optional(),
    sendTraceparent: z.boolean().optional(),
    isActive: z.boolean().optional().meta({ description: 'Whether the service runs on its schedule.' }),
    script: z
      .string()
      .nullish()
      .meta({ description: 'The path of the script, relative to this file, such as `checkout.lace`.' }),
    agents: z
      .array(z.string())
      .max(1_000)
      .optional()
      .meta({ description: 'Slugs of agents; empty for any shared agent.' }),
    alerting: Alerting.optional(),
    webhooks: Webhooks.optional(),
    variables: Variables.optional(),
  })
  .refine(({ label, labels }) => !labels || label === undefined || label === (labels[0] ?? null), {
    path: ['label'],
    message: 'must be the first of labels, or be left out',
  })
  .refine(({ isActive, script }) => !isActive || script !== null, {
    path: ['isActive'],
    message: 'must be false without a script',
  })
  .meta({ description: 'A service, in a file of its own beside soundline.yaml.' })
export type ServiceFile = z.output<typeof ServiceFile>

export const CodeFile = z.discriminatedUnion('kind', [OrganizationFile, WorkspaceFile, ProjectFile, ServiceFile])
export type CodeFile = z.output<typeof CodeFile>

/** One described resource with the path of its file, relative to the folder. */
export type Described<T> = { path: string; file: T }

/** A described service. The script is undefined when the file does not name one, and null for a service without. */
export type DescribedService = Described<ServiceFile> & { script: string | null | undefined }

export type DescribedProject = Described<ProjectFile> & { services: DescribedService[] }

/** A folder of monitoring as code. */
export type Folder = {
  organization: Described<OrganizationFile> | null
  workspaces: Described<WorkspaceFile>[]
  projects: DescribedProject[]
}
