import { Group, Text } from '@mantine/core'
import { BellOff } from '../../components/icons.ts'

/** Says of a webhook without bindings what that means. */
export function AlertsNobody() {
  return (
    <Group gap={6} wrap="nowrap" align="flex-start">
      <BellOff size={16} aria-hidden style={{ flex: 'none', marginTop: 3 }} />
      <Text size="sm" fw={600}>
        It is bound to nothing, so it alerts nobody.
      </Text>
    </Group>
  )
}
