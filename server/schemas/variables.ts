import { z } from 'zod'
import { Id, Instant, openEnum, pageOf } from './conventions.ts'
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

export const VariableValue = z.string().max(4096)

export const Variable = z
  .object({
    id: Id,
    key: z.string(),
    value: z.string().meta({ description: `The stored value of a metric; otherwise the mask ${MASK}.` }),
    type: openEnum(VARIABLE_TYPES),
    masked: z.boolean().meta({ description: 'True when `value` is the mask.' }),
    systemType: openEnum(['integer', 'boolean'])
      .nullable()
      .meta({ description: 'Set for variables that Soundline creates for every service.' }),
    allowedHosts: z.array(z.string()).meta({
      description: 'The hosts that a secret may be sent to; empty for any host, and for other types.',
      examples: [['api.example.com', '*.example.net:8443']],
    }),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Variable', description: 'A value that scripts read by its scope and key.' })
export type Variable = z.output<typeof Variable>

export const VariablePage = pageOf(Variable, 'VariablePage')

export const VariableCreate = z.object({
  key: VariableKey,
  value: VariableValue,
  type: z.enum(VARIABLE_TYPES).default('variable'),
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
  .object({ key: z.string(), value: z.string().nullable(), description: z.string() })
  .meta({ id: 'LockedVariable', description: 'A computed variable, which is read-only.' })

export const VariableScope = z
  .object({
    scope: openEnum(SCOPES),
    prefix: z.string().meta({ description: 'How a script addresses the scope, such as `$w.`.' }),
    resourceId: Id,
    resourceName: z.string(),
    editable: z.boolean().meta({ description: 'Whether the caller may write here.' }),
    variables: z.array(Variable),
    locked: z.array(LockedVariable),
  })
  .meta({ id: 'VariableScope' })
export type VariableScope = z.output<typeof VariableScope>

export const VariableHierarchy = z.object({ scopes: z.array(VariableScope) }).meta({
  id: 'VariableHierarchy',
  description: 'Every variable that a resource can use, from its own scope up to the organization.',
})
