import { useQuery } from '@tanstack/react-query'
import { query } from './api.ts'
import { hasPermission, useMe } from './me.tsx'

/**
 * Returns whether the member may read and change a resource, so that pages offer only allowed actions. The server checks
 * every request anyway. The answer comes from the variables of the resource: only members who may read the resource get
 * its own scope, and `editable` says whether they may change it.
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
