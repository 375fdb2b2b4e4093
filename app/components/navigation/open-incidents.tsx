'use client'

import { Badge, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../client/api.ts'
import { useMe } from '../../client/me.tsx'

/** The number of open incidents that the member can see. Nothing for none. */
export function OpenIncidents() {
  const me = useMe()
  const open = useQuery({
    ...query('incidents.list', { state: 'open', pageSize: 1 }),
    // Until they enrol a second factor, such members can read nothing.
    enabled: !me.totpEnrollmentRequired,
  })
  const total = open.data?.total ?? 0
  if (total === 0) return null
  return (
    <Badge size="sm" color="red" variant="light">
      {total.toLocaleString('en')}
      <VisuallyHidden> open</VisuallyHidden>
    </Badge>
  )
}
