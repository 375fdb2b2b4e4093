import type { ResourceType } from '#server/schemas/scopes.ts'

/** The workspace, project or service of a page that all three have. */
export type Resource = { resourceType: ResourceType; resourceId: string }
