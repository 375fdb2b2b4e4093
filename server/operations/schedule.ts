import { CronError } from '../schedule/cron.ts'
import { nextSlots } from '../schedule/cron-slots.ts'
import { nextOpenings, RecurrenceError, type RecurrenceKind } from '../schedule/recurrence.ts'
import { PREVIEW_TIMES, SchedulePreview, SchedulePreviewQuery } from '../schemas/schedule/preview.ts'
import { router, sessionProcedure } from '../trpc.ts'

/** Says when a schedule or window takes place next. An invalid expression is an answer too, because people still type. */
const preview = sessionProcedure
  .input(SchedulePreviewQuery)
  .output(SchedulePreview)
  .query(async ({ ctx, input }) => {
    const { kind, expression, timezone = 'UTC' } = input
    try {
      const times =
        kind === 'schedule'
          ? nextRuns(expression, timezone, ctx.now())
          : await nextWindows(expression, kind, ctx.now(), ctx.actor.timezone)
      return { problem: null, times }
    } catch (error) {
      if (error instanceof CronError || error instanceof RecurrenceError) return { problem: error.message, times: [] }
      throw error
    }
  })

export const scheduleRouter = router({ preview })

function nextRuns(expression: string, timezone: string, now: Date): SchedulePreview['times'] {
  return nextSlots(expression, now, PREVIEW_TIMES, timezone).map((slot) => ({ at: slot.toISOString(), until: null }))
}

async function nextWindows(expression: string, kind: RecurrenceKind, now: Date, timezone: string) {
  const openings = await nextOpenings(expression, kind, now, timezone, PREVIEW_TIMES)
  return openings.map(({ opensAt, closesAt }) => ({ at: opensAt.toISOString(), until: closesAt.toISOString() }))
}
