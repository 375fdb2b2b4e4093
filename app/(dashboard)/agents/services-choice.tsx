'use client'

import { MultiSelect, Radio, Select, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { NamedAgent, ServicesToName } from '#server/schemas/organization/agents.ts'
import { allPages } from '../../client/all-pages.ts'
import { RadioGroup } from '../../components/forms/radio-group.tsx'

export type Choice = {
  use: 'none' | 'project' | 'services'
  workspaceId: string | null
  projectId: string | null
  serviceIds: string[]
}

export const NO_SERVICES: Choice = { use: 'none', workspaceId: null, projectId: null, serviceIds: [] }

/** Returns what an operation gets of a choice. */
export function chosenServices({ use, projectId, serviceIds }: Choice): ServicesToName {
  if (use === 'project' && projectId !== null) return { projectId }
  return use === 'services' ? { serviceIds } : {}
}

/** Whether what the choice asks for is selected. */
export function isChoiceComplete({ use, projectId, serviceIds }: Choice): boolean {
  return use === 'none' || (use === 'project' ? projectId !== null : serviceIds.length > 0)
}

type Props = { label: string; value: Choice; onChange: (choice: Choice) => void; mayBeNone: boolean }

/** Asks which services use an agent: none, those of a project, or some of them. */
export function ServicesChoice({ label, value, onChange, mayBeNone }: Props) {
  const { use, workspaceId, projectId } = value
  const change = (changes: Partial<Choice>) => onChange({ ...value, ...changes })
  const workspaces = useQuery({ ...allPages('workspaces.list', {}), enabled: use !== 'none' })
  const projects = useQuery({
    ...allPages('projects.list', { workspaceId: workspaceId ?? '' }),
    enabled: workspaceId !== null,
  })
  const services = useQuery({
    ...allPages('services.list', { projectId: projectId ?? '' }),
    enabled: projectId !== null && use === 'services',
  })
  return (
    <Stack gap="sm">
      <RadioGroup
        label={label}
        value={use}
        onChange={(chosen) => onChange({ ...NO_SERVICES, use: chosen as Choice['use'] })}
      >
        {mayBeNone && (
          <Radio
            value="none"
            label="None yet"
            description="Select it later, in the settings of services or on the page of the agent."
          />
        )}
        <Radio
          value="project"
          label="All services of a project"
          description="Those that are in the project now. For later ones, select the agent in their settings."
        />
        <Radio value="services" label="Some services" />
      </RadioGroup>
      {use !== 'none' && (
        <>
          <Select
            label="Workspace"
            data={optionsOf(workspaces.data)}
            value={workspaceId}
            onChange={(id) => change({ workspaceId: id, projectId: null, serviceIds: [] })}
            searchable
          />
          <Select
            label="Project"
            data={optionsOf(projects.data)}
            value={projectId}
            onChange={(id) => change({ projectId: id, serviceIds: [] })}
            disabled={workspaceId === null}
            searchable
          />
        </>
      )}
      {use === 'services' && (
        <MultiSelect
          label="Services"
          data={optionsOf(services.data)}
          value={value.serviceIds}
          onChange={(serviceIds) => change({ serviceIds })}
          disabled={projectId === null}
          searchable
        />
      )}
    </Stack>
  )
}

/** Says what became of the services. Some may not run on the agent yet. */
export function namedText({ added, leftOutTotal, leftOut }: NamedAgent): string {
  const addedText = added === 1 ? 'Added one service.' : `Added ${added} services.`
  if (leftOutTotal === 0) return addedText
  const names = leftOut.map(({ name }) => name).join(', ')
  return `${addedText} Not added, because their scripts may not run on it: ${names}. An agent reports its networks when it connects: then add them again.`
}

function optionsOf(list: { id: string; name: string }[] = []) {
  return list.map(({ id, name }) => ({ value: id, label: name }))
}
