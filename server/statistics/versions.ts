import { and, desc, eq, gte, inArray, sql } from 'drizzle-orm'
import type { Queryable } from '#db/client.ts'
import { auditEntries } from '#db/schema/audit.ts'
import { users } from '#db/schema/organizations.ts'
import { versionRuns } from '#db/schema/results.ts'
import { MARKS_MAX, type VersionMark } from '../schemas/results/series.ts'
import type { ServiceRef } from './rollups.ts'

/** Returns the script versions that first ran at `since` or later, oldest first: the latest 50 at most. */
export async function readVersionMarks(db: Queryable, service: ServiceRef, since: Date): Promise<VersionMark[]> {
  const rows = await db
    .select()
    .from(versionRuns)
    .where(
      and(
        eq(versionRuns.organizationId, service.organizationId),
        eq(versionRuns.serviceId, service.id),
        gte(versionRuns.firstRunAt, since),
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

/** Returns when and by whom versions were saved, from the audit log. */
export async function readSaves(db: Queryable, service: ServiceRef, versions: number[]): Promise<Map<number, Save>> {
  if (versions.length === 0) return new Map()
  const version = sql<number>`(${auditEntries.details} ->> 'version')::int`
  const rows = await db
    .select({
      version,
      savedAt: auditEntries.createdAt,
      name: users.displayName,
      email: auditEntries.actorEmail,
    })
    .from(auditEntries)
    .leftJoin(users, eq(users.id, auditEntries.actorId))
    .where(
      and(
        eq(auditEntries.organizationId, service.organizationId),
        eq(auditEntries.entityType, 'service'),
        eq(auditEntries.entityId, service.id),
        eq(auditEntries.action, 'service.script'),
        inArray(sql`${auditEntries.details} ->> 'version'`, versions.map(String)),
      ),
    )
  return new Map(
    rows.map((row) => [row.version, { savedAt: row.savedAt.toISOString(), savedBy: row.name ?? row.email }]),
  )
}
