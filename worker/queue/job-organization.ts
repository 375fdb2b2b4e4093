import { eq } from 'drizzle-orm'
import type { Queryable } from '#db/client.ts'
import type { alertEvents } from '#db/schema/alerts.ts'
import type { memberships } from '#db/schema/organizations.ts'
import type { webhookDeliveries } from '#db/schema/webhooks.ts'

/**
 * Returns the organization of a job: the one that its payload names, or for a job of the former release that of the row
 * which the job is about; null when that row is deleted.
 */
export async function organizationOfJob(
  db: Queryable,
  { organizationId }: { organizationId?: string | undefined },
  table: typeof alertEvents | typeof memberships | typeof webhookDeliveries,
  id: string,
): Promise<string | null> {
  if (organizationId !== undefined) return organizationId
  const [row] = await db.select({ organizationId: table.organizationId }).from(table).where(eq(table.id, id))
  return row?.organizationId ?? null
}
