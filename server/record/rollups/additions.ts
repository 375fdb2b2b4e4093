import { addToSketch, EMPTY_SKETCH, EXACT_MAX, type Sketch } from '../../statistics/sketch.ts'
import { bucketStart } from '../../statistics/windows.ts'
import type { FinishedRun } from '../finished-run.ts'
import { addCleanRun, type CleanRuns, cleanKeyOf } from './clean-runs.ts'
import { assertionsOf } from './counted-assertions.ts'
import { endpointKey } from './keys.ts'

// The sums that a batch of runs adds to the roll-ups. There is one entry per row, because a statement cannot update a
// row twice. The fields have the names of the columns, because the statements read them as records.

export type RunAddition = Sketch & {
  organization_id: string
  service_id: string
  /** Start of the hour, ISO-8601. */
  bucket: string
  agent_slug: string
  /** Performed runs. Skipped runs are counted in `skipped` only. */
  runs: number
  success: number
  failure: number
  timeout: number
  skipped: number
  sum_ms: number
  call_count: number
}

export type EndpointAddition = Sketch & {
  organization_id: string
  service_id: string
  bucket: string
  endpoint_key: string
  method: string
  template: string
  calls: number
  failed_calls: number
  status_counts: Record<string, number>
  timed: number
  dns_ms: number
  connect_ms: number
  tls_ms: number
  ttfb_ms: number
  transfer_ms: number
  response_ms: number
  size_bytes: number
}

/** Of one assertion, or of a set of assertions that passed together. */
export type AssertionAddition = {
  organization_id: string
  service_id: string
  bucket: string
  assertion_key: string
  definition: Record<string, unknown>
  evaluations: number
  failures: number
  last_failed_at: string | null
}

/** `status` is the status of all the calls, null if they have several: reading it from the counts takes longer. */
export type EndpointHourAddition = EndpointAddition & { status: string | null }

export type Additions = { runs: RunAddition[]; endpoints: EndpointAddition[]; assertions: AssertionAddition[] }

/** `clean` are the clean runs whose calls and assertions are counted in this row, and in no row of their own. */
export type RunHourAddition = RunAddition & { clean: CleanRuns | null }

export type HourAdditions = {
  runs: RunHourAddition[]
  endpoints: EndpointHourAddition[]
  assertions: AssertionAddition[]
}

/**
 * Sums runs by the row of the hourly roll-ups that they belong to. Clean runs for which `mayBeClean` holds are counted in
 * the row of their agent, other runs in the rows of their endpoints and assertions.
 */
export function sumByHour(runs: FinishedRun[], mayBeClean: (run: FinishedRun) => boolean): HourAdditions {
  const sums = {
    runs: new Map<string, WithLatencies<RunHourAddition>>(),
    endpoints: new Map<string, WithLatencies<EndpointHourAddition>>(),
  }
  const assertions = new Map<string, AssertionAddition>()
  const hours = new Map<number, string>()
  for (const run of runs) {
    const at = run.result.startedAt
    const hour = bucketStart(at, 'hour')
    const bucket = getOrInsert(hours, hour.getTime(), () => hour.toISOString())
    const owner = { organization_id: run.organizationId, service_id: run.serviceId, bucket }
    const prefix = `${run.serviceId} ${bucket} `
    const key = (last: string) => prefix + last
    const sum = getOrInsert(sums.runs, key(run.agentSlug), () => emptyRun({ ...owner, agent_slug: run.agentSlug }))
    addRun(sum, run)
    const cleanKey = mayBeClean(run) ? cleanKeyOf(run) : null
    if (cleanKey !== null && (sum.clean === null || sum.clean.key === cleanKey)) {
      sum.clean = addCleanRun(sum.clean, cleanKey, run)
      continue
    }
    for (const step of run.result.steps) {
      if (step.outcome === 'skipped') continue
      const { method, template } = step
      const endpoint_key = endpointKey(method, template)
      addCall(
        getOrInsert(sums.endpoints, key(endpoint_key), () =>
          emptyEndpoint({ ...owner, endpoint_key, method, template }),
        ),
        step,
      )
    }
    for (const { key: assertion_key, definition, failed } of assertionsOf(run)) {
      const sum = getOrInsert(assertions, key(assertion_key), () => {
        return { ...owner, assertion_key, definition: definition(), evaluations: 0, failures: 0, last_failed_at: null }
      })
      sum.evaluations++
      if (!failed) continue
      sum.failures++
      const failedAt = at.toISOString()
      if (sum.last_failed_at === null || failedAt > sum.last_failed_at) sum.last_failed_at = failedAt
    }
  }
  return {
    runs: [...sums.runs.values()].map(toSketch),
    endpoints: [...sums.endpoints.values()].map(toSketch),
    assertions: [...assertions.values()],
  }
}

