import { z } from 'zod'
import { Id, Label, Labels, Name } from '../conventions.ts'
import { SCHEDULE_DEFAULT, Schedule, Script, ServiceTimezone } from '../services.ts'

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

/** A service with all that it needs to run. Without a script it stays off until one is saved. */
export const WholeService = z.object({
  place: Place,
  name: Name,
  label: Label.nullish(),
  labels: Labels.optional(),
  schedule: Schedule.default(SCHEDULE_DEFAULT),
  timezone: ServiceTimezone.nullish(),
  script: Script.optional(),
})
export type WholeService = z.output<typeof WholeService>
