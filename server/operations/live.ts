import { LiveInput } from '../schemas/live/messages.ts'
import { router, sessionProcedure } from '../trpc.ts'

export const liveRouter = router({
  /** What changes in the organization, as long as the page is open. Topics hold no data: see server/schemas/live/topics.ts. */
  changes: sessionProcedure.input(LiveInput).subscription(({ ctx, input, signal }) => {
    const { organizationId, userId } = ctx.actor
    return ctx.live.open({ organizationId, userId, sessionId: ctx.sessionId }, input.ageMs, signal)
  }),
})
