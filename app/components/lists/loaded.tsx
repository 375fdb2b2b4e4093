'use client'

import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ProblemAlert } from '../problem-alert.tsx'

/** What a query answered, or that it is on its way, or why it failed. */
export function Loaded<T>(props: {
  query: UseQueryResult<T>
  /** Rows of the grey shape shown while waiting. */
  rows?: number
  children: (data: T) => ReactNode
}) {
  const { query, rows = 4 } = props
  if (query.data !== undefined) return props.children(query.data)
  if (query.error) return <ProblemAlert error={query.error} onRetry={() => query.refetch()} />
  return (
    <Stack gap="sm" aria-busy="true">
      <VisuallyHidden>Loading…</VisuallyHidden>
      {Array.from({ length: rows }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the grey rows are all alike
        <Skeleton key={row} height={36} />
      ))}
    </Stack>
  )
}
