import type { alertEvents } from '#db/schema/alerts.ts'
import type { WebhookMessage } from '#server/alerts/webhooks/messages.ts'

type Event = Pick<typeof alertEvents.$inferSelect, 'kind' | 'createdAt' | 'payload'>

/** Returns the message about an event. */
export function messageOf({ kind, createdAt, payload }: Event): WebhookMessage {
  return { type: kind, timestamp: createdAt.toISOString(), data: payload }
}
