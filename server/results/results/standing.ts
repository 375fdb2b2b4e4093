import type { Queryable } from '#db/client.ts'
import { and, eq, type SQL } from '#db/drizzle.cjs'
import { matchesRow } from '#db/row-match.ts'
import { results, serviceStates } from '#db/schema/results.ts'
import type { Standing } from '../../schemas/results/series.ts'
import { ofServiceResults, type ServiceRef } from '../statistics/rollups.ts'
import { timestampOfId } from './ids.ts'
import { readSaves, UNKNOWN_SAVE } from './versions.ts'

/** Returns since when a service fails, and the version with which it began to. */
export async function readStanding(db: Queryable, service: ServiceRef): Promise<Standing> {
  const [state] = await db.select().from(serviceStates).where(matchesRow(serviceStates.serviceId, service))
  const lastPassingResultId = state?.lastPassingResultId ?? null
  const failingSince = state?.failingSince ?? null
  if (!failingSince) return { failingSince: null, cause: null, lastPassingResultId }
  const passedAt = lastPassingResultId && timestampOfId(lastPassingResultId)
  const [failing, passing] = await Promise.all([
    readVersion(db, service, eq(results.startedAt, failingSince)),
    passedAt ? readVersion(db, service, eq(results.startedAt, passedAt)) : null,
  ])
  const isCause = failing !== null && passing !== null && failing !== passing
  return {
    failingSince: failingSince.toISOString(),
    cause: isCause
      ? { version: failing, ...((await readSaves(db, service, [failing])).get(failing) ?? UNKNOWN_SAVE) }
      : null,
    lastPassingResultId,
  }
}

async function readVersion(db: Queryable, service: ServiceRef, where: SQL): Promise<number | null> {
  const [row] = await db
    .select({ version: results.scriptVersion })
    .from(results)
    .where(and(ofServiceResults(service), where))
    .limit(1)
  return row?.version ?? null
}
