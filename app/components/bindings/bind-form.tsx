'use client'

import { Button, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type Input, mutation } from '../../client/api.ts'
import { type Found, SearchSelect, type UseFound } from '../pickers/search-select.tsx'
import { ProblemAlert } from '../problem-alert.tsx'

/** Binds a webhook to a place, one of which the member picks. */
export function BindForm(props: {
  label: string
  useFound: UseFound
  /** Returns the binding for what the member picked. */
  bindingOf: (found: Found) => Input<'webhooks.bindings.create'>
}) {
  const [picked, setPicked] = useState<Found | null>(null)
  const bind = useMutation({ ...mutation('webhooks.bindings.create'), onSuccess: () => setPicked(null) })
  return (
    <>
      <ProblemAlert error={bind.error} />
      <Group align="flex-end">
        <SearchSelect
          label={props.label}
          placeholder="Search by name"
          useFound={props.useFound}
          value={picked}
          onChange={setPicked}
          style={{ flex: 1 }}
        />
        <Button
          variant="default"
          disabled={picked === null}
          loading={bind.isPending}
          onClick={() => picked && bind.mutate(props.bindingOf(picked))}
        >
          Bind
        </Button>
      </Group>
    </>
  )
}
