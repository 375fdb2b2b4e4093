import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { SelectField } from '../inputs/select-field.tsx'
import { Switch } from '../inputs/switch.tsx'
import { RowButton } from '../lists/row-button.tsx'
import { Table } from '../lists/table.tsx'
import { TitleCell } from '../lists/title-cell.tsx'

const LEVELS = [
  { value: '1', label: 'Read' },
  { value: '2', label: 'Write' },
]

type Level = { permissions: 1 | 2; notify: boolean }

/** A grant in a list of grants on a resource, or of a group: its level, whether it notifies, and its removal. */
export function GrantRow(props: {
  title: ReactNode
  subtitle?: ReactNode
  badges?: ReactNode
  permissions: number
  notify: boolean
  mayWrite: boolean
  /** What the controls are about, such as `Level of Ada`. */
  labels: { level: string; notify: string; remove: string }
  onChange: (level: Level) => void
  onRemove: () => void
}) {
  const { labels, notify, mayWrite } = props
  const permissions = props.permissions === 2 ? 2 : 1
  return (
    <Table.Tr>
      <Table.Td>
        <Stack gap={4} align="flex-start">
          <TitleCell title={props.title} subtitle={props.subtitle} badges={props.badges} />
          <Switch
            label="Notified"
            aria-label={labels.notify}
            checked={notify}
            disabled={!mayWrite}
            onChange={(event) => props.onChange({ permissions, notify: event.currentTarget.checked })}
          />
        </Stack>
      </Table.Td>
      <Table.Td w={110} px={{ base: 4, sm: 'xs' }}>
        {mayWrite ? (
          <SelectField
            aria-label={labels.level}
            options={LEVELS}
            value={String(permissions)}
            onChange={(event) => props.onChange({ permissions: event.currentTarget.value === '2' ? 2 : 1, notify })}
          />
        ) : (
          LEVELS[permissions - 1]?.label
        )}
      </Table.Td>
      <Table.Td w={90} px={{ base: 0, sm: 'xs' }} ta="right">
        {mayWrite && (
          <RowButton color="red" label={labels.remove} onClick={props.onRemove}>
            Remove
          </RowButton>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
