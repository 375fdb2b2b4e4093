'use client'

import { TagsInput, type TagsInputProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { LABELS_MAX } from '#server/schemas/conventions.ts'
import { query } from '../../client/api.ts'

/** The field for the labels of services. It suggests those that other services have. */
export function LabelsInput(props: TagsInputProps) {
  const filters = useQuery({ ...query('status.filters'), staleTime: 60_000 })
  return (
    <TagsInput
      label="Labels"
      description="Short words shown next to the name. Press Enter after each."
      data={filters.data?.labels ?? []}
      maxTags={LABELS_MAX}
      acceptValueOnBlur
      {...props}
    />
  )
}

/** The schema names the one label that is wrong, such as `labels.0`. */
export function labelsError(errors: Record<string, ReactNode>): ReactNode {
  return Object.entries(errors).find(([field]) => field.startsWith('labels'))?.[1]
}
