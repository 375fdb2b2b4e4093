'use client'

import { Autocomplete, type AutocompleteProps } from '@mantine/core'

const SUGGESTIONS = ['* * * * *', '*/5 * * * *', '*/15 * * * *', '0 * * * *', '0 6 * * *', '0 6 * * 1-5']

/** A cron expression in UTC, with the usual ones at hand. */
export function ScheduleInput(props: AutocompleteProps) {
  return (
    <Autocomplete
      label="Schedule"
      description="Minute, hour, day, month, weekday, in UTC. */5 * * * * is every five minutes."
      data={SUGGESTIONS}
      // Whatever is written, all suggestions are shown: they are examples, not completions.
      filter={({ options }) => options}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      maxLength={16}
      required
      {...props}
    />
  )
}
