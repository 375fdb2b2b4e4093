import { z } from 'zod'
import { VariableKey, VariableValue } from '../variables.ts'

export const NEW_SECRETS_MAX = 20

/** A secret that is created with a service: of the service, or of its project. */
export const NewSecret = z.object({
  scope: z.enum(['service', 'project']),
  key: VariableKey,
  value: VariableValue.min(1),
})
export type NewSecret = z.output<typeof NewSecret>
