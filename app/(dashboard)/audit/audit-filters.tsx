'use client'

import { Button, Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { actionLabel } from '#server/schemas/audit/sentence.ts'
import { ACTION_WORDS } from '#server/schemas/audit/words.ts'
import { query } from '../../client/api.ts'
import { X } from '../../components/icons.ts'
import { SelectField } from '../../components/inputs/select-field.tsx'
import { TextField } from '../../components/inputs/text-field.tsx'
import { Link } from '../../components/layout/link.tsx'
import { type AuditAddress, addressWith } from './audit-address.ts'

type Option = { value: string; label: string }

const ACTIONS: Option[] = Object.keys(ACTION_WORDS)
  .map((value) => ({ value, label: actionLabel(value) }))
  .sort((a, b) => a.label.localeCompare(b.label, 'en'))

const TYPES: Option[] = [
  'agent',
  'api_key',
  'domain',
  'group',
  'incident',
  'invitation',
  'maintenance',
  'metrics_token',
  'organization',
  'project',
  'service',
  'session',
  'silence',
  'user',
  'variable',
  'webhook',
  'workspace',
].map((value) => ({ value, label: typeLabel(value) }))

/** Who, what, on what and when. A choice opens the address with it. */
export function AuditFilters({ address }: { address: AuditAddress }) {
  const router = useRouter()
  const { data: people = [] } = useQuery({ ...query('organization.audit.people'), staleTime: 60_000 })
  const choose = (changes: AuditAddress | Record<string, undefined>) => router.push(addressWith(address, changes))
  const choices = [
    {
      key: 'person',
      label: 'Person',
      all: 'Everyone',
      options: people.map(({ id, name, email }) => ({ value: id, label: name || email })),
    },
    { key: 'action', label: 'Action', all: 'All actions', options: ACTIONS },
    { key: 'type', label: 'Resource', all: 'All resources', options: TYPES },
  ] as const
  return (
    <Group gap="sm" align="end" component="search">
      {choices.map(({ key, label, all, options }) => (
        <SelectField
          key={key}
          label={label}
          value={address[key] ?? ''}
          options={[{ value: '', label: all }, ...withCurrent(options, address[key])]}
          onChange={(event) => choose({ [key]: event.currentTarget.value || undefined })}
          style={{ maxWidth: 220 }}
        />
      ))}
      {(['from', 'to'] as const).map((key) => (
        <DateField
          key={key}
          label={key === 'from' ? 'From' : 'To'}
          value={address[key] ?? ''}
          onChange={(date) => choose({ [key]: date || undefined })}
        />
      ))}
      {Object.keys(address).some((key) => key !== 'page') && (
        <Button component={Link} href="/audit" variant="subtle" leftSection={<X size={14} aria-hidden />}>
          Clear
        </Button>
      )}
    </Group>
  )
}

/** Calls `onChange` with whole dates only: while a year is typed, it is a year of the first century. */
function DateField(props: { label: string; value: string; onChange: (date: string) => void }) {
  const { label, value, onChange } = props
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  return (
    <TextField
      type="date"
      label={label}
      value={text}
      onChange={({ currentTarget: { value: typed } }) => {
        setText(typed)
        if (typed === '' || typed >= '2000') onChange(typed)
      }}
    />
  )
}

/** Keeps what the address names selectable, such as a person who has left. */
function withCurrent(options: readonly Option[], value: string | undefined): Option[] {
  const isKnown = value === undefined || options.some((option) => option.value === value)
  return isKnown
    ? [...options]
    : [...options, { value, label: value.includes('-') ? 'Former member' : typeLabel(value) }]
}

function typeLabel(type: string): string {
  if (type === 'api_key') return 'API key'
  if (type === 'user') return 'Member'
  const words = type.replaceAll(/[._]/g, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
