import { boundedLabel } from './bounded-label.ts'
import { processSeries } from './series.ts'

/** What the series need of a stored run. */
export type ObservedRun = {
  agentSlug: string
  serviceId: string
  run?: { cause: string }
  result: { status: string; runDurationMs: number; steps: readonly ObservedStep[] }
}

type ObservedStep = {
  dnsMs: number | null
  connectMs: number | null
  tlsMs: number | null
  ttfbMs: number | null
  transferMs: number | null
}

const AGENTS_MAX = 100
const SERVICES_MAX = 2_000
const PHASES = ['dns', 'connect', 'tls', 'ttfb', 'transfer'] as const

const agentLabel = boundedLabel(AGENTS_MAX)
const serviceLabel = boundedLabel(SERVICES_MAX)

/** Counts runs, with `isPerService` for each service too. Call it when their transaction is committed. */
export function observeRuns(runs: readonly ObservedRun[], isPerService = false): void {
  const series = processSeries()
  for (const { agentSlug, serviceId, run, result } of runs) {
    const agent = agentLabel(agentSlug)
    const outcome = result.status
    series.runs.inc({ agent, cause: run?.cause ?? 'request', outcome })
    if (isPerService) series.serviceRuns.inc({ service_id: serviceLabel(serviceId), outcome })
    if (outcome === 'skipped') continue
    series.runDuration.observe({ agent }, result.runDurationMs / 1_000)
    for (const step of result.steps) {
      for (const phase of PHASES) {
        const ms = step[`${phase}Ms`]
        if (ms !== null) series.phaseDuration.observe({ agent, phase }, ms / 1_000)
      }
    }
  }
}

/** Observes how long claimed runs waited in the queue. */
export function observeQueueWaits(agentSlug: string, waitsMs: readonly number[]): void {
  const { queueWait } = processSeries()
  const agent = agentLabel(agentSlug)
  for (const ms of waitsMs) queueWait.observe({ agent }, Math.max(0, ms) / 1_000)
}

/** Observes by how much due services were dispatched late. */
export function observeDispatch(latenessMs: readonly number[]): void {
  const { dispatchLateness } = processSeries()
  for (const ms of latenessMs) dispatchLateness.observe(Math.max(0, ms) / 1_000)
}
