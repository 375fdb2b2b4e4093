import { z } from 'zod'

/** The resources that a grant or a binding can belong to. */
export const RESOURCE_TYPES = ['workspace', 'project', 'service'] as const
export const ResourceType = z.enum(RESOURCE_TYPES)
export type ResourceType = z.output<typeof ResourceType>

/** The scopes that a variable or a silence can belong to. */
export const SCOPES = ['organization', 'workspace', 'project', 'service'] as const
export const Scope = z.enum(SCOPES)
export type Scope = z.output<typeof Scope>
