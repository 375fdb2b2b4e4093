import type { Db } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import type { RowKey } from '#db/row-match.ts'
import { ApiError } from '../../errors.ts'
import { bearerOf, scrapeResponse } from '../../health/scrape.ts'
import { callerOf, rememberCaller, withAdmission } from '../../http/admission.ts'
import { requireReading } from '../../http/responses.ts'
import { digestOf } from '../../identity/auth/api-keys.ts'
import { findMaker, refusalOf, type TokenRow } from '../../identity/auth/project-tokens.ts'
import type { Family } from '../../observe/metrics/families.ts'
import { readProjectFamilies } from './project-families.ts'
import { createSharedReads } from './shared-reads.ts'

/** `/api/prometheus/projects/{id}` */
export const PROJECT_PATH =
  /^\/api\/prometheus\/projects\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/i

/** Scrapes of a project within this time get the same values. */
const SHARED_MS = 5_000
/** The most bytes of them in a process: 1,000 services have some 5 MB. */
const HELD_MAX_BYTES = 32 * 1024 * 1024
const DEADLINE_MS = 8_000

/**
 * Serves the metrics of a project to the holder of one of its tokens.
 * @throws ApiError `missing_auth_header`, `invalid_token`, `service_unavailable`
 */
export function createProjectMetrics({
  db,
}: {
  db: Db
}): (request: Request, id: string, address: string) => Promise<Response> {
  const shared = createSharedReads({
    read: (project) => readProjectFamilies(db, project),
    sizeOf,
    keepMs: SHARED_MS,
    maxBytes: HELD_MAX_BYTES,
  })
  return async (request, id, address) => {
    requireReading(request)
    const token = bearerOf(request)
    if (token === null) throw new ApiError('missing_auth_header')
    const families = await withAdmission(
      callerOf(token, address),
      async () => {
        const project = await requireProject(db, id, token)
        rememberCaller(token, project.organizationId)
        return shared.get(project)
      },
      DEADLINE_MS,
    )
    return scrapeResponse(request, families)
  }
}

function sizeOf(families: Family[]): number {
  return families.flatMap(({ samples }) => samples).reduce((sum, { length }) => sum + length, 0)
}

/**
 * Returns the project of a token.
 * @throws ApiError `invalid_token`, also for a token of another project or of a maker who may not read it any more
 */
async function requireProject(db: Db, id: string, token: string): Promise<RowKey<string>> {
  const [row] = await db.execute<TokenRow>(sql`
    select organization_id as "organizationId", project_id as "projectId", membership_id as "membershipId"
    from project_tokens where digest = ${digestOf(token)} and project_id = ${id}`)
  if (!row || (await refusalOf(db, row, await findMaker(db, row)))) {
    throw new ApiError('invalid_token', undefined, { 'WWW-Authenticate': 'Bearer' })
  }
  return { organizationId: row.organizationId, id: row.projectId }
}
