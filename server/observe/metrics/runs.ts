import { boundedLabel, OTHER } from './bounded-label.ts'
import { processSeries } from './series.ts'

/** The agent of a run. `organizationId` is that of the run. */
export type ObservedAgent = {
  agentSlug: string
  organizationId: string
  /** The agent is the organization's own: its slug is another name than that of a shared agent. */
  isOwnAgent?: boolean
}

/** What the series need of a stored run. */
export type ObservedRun = ObservedAgent & {
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

const sharedLabel = boundedLabel('shared agent', AGENTS_MAX)
const ownLabel = boundedLabel('own agent', AGENTS_MAX)
const serviceLabel = boundedLabel('service', SERVICES_MAX)

/** Counts runs, with `isPerService` for each service too. Call it when their transaction is committed. */
export function observeRuns(runs: readonly ObservedRun[], isPerService = false): void {
  const series = processSeries()
  for (const observed of runs) {
    const { serviceId, run, result } = observed
    const agent = labelsOf(observed)
    const outcome = result.status
    series.runs.inc({ ...agent, cause: run?.cause ?? 'request', outcome })
    if (isPerService) series.serviceRuns.inc({ service_id: serviceLabel(serviceId), outcome })
    if (outcome === 'skipped') continue
    series.runDuration.observe(agent, result.runDurationMs / 1_000)
    for (const step of result.steps) {
      for (const phase of PHASES) {
        const ms = step[`${phase}Ms`]
        if (ms !== null) series.phaseDuration.observe({ ...agent, phase }, ms / 1_000)
      }
    }
  }
}

/** Observes how long claimed runs waited in the queue. */
export function observeQueueWaits(runs: readonly (ObservedAgent & { waitedMs: number })[]): void {
  const { queueWait } = processSeries()
  for (const run of runs) queueWait.observe(labelsOf(run), Math.max(0, run.waitedMs) / 1_000)
}

/** A shared agent has no organization: Prometheus treats an empty label as absent. */
function labelsOf({ agentSlug, organizationId, isOwnAgent }: ObservedAgent): { agent: string; organization: string } {
  if (!isOwnAgent) return { agent: sharedLabel(agentSlug), organization: '' }
  if (ownLabel(`${organizationId} ${agentSlug}`) === OTHER) return { agent: OTHER, organization: '' }
  return { agent: agentSlug, organization: organizationId }
}

/** Observes by how much due services were dispatched late. */
export function observeDispatch(latenessMs: readonly number[]): void {
  const { dispatchLateness } = processSeries()
  for (const ms of latenessMs) dispatchLateness.observe(Math.max(0, ms) / 1_000)
}
