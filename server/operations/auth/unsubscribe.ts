import {
  isUnsubscribed,
  requireSubscription,
  unsubscribe as silenceSubscription,
} from '../../alerts/alerts/unsubscribe.ts'
import { findByToken } from '../../identity/auth/throttle.ts'
import { UnsubscribeToken, Unsubscription } from '../../schemas/alerts/unsubscribe.ts'
import { Ok } from '../../schemas/conventions.ts'
import { publicProcedure } from '../../trpc.ts'

/** Shows what the link in an alert mail stops. It changes nothing, because mail scanners open links. */
export const unsubscription = publicProcedure
  .meta({ api: { errors: ['unsubscribe_invalid', 'rate_limited'] } })
  .input(UnsubscribeToken)
  .output(Unsubscription)
  .query(async ({ ctx, input }) => {
    const found = await findByToken(ctx, () => requireSubscription(ctx, input.token))
    return {
      organization: found.organization,
      email: found.email,
      resourceType: found.target.type,
      resourceName: found.name,
      isStopped: await isUnsubscribed(ctx.db, found),
    }
  })

export const unsubscribe = publicProcedure
  .meta({ api: { errors: ['unsubscribe_invalid', 'rate_limited'] } })
  .input(UnsubscribeToken)
  .output(Ok)
  .mutation(async ({ ctx, input }) => {
    const found = await findByToken(ctx, () => requireSubscription(ctx, input.token))
    await silenceSubscription(ctx.db, found, ctx.address)
    return { ok: true as const }
  })
