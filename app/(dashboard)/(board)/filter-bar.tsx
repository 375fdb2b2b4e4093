'use client'

import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { BoardFilters } from '#server/schemas/status/board.ts'
import { SEARCH_MAX } from '#server/schemas/status/search-terms.ts'
import { query } from '../../client/api.ts'
import { Search, X } from '../../components/icons.ts'
import { SelectField } from '../../components/inputs/select-field.tsx'
import { TextField } from '../../components/inputs/text-field.tsx'
import { Link } from '../../components/layout/link.tsx'
import classes from './board.module.css'
import { addressWith, type BoardAddress, isFiltered } from './board-address.ts'

/** Search and filters of the board. All of them are in the address. */
export function FilterBar({ address, problems }: { address: BoardAddress; problems: string[] }) {
  const router = useRouter()
  const [text, setText] = useState(address.q ?? '')
  const { data: filters } = useQuery({ ...query('status.filters'), staleTime: 60_000 })
  return (
    <Stack gap={6} component="search">
      <Group gap="xs" align="center">
        <form
          className={classes.search}
          onSubmit={(event) => {
            event.preventDefault()
            router.push(addressWith(address, { q: text.trim() || undefined }))
          }}
        >
          <TextField
            type="search"
            name="q"
            aria-label="Search services"
            placeholder="Search, or state:failing label:critical"
            icon={<Search size={15} aria-hidden />}
            maxLength={SEARCH_MAX}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
            aria-invalid={problems.length > 0}
            aria-describedby="search-problems"
          />
        </form>
        {filters && <Choices address={address} filters={filters} />}
        {isFiltered(address) && (
          <Button
            component={Link}
            href={addressWith(address.isFlat ? { isFlat: true } : {}, {})}
            variant="subtle"
            size="xs"
            leftSection={<X size={14} aria-hidden />}
          >
            Clear
          </Button>
        )}
      </Group>
      <div id="search-problems" role="status">
        {problems.map((problem) => (
          <Text key={problem} size="sm" c="dimmed">
            {problem}
          </Text>
        ))}
      </div>
    </Stack>
  )
}

function Choices({ address, filters }: { address: BoardAddress; filters: BoardFilters }) {
  const router = useRouter()
  const { workspaceId } = address
  const projects = filters.projects.filter((project) => !workspaceId || project.workspaceId === workspaceId)
  const choose = (changes: BoardAddress | Record<string, undefined>) => router.push(addressWith(address, changes))
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
              choose({ [key]: chosen, ...(key === 'workspaceId' && { projectId: undefined }) })
            }}
          />
        )
      })}
    </div>
  )
}
