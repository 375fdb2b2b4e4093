import { z } from 'zod'
import { Id } from '../conventions.ts'

const Named = z.object({ id: Id, name: z.string() })

export const ServicePlaces = z.object({
  mayCreateWorkspaces: z.boolean(),
  /** Workspaces in which the member may create projects. */
  workspaces: z.array(Named),
  /** Projects in which the member may create services. */
  projects: z.array(Named.extend({ workspaceId: Id, workspaceName: z.string() })),
})
export type ServicePlaces = z.output<typeof ServicePlaces>
