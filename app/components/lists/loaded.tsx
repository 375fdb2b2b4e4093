'use client'

import { Stack, VisuallyHidden } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ProblemAlert } from '../problem-alert.tsx'
import classes from './loaded.module.css'

/** Renders the data of a query, a placeholder while it loads, or its error. */
export function Loaded<T>(props: {
  query: UseQueryResult<T>
  /** Rows of the placeholder. */
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
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are identical
        <div key={row} className={classes.placeholder} />
      ))}
    </Stack>
  )
}
