import { sql } from 'drizzle-orm'
import type { Tx } from '#db/client.ts'
import { bucketStart } from '../../statistics/windows.ts'
import type { FinishedRun } from '../finished-run.ts'
import { endpointKey } from './keys.ts'
import {
  type AssertionRow,
  addAssertions,
  addUp,
  type EndpointRow,
  groupRows,
  type Kind,
  putRows,
  type RowOf,
  type RunRow,
  readSameHours,
  records,
} from './rows.ts'

/**
 * Adds runs to the roll-ups of their hours. The caller holds the locks on the states of their services, so no other
 * transaction writes these rows. A day that is folded already is folded again by upkeep.
 */
export async function addToHours(tx: Tx, runs: readonly FinishedRun[]): Promise<void> {
  await Promise.all([
    addRows(tx, 'run', runs.map(runRow)),
    addRows(tx, 'endpoint', runs.flatMap(endpointRows)),
    addAssertionRows(tx, runs.flatMap(assertionRows)),
    unfold(tx, runs),
  ])
}

async function addRows<K extends Kind>(tx: Tx, kind: K, rows: RowOf[K][]): Promise<void> {
  if (rows.length === 0) return
  const added = groupRows(kind, rows).map((own) => addUp(kind, own))
  const stored = await readSameHours(tx, kind, added)
  const sums = groupRows(kind, [...stored, ...added]).map((own) => addUp(kind, own))
  await putRows(tx, kind, 'hour', sums)
}

async function addAssertionRows(tx: Tx, rows: AssertionRow[]): Promise<void> {
  if (rows.length > 0)
    await addAssertions(
      tx,
      groupRows('assertion', rows).map((own) => addUp('assertion', own)),
    )
}

async function unfold(tx: Tx, runs: readonly FinishedRun[]): Promise<void> {
  const days = runs.map(({ organizationId, serviceId, result }) => ({
    ...{ organization_id: organizationId, service_id: serviceId },
    day: bucketStart(result.startedAt, 'day'),
  }))
  await tx.execute(sql`
    update service_states s set folded_until = i.day
    from (select organization_id, service_id, min(day) as day
      from ${records(days, 'organization_id uuid, service_id uuid, day timestamptz')} group by 1, 2) i
    where s.organization_id = i.organization_id and s.service_id = i.service_id and s.folded_until > i.day`)
}

function ownerOf({ organizationId, serviceId, result }: FinishedRun) {
  const bucket = bucketStart(result.startedAt, 'hour').toISOString()
  return { organization_id: organizationId, service_id: serviceId, bucket }
}

function runRow(run: FinishedRun): RunRow {
  const { status, totalResponseMs, callCount } = run.result
  const isPerformed = status !== 'skipped'
  return {
    ...ownerOf(run),
    agent_slug: run.agentSlug,
    runs: Number(isPerformed),
    ...{ success: 0, failure: 0, timeout: 0, skipped: 0, [status]: 1 },
    sum_ms: isPerformed ? totalResponseMs : 0,
    call_count: isPerformed ? callCount : 0,
    ms: isPerformed && run.isTimed ? [totalResponseMs] : null,
    bins: null,
  }
}

function endpointRows(run: FinishedRun): EndpointRow[] {
  const owner = ownerOf(run)
  const called = run.result.steps.filter((step) => step.outcome !== 'skipped')
  return called.map((step) => {
    const { method, template, responseTimeMs } = step
    const isTimed = responseTimeMs !== null
    const sum = (value: number | null) => (isTimed ? (value ?? 0) : 0)
    return {
      ...owner,
      endpoint_key: endpointKey(method, template),
      method,
      template,
      calls: 1,
      failed_calls: Number(step.outcome !== 'success'),
      status_counts: { [step.statusCode ?? 'none']: 1 },
      timed: Number(isTimed),
      dns_ms: sum(step.dnsMs),
      connect_ms: sum(step.connectMs),
      tls_ms: sum(step.tlsMs),
      ttfb_ms: sum(step.ttfbMs),
      transfer_ms: sum(step.transferMs),
      response_ms: sum(responseTimeMs),
      size_bytes: sum(step.responseSizeBytes),
      ms: isTimed ? [responseTimeMs] : null,
      bins: null,
    }
  })
}

function assertionRows(run: FinishedRun): AssertionRow[] {
  const owner = ownerOf(run)
  return run.assertions.map(({ key, definition, failed }) => ({
    ...owner,
    assertion_key: key,
    definition,
    evaluations: 1,
    failures: Number(failed),
    last_failed_at: failed ? run.result.startedAt.toISOString() : null,
  }))
}
