import { z } from 'zod'
import { Id, Instant, openEnum, PageQuery, pageOf } from '../conventions.ts'
import { EventMessages } from './messages.ts'
import { EVENT_KINDS } from './silences.ts'

/** An event of a service, for the dashboard. */
export const AlertEvent = z.object({
  id: Id,
  kind: openEnum(EVENT_KINDS),
  createdAt: Instant,
  /** What happened, in one line. */
  summary: z.string(),
  resultId: Id.nullable(),
  incidentId: Id.nullable(),
  /** Why it is not announced, although it can close alerts of webhooks; null for an event that is. */
  suppressedReason: z.string().nullable(),
  /** When its messages were queued; null before that. */
  notifiedAt: Instant.nullable(),
  ...EventMessages,
})
export type AlertEvent = z.output<typeof AlertEvent>

export const AlertEventPage = pageOf(AlertEvent, 'AlertEventPage')
export const AlertEventQuery = PageQuery.extend({ id: Id })
