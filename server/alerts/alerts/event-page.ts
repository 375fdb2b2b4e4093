import type { z } from 'zod'
import { desc, type SQL } from '#db/drizzle.cjs'
import { alertEvents } from '#db/schema/alerts.ts'
import type { ActorContext } from '../../context.ts'
import { readRows } from '../../paging.ts'
import type { AlertEventPage } from '../../schemas/alerts/events.ts'
import type { PageQuery } from '../../schemas/conventions.ts'
import { summarize } from '../webhooks/messages.ts'
import { readMessages } from './explanations.ts'

/**
 * Returns a page of the events to which a condition applies, newest first, with the messages of each. The caller has
 * checked that the actor may read the events.
 */
export async function readEventPage(
  { db, actor }: ActorContext,
  input: z.output<typeof PageQuery>,
  where: SQL | undefined,
): Promise<z.output<typeof AlertEventPage>> {
  const page = await readRows(
    input,
    db.select().from(alertEvents).where(where).orderBy(desc(alertEvents.createdAt), desc(alertEvents.id)),
    () => db.$count(alertEvents, where),
  )
  const messages = await readMessages(
    db,
    actor,
    page.items.map((event) => event.id),
  )
  const items = page.items.map((event) => ({
    id: event.id,
    kind: event.kind,
    createdAt: event.createdAt.toISOString(),
    summary: summarize({ type: event.kind, timestamp: event.createdAt.toISOString(), data: event.payload }),
    resultId: event.resultId,
    incidentId: event.incidentId,
    suppressedReason: event.suppressedReason,
    notifiedAt: event.notifiedAt?.toISOString() ?? null,
    ...(messages.get(event.id) ?? { messages: [], messagesTotal: 0 }),
  }))
  return { ...page, items }
}
