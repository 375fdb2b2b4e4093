import { createTwoFilesPatch } from 'diff'
import type { Queryable, Tx } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import type { RowKey } from '#db/row-match.ts'
import { scriptVersions } from '#db/schema/scripts.ts'
import type { ActorContext } from '../context.ts'
import { VERSIONS_MAX, VERSIONS_MAX_BYTES } from '../schemas/scripts/versions.ts'
import type { ServiceRow } from './view.ts'

/** Computing a diff blocks the event loop. Two different texts of the largest size would take seconds. */
const DIFF_TIMEOUT_MS = 20
/** The most characters of a diff in an audit entry. */
const DIFF_MAX = 16_384

/** Stores the saved script of a row as a version, and deletes versions that are too old. */
export async function storeVersion(
  tx: Tx,
  ctx: ActorContext,
  saved: ServiceRow & { script: string },
  restoredFrom: number | null,
): Promise<void> {
  await tx.insert(scriptVersions).values({
    organizationId: saved.organizationId,
    serviceId: saved.id,
    version: saved.version,
    script: saved.script,
    actorId: ctx.actor.userId,
    actorEmail: ctx.actor.email,
    keyName: ctx.actor.key?.name ?? null,
    restoredFrom,
    createdAt: ctx.now(),
  })
  await deleteOldVersions(tx, saved)
}

/** `octet_length` does not decompress the texts, so 500 rows take about a millisecond. */
async function deleteOldVersions(tx: Queryable, service: RowKey<string>): Promise<void> {
  const ofService = sql`organization_id = ${service.organizationId} and service_id = ${service.id}`
  await tx.execute(sql`
    delete from script_versions where ${ofService} and version in (
      select version from (
        select version, row_number() over latest as place, sum(octet_length(script)) over latest as bytes
        from script_versions where ${ofService} window latest as (order by version desc)) kept
      where place > ${VERSIONS_MAX} or (place > 1 and bytes > ${VERSIONS_MAX_BYTES}))`)
}

/**
 * Returns the change between two scripts as a unified diff with three lines of context, cut to 16,384 characters. Null if
 * the texts differ too much to compare them in time.
 */
export function scriptDiff(
  before: { version: number; script: string },
  after: { version: number; script: string },
  timeoutMs = DIFF_TIMEOUT_MS,
): string | null {
  const patch = createTwoFilesPatch(
    `version ${before.version}`,
    `version ${after.version}`,
    before.script,
    after.script,
    undefined,
    undefined,
    { context: 3, timeout: timeoutMs },
  )
  if (patch === undefined) return null
  // The first line only separates several files.
  const text = patch.replace(/^=+\n/, '')
  return text.length > DIFF_MAX ? `${text.slice(0, DIFF_MAX)}\n…` : text
}
