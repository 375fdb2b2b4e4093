'use client'

import { Button, Group, Select, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { BindingScope } from '#server/schemas/scopes.ts'
import { allPages } from '../../client/all-pages.ts'
import { hasPermission, useMe } from '../../client/me.tsx'

/** What a webhook can be bound to, with its name. */
export type PickedScope = { resourceType: BindingScope; resourceId: string; name: string }

type Choice = { id: string; name: string }
type Picked = { top: Choice | null; project: Choice | null; service: Choice | null }
const NOTHING: Picked = { top: null, project: null, service: null }

/** Picks the organization, a workspace, or a project or a service in it, and gives it to `onPick`. */
export function ScopePicker(props: { buttonLabel: string; isPending?: boolean; onPick: (scope: PickedScope) => void }) {
  const me = useMe()
  const [picked, setPicked] = useState(NOTHING)
  const { top, project, service } = picked
  // Most visitors of a page only read, so nothing is loaded before the list is opened.
  const [isOpened, setOpened] = useState(false)
  const workspaces = useQuery({ ...allPages('workspaces.list', {}), enabled: isOpened })
  const isWhole = top?.id === me.organization.id
  const projects = useQuery({
    ...allPages('projects.list', { workspaceId: top?.id ?? '' }),
    enabled: top !== null && !isWhole,
  })
  const services = useQuery({
    ...allPages('services.list', { projectId: project?.id ?? '' }),
    enabled: project !== null,
  })
  const whole = { id: me.organization.id, name: me.organization.name }
  const pick = () => {
    const scope = scopeOf(picked, isWhole)
    if (!scope) return
    props.onPick(scope)
    setPicked(NOTHING)
  }
  return (
    <Stack gap="xs">
      <ChoiceSelect
        label="Bind it to"
        placeholder="Select"
        choices={[...(hasPermission(me, 'workspaces', 'read') ? [whole] : []), ...(workspaces.data ?? [])]}
        labelOf={({ id, name }) => (id === whole.id ? `The whole organization ${name}` : `Workspace ${name}`)}
        value={top}
        onOpen={() => setOpened(true)}
        onChange={(next) => setPicked({ ...NOTHING, top: next })}
      />
      {top && !isWhole && (
        <ChoiceSelect
          label="Project"
          placeholder="The whole workspace"
          choices={projects.data ?? []}
          value={project}
          onChange={(next) => setPicked({ ...picked, project: next, service: null })}
        />
      )}
      {project && (
        <ChoiceSelect
          label="Service"
          placeholder="The whole project"
          choices={services.data ?? []}
          value={service}
          onChange={(next) => setPicked({ ...picked, service: next })}
        />
      )}
      <Group>
        <Button variant="default" disabled={top === null} loading={props.isPending ?? false} onClick={pick}>
          {props.buttonLabel}
        </Button>
      </Group>
    </Stack>
  )
}

function scopeOf({ top, project, service }: Picked, isWhole: boolean): PickedScope | null {
  if (service) return { resourceType: 'service', resourceId: service.id, name: service.name }
  if (project) return { resourceType: 'project', resourceId: project.id, name: project.name }
  return top && { resourceType: isWhole ? 'organization' : 'workspace', resourceId: top.id, name: top.name }
}

function ChoiceSelect(props: {
  label: string
  placeholder: string
  choices: Choice[]
  labelOf?: (choice: Choice) => string
  value: Choice | null
  onOpen?: () => void
  onChange: (choice: Choice | null) => void
}) {
  const { choices, labelOf = ({ name }: Choice) => name } = props
  return (
    <Select
      label={props.label}
      placeholder={props.placeholder}
      data={choices.map((choice) => ({ value: choice.id, label: labelOf(choice) }))}
      searchable
      clearable
      {...(props.onOpen && { onDropdownOpen: props.onOpen })}
      value={props.value?.id ?? null}
      onChange={(id) => props.onChange(choices.find((choice) => choice.id === id) ?? null)}
    />
  )
}
