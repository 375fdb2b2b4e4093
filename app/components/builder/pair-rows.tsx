import { ActionIcon, Autocomplete, Button, Group, Input, Stack, TextInput } from '@mantine/core'
import type { Pair } from '#server/language/builder/steps.ts'
import { Plus, X } from '../icons.ts'

/** Rows of names and values. `what` names a row, such as `header`. */
export function PairRows(props: {
  what: string
  rows: Pair[]
  names?: string[]
  valuesOf?: (name: string) => string[]
  error: string | null
  onChange: (rows: Pair[]) => void
}) {
  const { what, rows, onChange } = props
  const set = (at: number, change: Partial<Pair>) =>
    onChange(rows.map((row, index) => (index === at ? { ...row, ...change } : row)))
  return (
    <Stack gap="xs">
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no id, and their fields hold no state
        <Group key={at} gap="xs" wrap="nowrap" align="flex-start">
          <Autocomplete
            aria-label={`Name of ${what} ${at + 1}`}
            placeholder="Name"
            data={props.names ?? []}
            value={row.name}
            autoComplete="off"
            flex={2}
            onChange={(name) => set(at, { name })}
          />
          {props.valuesOf ? (
            <Autocomplete
              aria-label={`Value of ${what} ${at + 1}`}
              placeholder="Value"
              data={props.valuesOf(row.name)}
              value={row.value}
              autoComplete="off"
              flex={3}
              onChange={(value) => set(at, { value })}
            />
          ) : (
            <TextInput
              aria-label={`Value of ${what} ${at + 1}`}
              placeholder="Value"
              value={row.value}
              autoComplete="off"
              flex={3}
              onChange={(event) => set(at, { value: event.currentTarget.value })}
            />
          )}
          <ActionIcon
            variant="default"
            size={36}
            aria-label={`Remove ${what} ${at + 1}`}
            onClick={() => onChange(rows.filter((_, index) => index !== at))}
          >
            <X size={15} aria-hidden />
          </ActionIcon>
        </Group>
      ))}
      <FieldError error={props.error} />
      <Group>
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<Plus size={14} aria-hidden />}
          onClick={() => onChange([...rows, { name: '', value: '' }])}
        >
          Add a {what}
        </Button>
      </Group>
    </Stack>
  )
}

/** What is wrong with several fields together. */
export function FieldError({ error }: { error: string | null }) {
  return error === null ? null : (
    <Input.Error role="alert" size="sm">
      {error}
    </Input.Error>
  )
}
