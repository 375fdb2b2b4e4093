import { z } from 'zod'
import { ProjectId } from './conventions.ts'

/** The resources that a grant can belong to. */
export const RESOURCE_TYPES = ['workspace', 'project', 'service'] as const
export const ResourceType = z.enum(RESOURCE_TYPES).meta({ description: 'What the resource is.', example: 'project' })
export type ResourceType = z.output<typeof ResourceType>

/** One resource, named by its type and id. */
export const ResourceRef = z.object({
  resourceType: ResourceType,
  resourceId: ProjectId.meta({ description: 'The id of the workspace, project or service.' }),
})
export type ResourceRef = z.output<typeof ResourceRef>

/** The scopes that a binding can belong to. */
export const BINDING_SCOPES = [...RESOURCE_TYPES, 'organization'] as const
export type BindingScope = (typeof BINDING_SCOPES)[number]

/** The scopes that a variable or a silence can belong to. */
export const SCOPES = ['organization', 'workspace', 'project', 'service'] as const
export const Scope = z.enum(SCOPES)
export type Scope = z.output<typeof Scope>
