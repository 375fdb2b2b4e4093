'use client'

import { Anchor, Group, Stack, Text, TextInput, type TextInputProps } from '@mantine/core'
import { useMe } from '../../../../client/me.tsx'

const EXAMPLES = [
  { label: 'Every night, 02:00 to 04:00', value: 'FREQ=DAILY;BYHOUR=2;BYMINUTE=0/120' },
  { label: 'Sundays, 22:00 to 23:30', value: 'FREQ=WEEKLY;BYDAY=SU;BYHOUR=22;BYMINUTE=0/90' },
]

/** The field for a maintenance window in the format of the API, with examples. */
export function WindowInput(props: TextInputProps & { onChange?: (value: string) => void }) {
  const me = useMe()
  return (
    <Stack gap={4}>
      <TextInput
        label="Maintenance window"
        description={`The service has no scheduled runs in this window. The format is RRULE/minutes or RRULE/minutes/timezone. Without a timezone, ${me.organization.timezone} applies.`}
        placeholder="FREQ=DAILY;BYHOUR=2;BYMINUTE=0/120/Europe/Berlin"
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        autoComplete="off"
        maxLength={256}
        {...props}
      />
      <Group gap="xs">
        <Text size="xs" c="dimmed">
          Examples:
        </Text>
        {EXAMPLES.map((example) => (
          <Anchor
            key={example.value}
            component="button"
            type="button"
            size="xs"
            onClick={() => props.onChange?.(example.value)}
          >
            {example.label}
          </Anchor>
        ))}
      </Group>
    </Stack>
  )
}
