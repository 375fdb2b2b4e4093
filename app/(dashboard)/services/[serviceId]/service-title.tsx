'use client'

import { useQuery } from '@tanstack/react-query'
import { query } from '../../../client/api.ts'
import { serviceTitle } from '../../../client/titles/titles.ts'
import { useTitle } from '../../../client/titles/use-title.ts'

/** Keeps the page's title up to date with the state and name of the service. */
export function ServiceTitle({ id }: { id: string }) {
  const service = useQuery(query('status.service', { id }))
  useTitle(service.data && serviceTitle(service.data))
  return null
}
