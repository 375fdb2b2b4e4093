'use client'

import { Autocomplete, type AutocompleteProps } from '@mantine/core'

const SUGGESTIONS = ['* * * * *', '*/5 * * * *', '*/15 * * * *', '0 * * * *', '0 6 * * *', '0 6 * * 1-5']

/** The field for a cron expression in UTC, with common ones as suggestions. */
export function ScheduleInput(props: AutocompleteProps) {
  return (
    <Autocomplete
      label="Schedule"
      description="Minute, hour, day, month and weekday, in UTC. Example: */5 * * * * is every five minutes."
      data={SUGGESTIONS}
      // Suggestions are examples, not completions, so typing does not filter them.
      filter={({ options }) => options}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      maxLength={16}
      required
      {...props}
    />
  )
}
