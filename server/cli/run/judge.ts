import type { Batch, BatchRun, Run } from '../client/run-types.ts'
import { newItem, type RunItem } from './report.ts'

// From what the API says to what the command says. A verdict comes only from a run that is done, under the id that was
// asked for; everything else is a reason why there is none.

const VERDICTS: Record<string, RunItem['verdict']> = {
  success: 'passed',
  failure: 'failed',
  timeout: 'failed',
  skipped: 'skipped',
}

const REASONS: Record<string, string> = {
  service_inactive: 'the service is switched off',
  script_missing: 'the service has no script',
  skipped: 'no agent executed the run',
  cancelled: 'the run was cancelled',
}

/** Takes over what a run says of itself. A response about another run changes nothing. */
export function applyRun(item: RunItem, run: Run): void {
  if (run.id !== item.runId) return
  item.url = run.url
  applyOutcome(item, run)
  if (run.startedAt && run.finishedAt) item.durationMs = Date.parse(run.finishedAt) - Date.parse(run.startedAt)
}

/** Takes over a batch; its first state brings the items. */
export function applyBatch(items: RunItem[], batch: Batch): void {
  for (const run of batch.runs) {
    const item = items.find(({ serviceId }) => serviceId === run.serviceId) ?? addTo(items, itemOf(run))
    if (item.runId !== null && item.runId !== run.runId) continue
    item.runId = run.runId
    item.url = run.url
    // A service without a run: the batch says why.
    if (run.runId === null) skip(item, run.reason)
    else applyOutcome(item, { ...run, summary: run.summary ?? run.reason })
  }
}

/** Ends an item without a verdict. One that has its verdict keeps it. */
export function giveUp(item: RunItem, reason: string): void {
  if (item.verdict === 'pending') Object.assign(item, { verdict: 'unknown', reason })
}

/** Ends the item of a service that has no run. */
export function skip(item: RunItem, code: string | null): void {
  if (item.verdict !== 'pending') return
  Object.assign(item, {
    state: 'done',
    verdict: 'skipped',
    reason: code === null ? 'not run' : (REASONS[code] ?? code),
  })
}

type Ended = Pick<Run, 'state' | 'outcome' | 'summary'>

function applyOutcome(item: RunItem, { state, outcome, summary }: Ended): void {
  if (item.verdict !== 'pending') return
  item.state = state
  if (state !== 'done') return
  item.outcome = outcome
  item.verdict = VERDICTS[outcome ?? ''] ?? 'unknown'
  item.reason = summary ?? REASONS[outcome ?? ''] ?? (item.verdict === 'passed' ? null : `the outcome is ${outcome}`)
}

function itemOf({ serviceId, serviceName }: BatchRun): RunItem {
  return newItem({ id: serviceId, name: serviceName })
}

function addTo(items: RunItem[], item: RunItem): RunItem {
  items.push(item)
  return item
}
