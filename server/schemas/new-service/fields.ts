import { z } from 'zod'
import { Label, Name } from '../conventions.ts'
import { Schedule, ServiceTimezone } from '../services.ts'
import { PROBE_METHODS } from './probe-script.ts'

/** Stands for a workspace or a project that is created with the service. */
export const NEW_PLACE = 'new'

const URL_MAX = 8_192
/** The body is written into a string of the script, where this names a variable. */
const VARIABLE = /\$\{?\$?[A-Za-z_]/

/** The form for a new service. The names are required for what is new. */
export const NewServiceFields = z
  .object({
    method: z.enum(PROBE_METHODS),
    url: z.string().trim().max(URL_MAX),
    body: z.string(),
    /** False for a service whose script is written later. */
    hasRequest: z.boolean(),
    name: Name,
    label: Label,
    schedule: Schedule,
    /** Empty for UTC. */
    timezone: ServiceTimezone,
    workspaceId: z.string(),
    projectId: z.string(),
    workspaceName: z.string(),
    projectName: z.string(),
  })
  .superRefine((fields, check) => {
    if (fields.hasRequest && !isHttpUrl(fields.url)) {
      check.addIssue({ code: 'custom', path: ['url'], message: 'must be a URL such as https://example.com/' })
    }
    if (fields.hasRequest && VARIABLE.test(fields.body)) {
      const message =
        'must have no $ before a name, which is a variable in scripts: create the service without a request'
      check.addIssue({ code: 'custom', path: ['body'], message })
    }
    if (fields.projectId !== NEW_PLACE) return
    requireName('projectName')
    if (fields.workspaceId === NEW_PLACE) requireName('workspaceName')

    function requireName(field: 'projectName' | 'workspaceName') {
      const problem = Name.safeParse(fields[field]).error?.issues[0]
      if (problem) check.addIssue({ code: 'custom', path: [field], message: problem.message })
    }
  })
export type NewServiceFields = z.output<typeof NewServiceFields>

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:/i.test(text)
}
