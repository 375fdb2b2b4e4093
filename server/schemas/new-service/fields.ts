import { z } from 'zod'
import { Labels, Name } from '../conventions.ts'
import { Schedule, ServiceTimezone } from '../services.ts'

/** Stands for a workspace or a project that is created with the service. */
export const NEW_PLACE = 'new'

/** The form for a new service, besides its steps. The names are required for what is new. */
export const NewServiceFields = z
  .object({
    name: Name,
    labels: Labels,
    schedule: Schedule,
    /** Empty for UTC. */
    timezone: ServiceTimezone,
    /** Slugs; none for any open agent. */
    agents: z.array(z.string()),
    /** Selected from a list. */
    confirmFailures: z.int(),
    /** Whether a failed run is repeated before it counts. */
    rechecks: z.boolean(),
    workspaceId: z.string(),
    projectId: z.string(),
    workspaceName: z.string(),
    projectName: z.string(),
  })
  .superRefine((fields, check) => {
    if (fields.projectId !== NEW_PLACE) return
    requireName('projectName')
    if (fields.workspaceId === NEW_PLACE) requireName('workspaceName')

    function requireName(field: 'projectName' | 'workspaceName') {
      const problem = Name.safeParse(fields[field]).error?.issues[0]
      if (problem) check.addIssue({ code: 'custom', path: [field], message: problem.message })
    }
  })
export type NewServiceFields = z.output<typeof NewServiceFields>
