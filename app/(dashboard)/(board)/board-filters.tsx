'use client'

import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { query } from '../../client/api.ts'
import { X } from '../../components/icons.ts'
import { SelectField } from '../../components/inputs/select-field.tsx'
import { type AddressChanges, isFiltered, type ListAddress } from '../../components/service-list/list-address.ts'
import classes from './board.module.css'

/** The filters of the board beside its search. All of them are in the address. */
export function BoardFilters(props: {
  address: ListAddress
  change: (changes: AddressChanges) => void
  onClear: () => void
}) {
  const { address, change } = props
  const { data: filters } = useQuery({ ...query('status.filters'), staleTime: 60_000 })
  if (!filters) return null
  const { workspaceId } = address
  const projects = filters.projects.filter((project) => !workspaceId || project.workspaceId === workspaceId)
  const choices = [
    {
      key: 'workspaceId',
      all: 'All workspaces',
      options: filters.workspaces.map(({ id, name }) => ({ value: id, label: name })),
    },
    { key: 'projectId', all: 'All projects', options: projects.map(({ id, name }) => ({ value: id, label: name })) },
    { key: 'label', all: 'All labels', options: filters.labels.map((label) => ({ value: label, label })) },
    { key: 'agent', all: 'All agents', options: filters.agents.map((agent) => ({ value: agent, label: agent })) },
  ] as const
  return (
    <div className={classes.choices}>
      {choices.map(({ key, all, options }) => {
        const value = address[key] ?? ''
        // A single value cannot narrow anything.
        if (options.length < 2 && value === '') return null
        return (
          <SelectField
            key={key}
            className={classes.choice}
            aria-label={all.replace('All ', 'Filter by ')}
            value={options.some((option) => option.value === value) ? value : ''}
            options={[{ value: '', label: all }, ...options]}
            onChange={(event) => {
              const chosen = event.currentTarget.value || undefined
              // A project belongs to one workspace.
              change({ [key]: chosen, ...(key === 'workspaceId' && { projectId: undefined }) })
            }}
          />
        )
      })}
      {isFiltered(address) && (
        <Button onClick={props.onClear} variant="subtle" leftSection={<X size={14} aria-hidden />}>
          Clear
        </Button>
      )}
    </div>
  )
}
