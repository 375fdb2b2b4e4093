import { Group } from '@mantine/core'
import type { Input } from '../../client/api.ts'
import { Segments } from '../../components/inputs/segments.tsx'
import { SelectField } from '../../components/inputs/select-field.tsx'

/** What the list is narrowed to; a field that is absent narrows nothing. */
export type Filters = Pick<Input<'incidents.list'>, 'state' | 'severity' | 'assignee' | 'acknowledged'>

const STATES = [
  { value: 'all', label: 'All' },
  { value: 'open', label: 'Open' },
  { value: 'closed', label: 'Closed' },
] as const

const SEVERITIES = [
  { value: '', label: 'Any severity' },
  { value: 'critical', label: 'Critical' },
  { value: 'high', label: 'High' },
  { value: 'medium', label: 'Medium' },
  { value: 'low', label: 'Low' },
] as const

const ASSIGNEES = [
  { value: '', label: 'Any assignee' },
  { value: 'me', label: 'Assigned to me' },
  { value: 'none', label: 'Not assigned' },
] as const

const ACKNOWLEDGEMENTS = [
  { value: '', label: 'Acknowledged or not' },
  { value: 'false', label: 'Not acknowledged' },
  { value: 'true', label: 'Acknowledged' },
] as const

export function IncidentFilters({ filters, onChange }: { filters: Filters; onChange: (filters: Filters) => void }) {
  return (
    <Group gap="xs">
      <Segments
        label="State"
        options={STATES}
        value={filters.state ?? 'all'}
        onChange={(state) => onChange({ ...filters, state: state === 'all' ? undefined : state })}
      />
      <SelectField
        aria-label="Severity"
        options={SEVERITIES}
        value={filters.severity ?? ''}
        onChange={(event) => onChange({ ...filters, severity: chosen(SEVERITIES, event.currentTarget.value) })}
      />
      <SelectField
        aria-label="Assignee"
        options={ASSIGNEES}
        value={filters.assignee ?? ''}
        onChange={(event) => onChange({ ...filters, assignee: chosen(ASSIGNEES, event.currentTarget.value) })}
      />
      <SelectField
        aria-label="Acknowledgement"
        options={ACKNOWLEDGEMENTS}
        value={filters.acknowledged ?? ''}
        onChange={(event) =>
          onChange({ ...filters, acknowledged: chosen(ACKNOWLEDGEMENTS, event.currentTarget.value) })
        }
      />
    </Group>
  )
}

/** Returns the value among the options; undefined for the one that narrows nothing. */
function chosen<Value extends string>(options: readonly { value: Value }[], value: string) {
  return options.map((option) => option.value).find((each): each is Exclude<Value, ''> => each !== '' && each === value)
}
