import { useQuery } from '@tanstack/react-query'
import { query } from './api.ts'
import { mayIn, useMe } from './me.tsx'

/**
 * Whether the member may change a resource, so that pages offer only what will be granted. The server decides anyway;
 * here it is read off the resource's own scope of variables, which says whether it may be edited.
 */
export function useMayWrite(scope: 'workspace' | 'project' | 'service', id: string): boolean {
  const everywhere = mayIn(useMe(), 'workspaces', 'write')
  const hierarchy = useQuery({
    ...query(`variables.${scope}.hierarchy`, { id }),
    enabled: !everywhere,
    staleTime: 60_000,
  })
  return everywhere || (hierarchy.data?.scopes.find((entry) => entry.resourceId === id)?.editable ?? false)
}
