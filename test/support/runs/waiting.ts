import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#db/client.ts'
import { runs } from '#db/schema/runs.ts'

/** Inserts a requested run that waits, and that no worker promotes as long as none runs. Returns its id. */
export async function createWaitingRun(db: Db, service: { id: string; organizationId: string }): Promise<string> {
  const row = waitingRun(service, uuidv7())
  await db.insert(runs).values(row)
  return row.id
}

/** The row of such a run. */
export function waitingRun({ id: serviceId, organizationId }: { id: string; organizationId: string }, id: string) {
  const placed = { agentId: uuidv7(), slot: new Date(), cause: 'request' as const, state: 'waiting' as const }
  return { id, organizationId, serviceId, ...placed }
}
