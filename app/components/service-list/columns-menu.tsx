'use client'

import { Button } from '@mantine/core'
import { Columns3 } from '../icons.ts'
import { ActionMenu } from '../menus/action-menu.tsx'
import type { MenuEntry } from '../menus/menu-entry.ts'
import { COLUMN_KEYS, COLUMNS, type ColumnKey } from './columns.ts'

/** Chooses the columns of the table. `onChoose` gets null for those of the page. */
export function ColumnsMenu(props: {
  shown: readonly ColumnKey[]
  defaults: readonly ColumnKey[]
  onChoose: (columns: ColumnKey[] | null) => void
}) {
  const choose = (columns: ColumnKey[]) =>
    props.onChoose(columns.join() === props.defaults.join() || columns.length === 0 ? null : columns)
  const entries: MenuEntry[] = [
    ...COLUMN_KEYS.map((key) => ({
      label: COLUMNS[key].name,
      isChecked: props.shown.includes(key),
      onToggle: (isChecked: boolean) =>
        choose(COLUMN_KEYS.filter((one) => (one === key ? isChecked : props.shown.includes(one)))),
    })),
    'divider',
    { label: 'As at first', onSelect: () => props.onChoose(null) },
  ]
  return (
    <ActionMenu entries={entries}>
      {(target) => (
        <Button variant="default" leftSection={<Columns3 size={15} aria-hidden />} {...target}>
          Columns
        </Button>
      )}
    </ActionMenu>
  )
}
