import type { ResourceType } from '#server/schemas/scopes.ts'

/** Returns for example `Project in Shop`. */
export function placeKind(resourceType: ResourceType, path: string | null): string {
  const kind = `${resourceType.charAt(0).toUpperCase()}${resourceType.slice(1)}`
  return path === null ? kind : `${kind} in ${path}`
}
