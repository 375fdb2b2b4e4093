'use client'

import { Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ScheduleKind } from '#server/schemas/schedule/preview.ts'
import { query } from '../../client/api.ts'
import { useNow } from '../../client/now.tsx'
import { capitalized } from '../../client/problem.ts'
import { useZone } from '../../client/zone.tsx'
import { zoneName } from '../../client/zone-choice.ts'
import { newTimeFormat } from './time-format.ts'

const TYPING_MS = 300

/** Says in words when a schedule or window takes place, and lists the next times: of a schedule in its time zone. */
export function NextTimes(props: {
  kind: ScheduleKind
  expression: string
  /** Of a schedule. Windows name their own, and are shown in that of the dashboard. */
  timezone?: string
  words: string | null
}) {
  const { zone } = useZone()
  const timezone = props.timezone ?? zone
  const now = useNow()
  const [expression] = useDebouncedValue(props.expression, TYPING_MS)
  const { data } = useQuery({
    ...query('schedule.preview', { kind: props.kind, expression, ...(props.timezone && { timezone: props.timezone }) }),
    placeholderData: keepPreviousData,
  })
  // The words follow what is typed at once, the times a little later.
  const isCurrent = expression === props.expression
  const [next, ...later] = (data?.times ?? []).map(newTimeFormat(timezone, now))
  return (
    <Stack gap={2} aria-live="polite" mih={44}>
      {data?.problem && isCurrent ? (
        <Text size="sm" c="red">
          {capitalized(data.problem)}
        </Text>
      ) : (
        <>
          <Text size="sm">
            {[props.words, next && `next ${next} ${zoneName(timezone)}`].filter(Boolean).join(', ') ||
              'No upcoming time'}
          </Text>
          {later.length > 0 && (
            <Text size="xs" c="dimmed">
              Then {later.join(' · ')}
            </Text>
          )}
        </>
      )}
    </Stack>
  )
}
