import type { Queryable } from '#db/client.ts'
import { and, desc, eq, gte, inArray, lt } from '#db/drizzle.cjs'
import { matchesRow } from '#db/row-match.ts'
import { users } from '#db/schema/organizations.ts'
import { versionRuns } from '#db/schema/results.ts'
import { scriptVersions } from '#db/schema/scripts.ts'
import { MARKS_MAX, type VersionMark } from '../../schemas/results/series.ts'
import type { ServiceRef } from '../statistics/rollups.ts'

/** Returns the script versions that first ran from `since` to `before`, oldest first: the latest 50 at most. */
export async function readVersionMarks(
  db: Queryable,
  service: ServiceRef,
  { since, before }: { since: Date; before: Date },
): Promise<VersionMark[]> {
  const rows = await db
    .select()
    .from(versionRuns)
    .where(
      and(
        matchesRow(versionRuns.serviceId, service),
        gte(versionRuns.firstRunAt, since),
        lt(versionRuns.firstRunAt, before),
      ),
    )
    .orderBy(desc(versionRuns.firstRunAt))
    .limit(MARKS_MAX)
  const saves = await readSaves(
    db,
    service,
    rows.map((row) => row.version),
  )
  return rows.reverse().map((row) => ({
    version: row.version,
    firstRunAt: row.firstRunAt.toISOString(),
    lastRunAt: row.lastRunAt.toISOString(),
    runs: row.runs,
    failed: row.failed,
    ...(saves.get(row.version) ?? UNKNOWN_SAVE),
  }))
}

type Save = { savedAt: string | null; savedBy: string | null }
export const UNKNOWN_SAVE: Save = { savedAt: null, savedBy: null }

/** Returns when and by whom versions were saved, of those that are kept. */
export async function readSaves(db: Queryable, service: ServiceRef, versions: number[]): Promise<Map<number, Save>> {
  if (versions.length === 0) return new Map()
  const rows = await db
    .select({
      version: scriptVersions.version,
      savedAt: scriptVersions.createdAt,
      name: users.displayName,
      email: scriptVersions.actorEmail,
    })
    .from(scriptVersions)
    .leftJoin(users, eq(users.id, scriptVersions.actorId))
    .where(and(matchesRow(scriptVersions.serviceId, service), inArray(scriptVersions.version, versions)))
  return new Map(
    rows.map((row) => [row.version, { savedAt: row.savedAt.toISOString(), savedBy: row.name ?? row.email }]),
  )
}
