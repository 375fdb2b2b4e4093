import { z } from 'zod'

/** What a grant or a binding may hang on. */
export const RESOURCE_TYPES = ['workspace', 'project', 'service'] as const
export const ResourceType = z.enum(RESOURCE_TYPES)
export type ResourceType = z.output<typeof ResourceType>

/** What a variable may belong to. */
export const SCOPES = ['organization', 'workspace', 'project', 'service'] as const
export const Scope = z.enum(SCOPES)
export type Scope = z.output<typeof Scope>
