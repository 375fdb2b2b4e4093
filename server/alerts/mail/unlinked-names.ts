import type { WebhookMessage } from '../webhooks/messages.ts'
import type { EventPayload } from './event-content.ts'
import { unlinked } from './text.ts'

const NAMED = ['organization', 'workspace', 'project', 'service'] as const

type Payload = EventPayload & { organization?: { id: string; name: string } }

/** Returns the message with the names that members chose separated, so that none of them becomes a link in a mail. */
export function withUnlinkedNames(message: WebhookMessage): WebhookMessage {
  const data: Payload = { ...message.data }
  for (const key of NAMED) {
    const named = data[key]
    if (named) data[key] = { ...named, name: unlinked(named.name) }
  }
  const { agent, services } = data
  if (agent?.label) data.agent = { ...agent, label: unlinked(agent.label) }
  if (services) data.services = { ...services, names: services.names.map(unlinked) }
  return { ...message, data }
}
