'use client'

import { useQuery } from '@tanstack/react-query'
import { useSelectedLayoutSegments } from 'next/navigation'
import { query } from '../../../client/api.ts'
import { serviceTitle } from '../../../client/titles/titles.ts'
import { useTitle } from '../../../client/titles/use-title.ts'

/** Keeps the titles of the service's tabs up to date with its state and name. A result and a run have titles of their own. */
export function ServiceTitle({ id }: { id: string }) {
  const service = useQuery(query('status.service', { id }))
  const isTab = useSelectedLayoutSegments().length < 2
  useTitle(isTab && service.data ? serviceTitle(service.data) : undefined)
  return null
}
