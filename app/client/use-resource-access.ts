import { useQuery } from '@tanstack/react-query'
import { query } from './api.ts'
import { hasPermission, useMe } from './me.tsx'

/**
 * What the member may do with a resource, so that pages offer only what will be granted. The server decides anyway;
 * here it is read off the resource's own scope of variables, which answers to those who may read the resource and says
 * whether it may be edited. A resource that is visible by its name alone is neither.
 */
export function useResourceAccess(scope: 'workspace' | 'project' | 'service', id: string) {
  const me = useMe()
  const hasAllWorkspaces = hasPermission(me, 'workspaces', 'write')
  const hierarchy = useQuery({
    ...query(`variables.${scope}.hierarchy`, { id }),
    enabled: !hasAllWorkspaces,
    staleTime: 60_000,
  })
  const ownScope = hierarchy.data?.scopes.find((entry) => entry.resourceId === id)
  return {
    mayRead: hasAllWorkspaces || ownScope !== undefined,
    mayWrite: hasAllWorkspaces || (ownScope?.editable ?? false),
  }
}
