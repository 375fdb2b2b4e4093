import { useQuery } from '@tanstack/react-query'
import { query } from '../../client/api.ts'
import { useMe } from '../../client/me.tsx'

/** Returns the number of open incidents that the member can see, for what every page shows. */
export function useOpenIncidents(): number {
  const me = useMe()
  const open = useQuery({
    ...query('incidents.list', { state: 'open', pageSize: 1 }),
    // Until they enrol a second factor, such members can read nothing.
    enabled: !me.totpEnrollmentRequired,
  })
  return open.data?.total ?? 0
}
