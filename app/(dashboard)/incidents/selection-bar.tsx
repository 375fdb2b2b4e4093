import { Button, Group, Paper, Text } from '@mantine/core'
import { Check } from '../../components/icons.ts'

/** What can be done with the selected incidents. It stays in view while the list scrolls. */
export function SelectionBar(props: { count: number; onAcknowledge: () => void; onClear: () => void }) {
  return (
    <Paper
      withBorder
      px="md"
      py="xs"
      role="toolbar"
      aria-label="Selected incidents"
      style={{ position: 'sticky', top: 64, zIndex: 1 }}
    >
      <Group gap="xs">
        <Text size="sm" fw={600} mr="sm">
          {props.count} selected
        </Text>
        <Button size="xs" leftSection={<Check size={14} aria-hidden />} onClick={props.onAcknowledge}>
          Acknowledge…
        </Button>
        <Button size="xs" variant="subtle" color="gray" onClick={props.onClear}>
          Clear selection
        </Button>
      </Group>
    </Paper>
  )
}
