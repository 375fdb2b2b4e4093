'use client'

import { Group, Pagination, Text } from '@mantine/core'

/** Switches between the pages of a list. Hidden if there is only one. */
export function Pager(props: {
  page: { total: number; page: number; pageSize: number }
  onPage: (page: number) => void
}) {
  const { total, page, pageSize } = props.page
  if (total <= pageSize) return null
  const first = (page - 1) * pageSize + 1
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm" c="dimmed">
        {first.toLocaleString('en')}–{Math.min(page * pageSize, total).toLocaleString('en')} of{' '}
        {total.toLocaleString('en')}
      </Text>
      <Pagination
        size="sm"
        total={Math.ceil(total / pageSize)}
        value={page}
        onChange={props.onPage}
        getControlProps={(control) => ({ 'aria-label': `${control} page` })}
      />
    </Group>
  )
}
