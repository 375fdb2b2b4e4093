import { z } from 'zod'
import { Instant } from '../conventions.ts'
import { Timezone } from './time-zones.ts'

/** The most times that a preview lists. */
export const PREVIEW_TIMES = 5

/** A schedule is a cron expression; maintenance windows and quiet hours are `RRULE[/minutes[/timezone]]`. */
export const SCHEDULE_KINDS = ['schedule', 'serviceWindow', 'quietHours'] as const
export type ScheduleKind = (typeof SCHEDULE_KINDS)[number]

export const SchedulePreviewQuery = z.object({
  kind: z.enum(SCHEDULE_KINDS),
  expression: z.string().max(256),
  /** Of a schedule; UTC when absent. The others name their own. */
  timezone: Timezone.optional(),
})

export const SchedulePreview = z.object({
  problem: z.string().nullable().meta({ description: 'What is wrong with the expression; null if it is valid.' }),
  times: z
    .array(
      z.object({
        at: Instant,
        until: Instant.nullable().meta({ description: 'When a window closes; null for runs.' }),
      }),
    )
    .max(PREVIEW_TIMES)
    .meta({ description: 'The next times, earliest first. A window that is open now comes first.' }),
})
export type SchedulePreview = z.output<typeof SchedulePreview>
