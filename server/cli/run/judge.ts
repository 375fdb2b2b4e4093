import { isAgentFault } from '../../schemas/results/agent-faults.ts'
import { skippedText } from '../../schemas/results/skipped-text.ts'
import type { Schemas } from '../client/create-client.ts'
import { newItem, type RunItem } from './report.ts'

// Maps API responses to verdicts. Only a finished run with the requested id gives a verdict; anything else is a reason
// for `unknown`.

const VERDICTS: Record<string, RunItem['verdict']> = {
  success: 'passed',
  failure: 'failed',
  timeout: 'failed',
}

/** Services that have nothing to run, which is no problem of the request. */
const NOT_RUN: Record<string, string> = {
  service_inactive: 'the service is switched off',
  script_missing: 'the service has no script',
}

const REASONS: Record<string, string> = {
  skipped: 'no agent executed the run',
  cancelled: 'the run was cancelled',
}

/** Copies the state of a run. A response about another run changes nothing. */
export function applyRun(item: RunItem, run: Schemas['Run']): void {
  if (run.id !== item.runId) return
  item.url = run.url
  applyOutcome(item, run)
  if (run.startedAt && run.finishedAt) item.durationMs = Date.parse(run.finishedAt) - Date.parse(run.startedAt)
}

/** Copies the state of a batch; its first state creates the items. */
export function applyBatch(items: RunItem[], batch: Schemas['Batch']): void {
  for (const run of batch.runs) {
    const item = items.find(({ serviceId }) => serviceId === run.serviceId) ?? addTo(items, itemOf(run))
    if (item.runId !== null && item.runId !== run.runId) continue
    item.runId = run.runId
    item.url = run.url
    // A service without a run: the batch says why.
    if (run.runId === null) refuse(item, run.reason, `not run: ${run.reason}`)
    else applyOutcome(item, { ...run, summary: run.summary ?? run.reason })
  }
}

/** Ends an item without a verdict. One that has its verdict keeps it. */
export function giveUp(item: RunItem, reason: string): void {
  if (item.verdict === 'pending') Object.assign(item, { verdict: 'unknown', reason })
}

/** Ends the item of a service that has no run, with the code that says why. */
export function refuse(item: RunItem, code: string | null, message: string): void {
  if (item.verdict !== 'pending') return
  const reason = NOT_RUN[code ?? '']
  Object.assign(item, { state: 'done', verdict: reason ? 'skipped' : 'unknown', reason: reason ?? message })
}

type Ended = Pick<Schemas['Run'], 'state' | 'outcome' | 'summary' | 'skippedAgents'>

function applyOutcome(item: RunItem, { state, outcome, summary, skippedAgents }: Ended): void {
  if (item.verdict !== 'pending') return
  item.state = state
  if (state !== 'done') return
  item.outcome = outcome
  const isFault = (outcome === 'failure' || outcome === 'timeout') && isAgentFault(summary)
  item.verdict = isFault ? 'unknown' : (VERDICTS[outcome ?? ''] ?? 'unknown')
  const skipped = skippedText(skippedAgents)
  if (outcome === 'success' && skipped !== null) {
    Object.assign(item, { verdict: 'skipped', reason: skipped })
    return
  }
  item.reason =
    summary ??
    REASONS[outcome ?? ''] ??
    (item.verdict === 'passed' ? null : `the run has the unknown outcome ${outcome}`)
}

function itemOf({ serviceId, serviceName }: Schemas['BatchRun']): RunItem {
  return newItem({ id: serviceId, name: serviceName })
}

function addTo(items: RunItem[], item: RunItem): RunItem {
  items.push(item)
  return item
}
