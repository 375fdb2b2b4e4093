import { z } from 'zod'
import { Label, Name } from '../conventions.ts'
import { Schedule } from '../services.ts'
import { PROBE_METHODS } from './probe-script.ts'

/** Stands for a workspace or a project that is created with the service. */
export const NEW_PLACE = 'new'

const Url = z
  .string()
  .trim()
  .min(1, 'is required')
  .max(8_192)
  .refine((text) => URL.canParse(text) && /^https?:/i.test(text), 'must be a URL such as https://example.com/')

/** The form for a new service. The names are required for what is new. */
export const NewServiceFields = z
  .object({
    method: z.enum(PROBE_METHODS),
    url: Url,
    body: z.string(),
    name: Name,
    label: Label,
    schedule: Schedule,
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
