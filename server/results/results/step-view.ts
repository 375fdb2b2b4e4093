import type { Queryable } from '#db/client.ts'
import { and, eq, inArray, type SQL, sql } from '#db/drizzle.cjs'
import { bodyStores, forgottenBodyStores } from '#db/schema/body-stores.ts'
import { results, type StoredStep } from '#db/schema/results.ts'
import type { RunFailure } from '../../schemas/results/failures.ts'
import type { AssertionResult, ResultStep } from '../../schemas/results/results.ts'
import { type ExplainedRun, failureOf } from './failure.ts'
import { isBodyExpired } from './retention.ts'

export type StoreRow = { id: string; url: string; forgottenAt: Date | null }

/** The body stores that the steps of the selected results refer to, by id. */
export function storesOf(organizationId: string): SQL<Map<string, StoreRow>> {
  return sql`(
    select jsonb_agg(jsonb_build_object('id', b.id, 'url', b.url, 'forgottenAt', f.forgotten_at))
    from body_stores b
      left join forgotten_body_stores f on f.store_id = b.id and f.organization_id = ${organizationId}
    where b.id in (
      select (step -> 'body' ->> 'storeId')::uuid from jsonb_array_elements(${results.steps}) step))`.mapWith(
    (rows: { id: string; url: string; forgottenAt: string | null }[]) =>
      new Map(
        rows.map((row) => [
          row.id,
          { ...row, forgottenAt: row.forgottenAt === null ? null : new Date(row.forgottenAt) },
        ]),
      ),
  )
}

/** Reads the body stores that steps of an organization refer to, by id. */
export async function readStores(
  db: Queryable,
  organizationId: string,
  steps: StoredStep[],
): Promise<Map<string, StoreRow>> {
  const ids = [...new Set(steps.flatMap((step) => step.body?.storeId ?? []))]
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ id: bodyStores.id, url: bodyStores.url, forgottenAt: forgottenBodyStores.forgottenAt })
    .from(bodyStores)
    .leftJoin(
      forgottenBodyStores,
      and(eq(forgottenBodyStores.storeId, bodyStores.id), eq(forgottenBodyStores.organizationId, organizationId)),
    )
    .where(inArray(bodyStores.id, ids))
  return new Map(rows.map((row) => [row.id, row]))
}

/** Returns the steps of a result as the API shows them. Determines here, not from the row, whether a body is still stored. */
export function presentSteps(
  { steps, startedAt }: Pick<typeof results.$inferSelect, 'steps' | 'startedAt'>,
  stores: Map<string, StoreRow>,
  now: Date,
  bodyRetentionDays: number,
): ResultStep[] {
  return steps.map((step) => {
    const reason = notStoredReason(step, startedAt, stores, isBodyExpired(startedAt, now, bodyRetentionDays))
    return {
      id: step.id,
      stepNum: step.stepNum,
      method: step.method,
      urlTemplate: step.template,
      outcome: step.outcome,
      requestUrl: step.requestUrl,
      statusCode: step.statusCode,
      responseTimeMs: step.responseTimeMs,
      dnsMs: step.dnsMs,
      connectMs: step.connectMs,
      tlsMs: step.tlsMs,
      ttfbMs: step.ttfbMs,
      transferMs: step.transferMs,
      waitMs: step.waitMs ?? 0,
      traceId: step.traceId ?? null,
      responseSizeBytes: step.responseSizeBytes,
      error: step.error,
      assertionResults: step.assertionResults as AssertionResult[],
      headers: step.headers,
      hasBody: reason === null,
      bodyNotStoredReason: reason,
    }
  })
}

/** Returns what failed in a stored run, null if nothing did. The excerpt of a body is shown as long as bodies are kept. */
export function presentFailure(
  run: ExplainedRun & { startedAt: Date },
  now: Date,
  bodyRetentionDays: number,
): RunFailure | null {
  const failure = failureOf(run)
  return failure && isBodyExpired(run.startedAt, now, bodyRetentionDays) ? { ...failure, excerpt: null } : failure
}

/** Returns null when the body is stored. `expired` takes precedence over `store_forgotten`. */
function notStoredReason(
  step: StoredStep,
  startedAt: Date,
  stores: Map<string, StoreRow>,
  isExpired: boolean,
): string | null {
  if (!step.body) return step.bodyNotStoredReason ?? 'no_body'
  if (isExpired) return 'expired'
  const store = stores.get(step.body.storeId)
  return store && (store.forgottenAt === null || startedAt > store.forgottenAt) ? null : 'store_forgotten'
}
