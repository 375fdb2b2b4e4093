'use client'

import { Button, Group, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type Input, type MutationPath, mutation } from '../../client/api.ts'
import { ProblemAlert } from '../problem-alert.tsx'
import { type Found, SearchSelect, type UseFound } from './search-select.tsx'

/** A picker, and a button that calls an operation with what the member picked. */
export function PickForm<Path extends MutationPath>(props: {
  label: string
  placeholder?: string
  submitLabel: string
  useFound: UseFound
  path: Path
  inputOf: (found: Found) => Input<Path>
}) {
  const [picked, setPicked] = useState<Found | null>(null)
  const submit = useMutation({ ...mutation(props.path), onSuccess: () => setPicked(null) })
  return (
    <Stack gap="xs">
      <ProblemAlert error={submit.error} />
      <Group align="flex-end">
        <SearchSelect
          label={props.label}
          placeholder={props.placeholder ?? 'Search by name'}
          useFound={props.useFound}
          value={picked}
          onChange={setPicked}
          style={{ flex: 1 }}
        />
        <Button
          variant="default"
          disabled={picked === null}
          loading={submit.isPending}
          onClick={() => picked && submit.mutate(props.inputOf(picked))}
        >
          {props.submitLabel}
        </Button>
      </Group>
    </Stack>
  )
}
