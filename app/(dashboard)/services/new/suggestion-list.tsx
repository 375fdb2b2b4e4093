import { Checkbox, Stack } from '@mantine/core'
import type { Suggestion } from '#server/schemas/new-service/suggestions.ts'

/** The assertions that fit the response. Those that are ticked become part of the script. */
export function SuggestionList(props: {
  suggestions: Suggestion[]
  ticked: string[]
  onChange: (ticked: string[]) => void
}) {
  return (
    <Checkbox.Group
      label="What the service expects"
      description="A run fails when the response does not meet what you tick."
      value={props.ticked}
      onChange={props.onChange}
    >
      <Stack gap="xs" mt="xs">
        {props.suggestions.map(({ id, text }) => (
          <Checkbox key={id} value={id} label={text} styles={{ label: { overflowWrap: 'anywhere' } }} />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}
