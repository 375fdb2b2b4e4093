'use client'

import { Badge, VisuallyHidden } from '@mantine/core'
import { useOpenIncidents } from './use-open-incidents.ts'

/** The number of open incidents that the member can see. Nothing for none. */
export function OpenIncidents() {
  const total = useOpenIncidents()
  if (total === 0) return null
  return (
    <Badge size="sm" color="red" variant="light">
      {total.toLocaleString('en')}
      <VisuallyHidden> open</VisuallyHidden>
    </Badge>
  )
}
