import { and, desc, gte, lt, lte, sql } from '#db/drizzle.cjs'
import { results } from '#db/schema/results.ts'
import type { ActorContext } from '../../context.ts'
import { DAY_MS } from '../../durations.ts'
import { clampToRetention, retentionStart } from '../../results/results/retention.ts'
import { presentFailure, presentSteps, readStores } from '../../results/results/step-view.ts'
import { ofServiceResults, type ServiceRef } from '../../results/statistics/rollups.ts'
import { csvText } from '../../schemas/results/csv-text.ts'

/** ISO-8601; includes both ends. */
type Range = { since?: string | undefined; until?: string | undefined }

/** Rows have a few hundred bytes. */
const CSV_PAGE = 1_000
/** Rows with all their steps have up to some hundred kilobytes. */
const JSON_PAGE = 3

const COLUMNS = {
  id: results.id,
  startedAt: results.startedAt,
  status: results.status,
  runDurationMs: results.runDurationMs,
  totalResponseMs: results.totalResponseMs,
  callCount: results.callCount,
  failedCalls: results.failedCalls,
  agentSlug: results.agentSlug,
  summary: results.summary,
}

/** What only the JSON lines have. */
const DETAILS = {
  agentId: results.agentId,
  scriptVersion: results.scriptVersion,
  runId: results.runId,
  recheckOf: results.recheckOf,
  recheckedBy: results.recheckedBy,
  duringMaintenance: results.duringMaintenance,
  steps: results.steps,
}

/** One field of the raw result, which may be large. */
const ERROR = sql<string | null>`${results.raw} ->> 'error'`

/** Yields a header line and one line per run, newest first. */
export async function* resultsAsCsv(ctx: ActorContext, service: ServiceRef, range: Range): AsyncGenerator<string> {
  yield `${Object.keys(COLUMNS).join(',')}\r\n`
  for (let last: Position | null = null; ; ) {
    const rows: Summary[] = await ctx.reads.db
      .select(COLUMNS)
      .from(results)
      .where(within(ctx, service, range, last))
      .orderBy(desc(results.startedAt), desc(results.id))
      .limit(CSV_PAGE)
    if (rows.length > 0) yield rows.map(csvLine).join('')
    last = rows.at(-1) ?? null
    if (rows.length < CSV_PAGE || !last) return
  }
}

/** Yields one JSON object per line and run, newest first: the API's Result without `rawResult`. */
export async function* resultsAsJsonLines(
  ctx: ActorContext,
  service: ServiceRef,
  range: Range,
): AsyncGenerator<string> {
  for (let last: Position | null = null; ; ) {
    const rows: (Summary & Pick<Row, keyof typeof DETAILS> & { error: string | null })[] = await ctx.reads.db
      .select({ ...COLUMNS, ...DETAILS, error: ERROR })
      .from(results)
      .where(within(ctx, service, range, last))
      .orderBy(desc(results.startedAt), desc(results.id))
      .limit(JSON_PAGE)
    const stores = await readStores(
      ctx.db,
      ctx.actor.organizationId,
      rows.flatMap((row) => row.steps),
    )
    for (const { agentId, agentSlug, steps, duringMaintenance, ...row } of rows) {
      const shown = presentSteps({ ...row, steps }, stores, ctx.now(), ctx.settings.BODY_RETENTION_DAYS)
      const run = { ...row, raw: { error: row.error }, steps }
      const failure = presentFailure(run, ctx.now(), ctx.settings.BODY_RETENTION_DAYS)
      const error = failure?.error ?? null
      const line = {
        ...{ ...row, error, failure, serviceId: service.id, probeAgentId: agentId, agentSlug, steps: shown },
        duringMaintenance: duringMaintenance ?? false,
      }
      yield `${JSON.stringify(line)}\n`
    }
    last = rows.at(-1) ?? null
    if (rows.length < JSON_PAGE || !last) return
  }
}

type Position = { startedAt: Date; id: string }
type Row = typeof results.$inferSelect
type Summary = Pick<Row, keyof typeof COLUMNS>

function csvLine({ startedAt, summary, ...row }: Summary): string {
  const { id, ...rest } = row
  // The other values need no quotes.
  const text = summary === null ? '' : csvText(summary)
  return `${[id, startedAt.toISOString(), ...Object.values(rest), text].join(',')}\r\n`
}

/** Selects the stored results of the range after the last row that was written. */
function within(ctx: ActorContext, service: ServiceRef, { since, until }: Range, last: Position | null) {
  const now = ctx.now()
  const retentionDays = ctx.settings.RESULT_RETENTION_DAYS
  const kept = retentionStart(now, retentionDays)
  const bounded = (ms: number) => clampToRetention(ms, now, retentionDays)
  return and(
    ofServiceResults(service),
    gte(results.startedAt, since === undefined ? kept : bounded(Date.parse(since))),
    until === undefined
      ? lt(results.startedAt, new Date(now.getTime() + DAY_MS))
      : Date.parse(until) < kept.getTime()
        ? sql`false`
        : lte(results.startedAt, bounded(Date.parse(until))),
    last
      ? sql`(${results.startedAt}, ${results.id}) < (${last.startedAt.toISOString()}::timestamptz, ${last.id}::uuid)`
      : undefined,
  )
}
