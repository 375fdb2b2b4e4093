'use client'

import { Button, Group, Select, Stack } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { allPages } from '../../client/all-pages.ts'
import { mutation } from '../../client/api.ts'
import { ProblemAlert } from '../problem-alert.tsx'
import { BulkDialog } from './bulk-dialog.tsx'

/** Moves services with their results to a project of this or another workspace. */
export function BulkMoveDialog(props: { ids: string[]; onClose: () => void; onDone: () => void }) {
  const [workspaceId, setWorkspaceId] = useState<string | null>(null)
  const [projectId, setProjectId] = useState<string | null>(null)
  const workspaces = useQuery(allPages('workspaces.list', {}))
  const projects = useQuery({
    ...allPages('projects.list', { workspaceId: workspaceId ?? '' }),
    enabled: workspaceId !== null,
  })
  const move = useMutation(mutation('services.bulk.move'))
  return (
    <BulkDialog {...props} title="Move to another project" done="moved" result={move.data ?? null}>
      <Stack>
        <ProblemAlert error={move.error} />
        <Select
          label="Workspace"
          data={(workspaces.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={workspaceId}
          onChange={(id) => {
            setWorkspaceId(id)
            setProjectId(null)
          }}
          searchable
          data-autofocus
        />
        <Select
          label="Project"
          data={(projects.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={projectId}
          onChange={setProjectId}
          disabled={workspaceId === null}
          searchable
        />
        <Group justify="flex-end">
          <Button variant="default" onClick={props.onClose}>
            Cancel
          </Button>
          <Button
            disabled={projectId === null}
            loading={move.isPending}
            onClick={() => projectId && move.mutate({ ids: props.ids, projectId })}
          >
            Move
          </Button>
        </Group>
      </Stack>
    </BulkDialog>
  )
}