/** A sum with the latencies from which its sketch is built. */
type WithLatencies<T> = T & { ms: number[] }

function toSketch<T extends Sketch & { ms: number[] }>(sum: T): T {
  return sum.ms.length > 0 && sum.ms.length <= EXACT_MAX ? sum : { ...sum, ...addToSketch(EMPTY_SKETCH, sum.ms) }
}

function addRun(sum: WithLatencies<RunAddition>, { result, isTimed }: FinishedRun): void {
  const { status, totalResponseMs, callCount } = result
  sum[status]++
  if (status === 'skipped') return
  sum.runs++
  sum.sum_ms += totalResponseMs
  sum.call_count += callCount
  if (isTimed) sum.ms.push(totalResponseMs)
}

function addCall(sum: WithLatencies<EndpointHourAddition>, step: FinishedRun['result']['steps'][number]): void {
  const status = step.statusCode === null ? 'none' : String(step.statusCode)
  if (sum.calls++ === 0) sum.status = status
  else if (sum.status !== status) sum.status = null
  if (step.outcome !== 'success') sum.failed_calls++
  sum.status_counts[status] = (sum.status_counts[status] ?? 0) + 1
  if (step.responseTimeMs === null) return
  sum.timed++
  sum.dns_ms += step.dnsMs ?? 0
  sum.connect_ms += step.connectMs ?? 0
  sum.tls_ms += step.tlsMs ?? 0
  sum.ttfb_ms += step.ttfbMs ?? 0
  sum.transfer_ms += step.transferMs ?? 0
  sum.response_ms += step.responseTimeMs
  sum.size_bytes += step.responseSizeBytes ?? 0
  sum.ms.push(step.responseTimeMs)
}

function emptyRun(
  owner: Pick<RunAddition, 'organization_id' | 'service_id' | 'bucket' | 'agent_slug'>,
): WithLatencies<RunHourAddition> {
  return {
    ...owner,
    clean: null,
    runs: 0,
    success: 0,
    failure: 0,
    timeout: 0,
    skipped: 0,
    sum_ms: 0,
    call_count: 0,
    ms: [],
    bins: null,
    counts: null,
  }
}

function emptyEndpoint(
  owner: Pick<EndpointAddition, 'organization_id' | 'service_id' | 'bucket' | 'endpoint_key' | 'method' | 'template'>,
): WithLatencies<EndpointHourAddition> {
  return {
    ...owner,
    calls: 0,
    failed_calls: 0,
    status: null,
    status_counts: {},
    timed: 0,
    dns_ms: 0,
    connect_ms: 0,
    tls_ms: 0,
    ttfb_ms: 0,
    transfer_ms: 0,
    response_ms: 0,
    size_bytes: 0,
    ms: [],
    bins: null,
    counts: null,
  }
}

function getOrInsert<K, T>(map: Map<K, T>, key: K, make: () => T): T {
  let found = map.get(key)
  if (found === undefined) {
    found = make()
    map.set(key, found)
  }
  return found
}
