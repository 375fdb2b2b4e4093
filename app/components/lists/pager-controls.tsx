'use client'

import { ActionIcon, Group, Text } from '@mantine/core'
import { ChevronFirst, ChevronLast, ChevronLeft, ChevronRight, type IconComponent } from '../icons.ts'

export type PagerProps = {
  page: { total: number; page: number; pageSize: number }
  onPage: (page: number) => void
}

/** Says which part of a list is shown, and leads to the others. */
export function PagerControls(props: PagerProps) {
  const { total, page, pageSize } = props.page
  const last = Math.ceil(total / pageSize)
  const first = (page - 1) * pageSize + 1
  const control = (label: string, Icon: IconComponent, to: number) => (
    <ActionIcon
      variant="default"
      aria-label={`${label} page`}
      disabled={to < 1 || to > last || to === page}
      onClick={() => props.onPage(to)}
    >
      <Icon size={16} aria-hidden />
    </ActionIcon>
  )
  return (
    <Group justify="space-between" gap="sm">
      <Text size="sm" c="dimmed">
        {first.toLocaleString('en')}–{Math.min(page * pageSize, total).toLocaleString('en')} of{' '}
        {total.toLocaleString('en')}
      </Text>
      <Group gap={6}>
        {control('first', ChevronFirst, 1)}
        {control('previous', ChevronLeft, page - 1)}
        <Text size="sm" px={4}>
          Page {page.toLocaleString('en')} of {last.toLocaleString('en')}
        </Text>
        {control('next', ChevronRight, page + 1)}
        {control('last', ChevronLast, last)}
      </Group>
    </Group>
  )
}
