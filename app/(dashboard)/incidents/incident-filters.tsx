import { Anchor, Button, Group, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { UrlChanges } from '../../client/addresses/url-state.ts'
import { query } from '../../client/api.ts'
import { useZone } from '../../client/zone.tsx'
import { ChevronDown, X } from '../../components/icons.ts'
import { PeriodInput } from '../../components/inputs/period-input.tsx'
import { SearchField } from '../../components/inputs/search-field.tsx'
import { Segments } from '../../components/inputs/segments.tsx'
import { SelectField } from '../../components/inputs/select-field.tsx'
import { type Filters, FURTHER, isNarrowed } from './filters.ts'
import styles from './incident-filters.module.css'

const STATES = [
  { value: 'all', label: 'All' },
  { value: 'open', label: 'Open' },
  { value: 'closed', label: 'Closed' },
] as const

/** The selects that are always shown, by their parameter in the URL. The first option narrows nothing. */
const SELECTS = [
  {
    name: 'severity',
    label: 'Severity',
    options: [
      { value: '', label: 'Any severity' },
      { value: 'critical', label: 'Critical' },
      { value: 'high', label: 'High' },
      { value: 'medium', label: 'Medium' },
      { value: 'low', label: 'Low' },
    ],
  },
  {
    name: 'assignee',
    label: 'Assignee',
    options: [
      { value: '', label: 'Any assignee' },
      { value: 'me', label: 'Assigned to me' },
      { value: 'none', label: 'Not assigned' },
    ],
  },
  {
    name: 'acknowledged',
    label: 'Acknowledgement',
    options: [
      { value: '', label: 'Acknowledged or not' },
      { value: 'false', label: 'Not acknowledged' },
      { value: 'true', label: 'Acknowledged' },
    ],
  },
  {
    name: 'sort',
    label: 'Order',
    options: [
      { value: '', label: 'Newest first' },
      { value: 'longest', label: 'Longest first' },
    ],
  },
] as const

type Props = {
  filters: Filters
  onChange: (changes: UrlChanges, isTyped?: boolean) => void
  onClear: () => void
}

/** Search, filters and order of the list. All of them are in the URL. */
export function IncidentFilters({ filters, onChange, onClear }: Props) {
  const [isOpen, setIsOpen] = useState(() => FURTHER.some((name) => filters[name] !== undefined))
  return (
    <Stack gap="xs" component="search">
      <Group gap="xs">
        <div className={styles.search}>
          <SearchField
            aria-label="Search incidents"
            placeholder="Search cause or service"
            maxLength={200}
            value={filters.q ?? ''}
            onSearch={(text) => onChange({ q: text || null }, true)}
          />
        </div>
        <Segments
          label="State"
          options={STATES}
          value={filters.state ?? 'all'}
          onChange={(state) => onChange({ state: state === 'all' ? null : state })}
        />
        {SELECTS.map(({ name, label, options }) => (
          <SelectField
            key={name}
            className={styles.choice}
            aria-label={label}
            options={options}
            value={filters[name] ?? ''}
            onChange={(event) => onChange({ [name]: event.currentTarget.value || null })}
          />
        ))}
        <Button
          variant="default"
          size="sm"
          aria-expanded={isOpen}
          rightSection={<ChevronDown size={14} aria-hidden />}
          onClick={() => setIsOpen(!isOpen)}
        >
          More filters
        </Button>
        {isNarrowed(filters) && (
          <Button variant="subtle" size="sm" leftSection={<X size={14} aria-hidden />} onClick={onClear}>
            Clear
          </Button>
        )}
      </Group>
      {isOpen && <FurtherFilters filters={filters} onChange={onChange} />}
      {(filters.serviceId || filters.workspaceId) && (
        <Notice onShowAll={() => onChange({ serviceId: null, workspaceId: null })}>
          Only incidents of one {filters.serviceId ? 'service' : 'workspace'}.
        </Notice>
      )}
    </Stack>
  )
}

/** Project, label, agent and time. Their values are those of the services that the member can see. */
function FurtherFilters({ filters, onChange }: Pick<Props, 'filters' | 'onChange'>) {
  const { zone } = useZone()
  const { data } = useQuery({ ...query('status.filters'), staleTime: 60_000 })
  const asOptions = (values: string[] = []) => values.map((value) => ({ value, label: value }))
  const choices = [
    {
      name: 'projectId',
      label: 'Project',
      options: (data?.projects ?? []).map(({ id, name }) => ({ value: id, label: name })),
    },
    { name: 'label', label: 'Label', options: asOptions(data?.labels) },
    { name: 'agent', label: 'Failing agent', options: asOptions(data?.agents) },
  ] as const
  return (
    <Group gap="xs" align="flex-end">
      {choices.map(({ name, label, options }) => {
        const value = filters[name] ?? ''
        // A link can name what has no service any more.
        const isListed = value === '' || options.some((option) => option.value === value)
        return (
          <SelectField
            key={name}
            className={styles.choice}
            label={label}
            options={[{ value: '', label: 'All' }, ...options, ...(isListed ? [] : [{ value, label: value }])]}
            value={value}
            onChange={(event) => onChange({ [name]: event.currentTarget.value || null, serviceId: null })}
          />
        )
      })}
      <PeriodInput key={`since ${filters.since} ${zone}`} label="From" name="since" value={filters.since} zone={zone} />
      <PeriodInput key={`until ${filters.until} ${zone}`} label="To" name="until" value={filters.until} zone={zone} />
    </Group>
  )
}

function Notice({ children, onShowAll }: { children: ReactNode; onShowAll: () => void }) {
  return (
    <div>
      {children}{' '}
      <Anchor component="button" type="button" inherit onClick={onShowAll}>
        Show all
      </Anchor>
    </div>
  )
}
