import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#db/client.ts'
import { runs } from '#db/schema/runs.ts'

/** Inserts a requested run that waits, and that no worker promotes as long as none runs. Returns its id. */
export async function createWaitingRun(
  db: Db,
  service: { id: string; organizationId: string },
  id: string = uuidv7(),
): Promise<string> {
  const { organizationId } = service
  const placed = { agentId: uuidv7(), slot: new Date(), cause: 'request' as const, state: 'waiting' as const }
  await db.insert(runs).values({ id, organizationId, serviceId: service.id, ...placed })
  return id
}
