import { ActionIcon, Code, Group, Stack, Text, TextInput } from '@mantine/core'
import type { Taken } from '#server/language/builder/steps.ts'
import { CopyIconButton } from '../copy-icon-button.tsx'
import { X } from '../icons.ts'
import { FieldError } from './pair-rows.tsx'

/** The values of the response that later steps can name. */
export function TakenValues(props: { takes: Taken[]; error: string | null; onChange: (takes: Taken[]) => void }) {
  const { takes, onChange } = props
  if (takes.length === 0) return null
  return (
    <Stack gap="xs" component="section" aria-label="Values for later steps">
      <Text size="sm" fw={600}>
        Values for later steps
      </Text>
      {takes.map((taken, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id, and their fields hold no state
        <Group key={at} gap="xs" wrap="nowrap">
          <TextInput
            aria-label={`Name of value ${at + 1}`}
            leftSection={<Code>$$</Code>}
            value={taken.name}
            autoComplete="off"
            flex={1}
            onChange={(event) => onChange(takes.with(at, { ...taken, name: event.currentTarget.value }))}
          />
          <Text size="sm" flex={1} style={{ overflowWrap: 'anywhere' }}>
            from <Code>{taken.from.replace(/^this\./, '')}</Code>
          </Text>
          <ActionIcon
            variant="default"
            size={36}
            aria-label={`Remove value ${at + 1}`}
            onClick={() => onChange(takes.toSpliced(at, 1))}
          >
            <X size={15} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      <FieldError error={props.error} />
    </Stack>
  )
}

/** The values that earlier steps take, for the fields of this one. */
export function UsableValues({ names }: { names: string[] }) {
  if (names.length === 0) return null
  return (
    <Group gap="xs">
      <Text size="sm">Values of earlier steps, for any field:</Text>
      {names.map((name) => (
        <Group key={name} gap={4}>
          <Code>{`\${$$${name}}`}</Code>
          <CopyIconButton text={`\${$$${name}}`} label={name} size="sm" variant="subtle" />
        </Group>
      ))}
    </Group>
  )
}
