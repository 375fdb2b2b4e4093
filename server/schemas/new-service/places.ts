import { z } from 'zod'
import { AlertSettings } from '../alerts/alerting.ts'
import { Id, Label, Labels, Name } from '../conventions.ts'
import { SCHEDULE_DEFAULT, Schedule, Script, ServiceTimezone } from '../services.ts'
import { NEW_SECRETS_MAX, NewSecret } from './secrets.ts'

const NEW_AGENTS_MAX = 100

const Named = z.object({ id: Id, name: z.string() })

export const ServicePlaces = z.object({
  mayCreateWorkspaces: z.boolean(),
  /** Workspaces in which the member may create projects. */
  workspaces: z.array(Named),
  /** Projects in which the member may create services. */
  projects: z.array(Named.extend({ workspaceId: Id, workspaceName: z.string() })),
})
export type ServicePlaces = z.output<typeof ServicePlaces>

/** Where a new service lives: in a project, in a new project of a workspace, or in a new workspace. */
const Place = z.union([
  z.object({ projectId: Id }),
  z.object({ workspaceId: Id, projectName: Name }),
  z.object({ workspaceName: Name, projectName: Name }),
])
export type Place = z.output<typeof Place>

/** Where a new service would be: in a project, or in a new project of a workspace. */
export const HearersQuery = z
  .object({ projectId: Id, workspaceId: Id })
  .partial()
  .refine((given) => Object.keys(given).length === 1, 'must name the project or the workspace')

/** Who would hear of failures there. */
export const Hearers = z.object({
  isHeardByYou: z.boolean(),
  /** Members besides the caller. */
  others: z.int(),
  /** Webhooks with an enabled binding. */
  webhooks: z.int(),
})

/** A service with all that it needs to run. Without a script it stays off until one is saved. */
export const WholeService = z.object({
  place: Place,
  name: Name,
  label: Label.nullish(),
  labels: Labels.optional(),
  schedule: Schedule.default(SCHEDULE_DEFAULT),
  timezone: ServiceTimezone.nullish(),
  script: Script.optional(),
  /** Created before the script is validated, so that it can name them. */
  secrets: z.array(NewSecret).max(NEW_SECRETS_MAX).optional(),
  /** Slugs; none for any open agent. */
  agents: z.array(z.string()).max(NEW_AGENTS_MAX).optional(),
  /** What is missing keeps the value that every new service has. */
  alerting: AlertSettings.partial().optional(),
})
export type WholeService = z.output<typeof WholeService>
