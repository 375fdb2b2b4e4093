import { Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** The name of a row with a smaller line below it. `badges` follow the name. */
export function TitleCell(props: { title: ReactNode; badges?: ReactNode; subtitle?: ReactNode }) {
  return (
    <Stack gap={0} style={{ overflowWrap: 'anywhere' }}>
      <Group gap="xs">
        <Text size="sm" fw={600}>
          {props.title}
        </Text>
        {props.badges}
      </Group>
      {props.subtitle && (
        <Text size="xs" c="dimmed">
          {props.subtitle}
        </Text>
      )}
    </Stack>
  )
}
