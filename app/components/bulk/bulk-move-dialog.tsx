'use client'

import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { allPages } from '../../client/all-pages.ts'
import { mutation } from '../../client/api.ts'
import { BulkDialog, type BulkDialogProps } from './bulk-dialog.tsx'
import { judgeMove, planOf, type Selected } from './plan.ts'
import { undoOf } from './undo.ts'

/** Moves services with their results to a project of this or another workspace. */
export function BulkMoveDialog(props: BulkDialogProps<Selected>) {
  const { services } = props
  const [workspaceId, setWorkspaceId] = useState<string | null>(null)
  const [projectId, setProjectId] = useState<string | null>(null)
  const workspaces = useQuery(allPages('workspaces.list', {}))
  const projects = useQuery({
    ...allPages('projects.list', { workspaceId: workspaceId ?? '' }),
    enabled: workspaceId !== null,
  })
  const workspace = workspaces.data?.find(({ id }) => id === workspaceId)
  const project = projects.data?.find(({ id }) => id === projectId)
  const target = workspace && project && { id: project.id, place: `${workspace.name} / ${project.name}` }
  return (
    <BulkDialog
      {...props}
      title="Move to another project"
      plan={target ? planOf(services, judgeMove(target)) : null}
      submitLabel="Move"
      done="moved"
      send={async () => {
        const input = { ids: services.map(({ id }) => id), projectId: projectId ?? '' }
        const result = await mutation('services.bulk.move').mutationFn(input)
        return { result, undo: undoOf(result) }
      }}
    >
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
    </BulkDialog>
  )
}
