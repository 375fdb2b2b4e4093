import type { Tx } from '#db/client.ts'
import { and, eq, isNull } from '#db/drizzle.cjs'
import { organizations } from '#db/schema/organizations.ts'
import type { ActorContext } from '../../context.ts'

/** Stores that the question is answered, unless it was before. */
export async function answerAlertQuestion(tx: Tx, ctx: ActorContext): Promise<void> {
  await tx
    .update(organizations)
    .set({ alertsAnsweredAt: ctx.now() })
    .where(and(eq(organizations.id, ctx.actor.organizationId), isNull(organizations.alertsAnsweredAt)))
}
