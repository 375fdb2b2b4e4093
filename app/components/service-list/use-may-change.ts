import { useQuery } from '@tanstack/react-query'
import type { BoardService } from '#server/schemas/status/board.ts'
import { query } from '../../client/api.ts'
import { hasPermission, useMe } from '../../client/me.tsx'

/** Returns which services of a list the member may change, so that only these can be selected. The server checks too. */
export function useMayChange(): (service: Pick<BoardService, 'projectId'>) => boolean {
  const hasAll = hasPermission(useMe(), 'workspaces', 'write')
  const places = useQuery({ ...query('services.places'), enabled: !hasAll, staleTime: 60_000 })
  const projects = new Set(places.data?.projects.map(({ id }) => id))
  return ({ projectId }) => hasAll || projects.has(projectId)
}
