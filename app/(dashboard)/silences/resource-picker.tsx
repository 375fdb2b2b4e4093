'use client'

import { Select, type SelectProps, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { allPages } from '../../client/all-pages.ts'

/** At most one of the three is set. With none set, the silence covers everything. */
export type SelectedResource = { workspaceId?: string; projectId?: string; serviceId?: string }

type Path = { workspace: string | null; project: string | null; service: string | null }
const NOTHING_SELECTED: Path = { workspace: null, project: null, service: null }

/** Selects a workspace, and optionally a project in it and a service in the project. */
export function ResourcePicker(props: { value: SelectedResource; onChange: (value: SelectedResource) => void }) {
  const [path, setPath] = useState(NOTHING_SELECTED)
  const workspaces = useQuery(allPages('workspaces.list', {}))
  const projects = useQuery({
    ...allPages('projects.list', { workspaceId: path.workspace ?? '' }),
    enabled: path.workspace !== null,
  })
  const services = useQuery({
    ...allPages('services.list', { projectId: path.project ?? '' }),
    enabled: path.project !== null,
  })
  const select = (next: Path) => {
    setPath(next)
    if (next.service) props.onChange({ serviceId: next.service })
    else if (next.project) props.onChange({ projectId: next.project })
    else if (next.workspace) props.onChange({ workspaceId: next.workspace })
    else props.onChange({})
  }
  return (
    <Stack gap="xs">
      <ResourceSelect
        label="Workspace"
        placeholder="All workspaces"
        resources={workspaces.data}
        value={path.workspace}
        onChange={(workspace) => select({ ...NOTHING_SELECTED, workspace })}
      />
      {path.workspace && (
        <ResourceSelect
          label="Project"
          placeholder="The whole workspace"
          resources={projects.data}
          value={path.project}
          onChange={(project) => select({ ...path, project, service: null })}
        />
      )}
      {path.project && (
        <ResourceSelect
          label="Service"
          placeholder="The whole project"
          resources={services.data}
          value={path.service}
          onChange={(service) => select({ ...path, service })}
        />
      )}
    </Stack>
  )
}

type ResourceSelectProps = Pick<SelectProps, 'label' | 'placeholder' | 'value' | 'onChange'> & {
  /** Undefined while the resources load. */
  resources: { id: string; name: string }[] | undefined
}

function ResourceSelect({ resources, ...select }: ResourceSelectProps) {
  const data = (resources ?? []).map((item) => ({ value: item.id, label: item.name }))
  return <Select data={data} searchable clearable {...select} />
}
