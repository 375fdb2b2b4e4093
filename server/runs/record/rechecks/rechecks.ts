import type { Tx } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { type RowKey, rowKeys } from '#db/row-match.ts'
import { insertRows, rowsOf } from '#db/rows.ts'
import { results } from '#db/schema/results.ts'
import { runs as runRows } from '#db/schema/runs.ts'
import { timestampOfId } from '../../../results/results/ids.ts'
import { createRunId } from '../../../schedule/run-ids.ts'
import type { FinishedRun } from '../finished-run.ts'
import type { JudgingFacts } from '../judging-facts.ts'
import type { PreparedRun } from '../prepared-run.ts'

// Before a failure is believed, it is looked at again: a failed scheduled run is repeated once, and the second result
// stands for their slot.

/** The rechecks of a batch, by the id of the run's row. */
export type Rechecks = {
  /** Runs whose failure is repeated: their results count nowhere. */
  asked: ReadonlyMap<string, Asked>
  /** Of the rechecks among the runs: the first result, and when it started. */
  first: ReadonlyMap<string, { id: string; startedAt: Date }>
  /** Of the rechecks that were skipped: the first run, which counts in their place. */
  unchecked: ReadonlyMap<string, PreparedRun>
}

export const NO_RECHECKS: Rechecks = { asked: new Map(), first: new Map(), unchecked: new Map() }

type Asked = { slot: Date; dueAt: Date; madeAt: Date }

/** Whether a run may have a recheck. Its service is locked before its run, because a row of a run is added. */
export function mayBeRechecked({ run, result }: FinishedRun): boolean {
  return run?.cause === 'schedule' && (result.status === 'failure' || result.status === 'timeout')
}

type Row = {
  id: string
  slot: string
  recheck_of: string | null
  is_active: boolean
  now: string
}

/** Finds which runs are rechecked, and which are rechecks. A service that is off has none. */
export async function findRechecks(
  tx: Tx,
  runs: PreparedRun[],
  settings: JudgingFacts['settings'],
): Promise<Pick<Rechecks, 'asked' | 'first'>> {
  const wanted = runs.filter((run) => mayBeRechecked(run) || run.run?.cause === 'confirmation')
  if (wanted.length === 0) return NO_RECHECKS
  const keys: RowKey<string>[] = wanted.map(({ organizationId, id }) => ({ organizationId, id }))
  const rows = await tx.execute<Row>(sql`
    select r.id, r.slot, r.recheck_of, v.is_active, now() as now
    from runs r join services v on (v.organization_id, v.id) = (r.organization_id, r.service_id)
    where (r.organization_id, r.id) in (select * from ${rowKeys(keys)})`)
  const byId = new Map(rows.map((row) => [row.id, row]))
  const asked = new Map<string, Asked>()
  const first = new Map<string, { id: string; startedAt: Date }>()
  for (const run of wanted) {
    const row = byId.get(run.id)
    if (row?.recheck_of) {
      const startedAt = timestampOfId(row.recheck_of)
      if (startedAt) first.set(run.id, { id: row.recheck_of, startedAt })
      continue
    }
    const own = run.duringMaintenance ? undefined : settings.get(run.serviceId)
    if (!row?.is_active || !mayBeRechecked(run)) continue
    if (!own || own.probeMode === 'simultaneous' || own.recheckSeconds === 0) continue
    if (!own.recheckWrites && run.writes !== false) continue
    const madeAt = new Date(row.now)
    const dueAt = new Date(madeAt.getTime() + own.recheckSeconds * 1_000)
    asked.set(run.id, { slot: new Date(row.slot), dueAt, madeAt })
  }
  return { asked, first }
}

/** Adds the rechecks of failed runs, and links the results of the pairs that are complete. The results are stored. */
export async function storeRechecks(tx: Tx, runs: PreparedRun[], { asked, first }: Rechecks): Promise<void> {
  const added = runs.flatMap((run) => {
    const one = asked.get(run.id)
    if (!one) return []
    const { organizationId, serviceId, agentId, result } = run
    return [
      {
        ...{ id: createRunId(one.madeAt), organizationId, serviceId, agentId, recheckOf: result.id },
        ...{ slot: one.slot, rankAt: one.dueAt },
        cause: 'confirmation' as const,
        state: 'waiting_recheck' as const,
      },
    ]
  })
  await insertRows(tx, runRows, added, sql`on conflict do nothing`)
  const pairs = runs.flatMap((run) => {
    const { organizationId, serviceId, result } = run
    const one = first.get(run.id)
    return one ? [{ ...one, organizationId, serviceId, recheckedBy: result.id }] : []
  })
  if (pairs.length === 0) return
  await tx.execute(sql`
    update results r set rechecked_by = i.rechecked_by from ${rowsOf(results, pairs)}
    where (r.organization_id, r.service_id) = (i.organization_id, i.service_id)
      and r.started_at = i.started_at and r.id = i.id`)
}
