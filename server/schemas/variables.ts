import { z } from 'zod'
import { CreatedAt, Id, Instant, openEnum, pageOf, ServiceId, VariableId } from './conventions.ts'
import { AllowedHosts } from './host-patterns.ts'
import { SCOPES } from './scopes.ts'

/** Shown in place of a hidden value. */
export const MASK = '••••••'

export const VARIABLE_TYPES = ['variable', 'secret', 'metric'] as const

/** The name of a variable in scripts, such as `base_url`. */
export const VariableKey = z
  .string()
  .max(64)
  .regex(
    /^[A-Za-z_][A-Za-z0-9_]*$/,
    'must start with a letter or an underscore and contain only letters, digits and underscores',
  )
  .meta({ description: 'The name in scripts: letters, digits and underscores.', example: 'base_url' })

/** In characters. */
export const VARIABLE_VALUE_MAX = 4_096

export const VariableValue = z
  .string()
  .max(VARIABLE_VALUE_MAX)
  .meta({ description: 'The value, which is stored encrypted.', example: 'https://shop.example' })

const TYPE = {
  description:
    '`variable` or `secret`: both are stored encrypted and never shown; results mask secrets. `metric`: a value that is ' +
    'shown, and that scripts write.',
}

export const Variable = z
  .object({
    id: VariableId,
    key: z.string().meta({ description: 'The name in scripts.', example: 'base_url' }),
    value: z.string().meta({ description: `The stored value of a metric; otherwise the mask ${MASK}.`, example: MASK }),
    type: openEnum(VARIABLE_TYPES).meta(TYPE),
    masked: z.boolean().meta({ description: 'True when `value` is the mask.', example: true }),
    systemType: openEnum(['integer', 'boolean']).nullable().meta({
      description: 'Set for variables that Soundline creates for every service; otherwise null.',
      example: null,
    }),
    isScriptWritten: z.boolean().meta({
      description: 'True when a script created the variable with `.store`; it is read-only then.',
      example: false,
    }),
    allowedHosts: z.array(z.string()).meta({
      description: 'The hosts that a secret may be sent to; empty for any host, and for other types.',
      example: [],
    }),
    createdAt: CreatedAt,
    updatedAt: Instant.meta({ description: 'When it was last changed.' }),
  })
  .meta({ id: 'Variable', description: 'A value that scripts read by its scope and key.' })
export type Variable = z.output<typeof Variable>

export const VariablePage = pageOf(Variable, 'VariablePage')

export const VariableCreate = z.object({
  key: VariableKey,
  value: VariableValue,
  type: z
    .enum(VARIABLE_TYPES)
    .default('variable')
    .meta({ ...TYPE, example: 'secret' }),
  allowedHosts: AllowedHosts.optional(),
})

/** Without `allowedHosts` the hosts do not change. */
export const VariableChange = z.object({ value: VariableValue, allowedHosts: AllowedHosts.optional() })

/** A service whose script reads a variable. */
export const VariableUser = z.object({
  id: Id,
  name: z.string(),
  isActive: z.boolean(),
  projectName: z.string(),
  workspaceName: z.string(),
})

export const VARIABLE_USERS_MAX = 50

/** The services that the caller can see, by name; `isTruncated` when there are more. */
export const VariableUsage = z.object({ services: z.array(VariableUser), isTruncated: z.boolean() })

export const LockedVariable = z
  .object({
    key: z.string().meta({ description: 'The name in scripts.', example: 'name' }),
    value: z.string().nullable().meta({ description: 'The current value; null without one.', example: 'Checkout' }),
    description: z.string().meta({ description: 'What the value is.', example: 'The name of the service.' }),
  })
  .meta({ id: 'LockedVariable', description: 'A computed variable, which is read-only.' })

export const VariableScope = z
  .object({
    scope: openEnum(SCOPES).meta({ description: 'Which scope it is.', example: 'service' }),
    prefix: z.string().meta({ description: 'How a script addresses the scope.', example: '$s.' }),
    resourceId: ServiceId.meta({ description: 'The id of the resource, or of the organization.' }),
    resourceName: z
      .string()
      .meta({ description: 'The name of the resource or the organization.', example: 'Checkout' }),
    editable: z.boolean().meta({ description: 'Whether the caller may write here.', example: true }),
    variables: z.array(Variable).meta({ description: 'The variables of the scope, oldest first.' }),
    locked: z.array(LockedVariable).meta({ description: 'Its computed variables, whose keys are reserved.' }),
  })
  .meta({ id: 'VariableScope', description: 'The variables of one scope.' })
export type VariableScope = z.output<typeof VariableScope>

export const VariableHierarchy = z
  .object({
    scopes: z.array(VariableScope).meta({ description: 'The scope of the resource first, the organization last.' }),
  })
  .meta({
    id: 'VariableHierarchy',
    description: 'Every variable that a resource can use, from its own scope up to the organization.',
  })
