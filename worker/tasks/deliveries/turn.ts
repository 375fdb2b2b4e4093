import type { Db } from '#db/client.ts'
import { alias, and, eq, gt, inArray, lte, sql } from '#db/drizzle.cjs'
import { matchesId, matchesRow } from '#db/row-match.ts'
import { alertEvents, incidents } from '#db/schema/alerts.ts'
import { webhookDeliveries } from '#db/schema/webhooks.ts'
import { keepsAlerts } from '#server/schemas/organization/webhook-presets.ts'

// The order of an incident's deliveries to a service that keeps its alert open until a recovery closes it. Deliveries
// run in parallel and are repeated for a day: without an order, a late failure opens an alert that nothing closes.

/** `over`: the incident is closed, so the message must not be sent. */
export type Turn = 'send' | 'wait' | 'over'

const OPENING = ['service.failed', 'service.reminder', 'service.flapping']

/**
 * For how long a recovery waits for an earlier delivery that is due. An attempt takes some seconds: what is due for
 * longer has not begun, and when it does, it finds its incident closed.
 */
const WAIT = sql`interval '10 minutes'`

type Delivery = Pick<
  typeof webhookDeliveries.$inferSelect,
  'organizationId' | 'webhookId' | 'eventId' | 'kind' | 'attempts'
>

/** Returns the next step of a delivery. Call it right before an attempt. */
export async function turnOf(db: Db, delivery: Delivery, preset: string): Promise<Turn> {
  const { organizationId, webhookId, eventId, kind, attempts } = delivery
  // People read a chat: a failure that is repeated after the recovery would be the last word. Programs get everything.
  const isChatRetry = preset !== 'json' && attempts > 0
  if (OPENING.includes(kind) && (keepsAlerts(preset) || isChatRetry)) {
    const [incident] = await db
      .select({ closedAt: incidents.closedAt })
      .from(alertEvents)
      .innerJoin(incidents, matchesRow(alertEvents.incidentId, incidents))
      .where(matchesId(alertEvents.id, organizationId, eventId))
    return incident?.closedAt ? 'over' : 'send'
  }
  if (kind !== 'service.recovered' || !keepsAlerts(preset)) return 'send'
  // Its attempt can have begun before the incident was closed. One that waits for its next attempt is not due.
  const recovery = alias(alertEvents, 'recovery')
  const [earlier] = await db
    .select({ id: webhookDeliveries.id })
    .from(recovery)
    .innerJoin(
      alertEvents,
      and(eq(alertEvents.organizationId, recovery.organizationId), eq(alertEvents.incidentId, recovery.incidentId)),
    )
    .innerJoin(webhookDeliveries, matchesRow(webhookDeliveries.eventId, alertEvents))
    .where(
      and(
        eq(recovery.organizationId, organizationId),
        eq(recovery.id, eventId),
        eq(webhookDeliveries.webhookId, webhookId),
        eq(webhookDeliveries.state, 'pending'),
        inArray(webhookDeliveries.kind, OPENING),
        lte(webhookDeliveries.nextAttemptAt, sql`now()`),
        gt(webhookDeliveries.nextAttemptAt, sql`now() - ${WAIT}`),
      ),
    )
    .limit(1)
  return earlier ? 'wait' : 'send'
}
