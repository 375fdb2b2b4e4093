import { endpointKey, type FinishedRun } from './finished-run.ts'

// What a batch of runs adds to the roll-ups, one entry per row: a statement cannot touch a row twice. The fields are
// named as the columns are, because the statements read them as records.

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export type RunAddition = {
  organization_id: string
  service_id: string
  /** Start of the hour or the day, ISO-8601. */
  bucket: string
  agent_slug: string
  /** Performed runs; skipped ones are counted apart. */
  runs: number
  success: number
  failure: number
  timeout: number
  skipped: number
  sum_ms: number
  call_count: number
  ms: number[]
  runs_by_hour: number[]
  failed_by_hour: number[]
}

export type EndpointAddition = {
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
  ms: number[]
}

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

export type Additions = { runs: RunAddition[]; endpoints: EndpointAddition[]; assertions: AssertionAddition[] }

/** What the runs add to the roll-ups by hour, or by day. */
export function addUp(runs: FinishedRun[], by: 'hour' | 'day'): Additions {
  const sums = { runs: new Map(), endpoints: new Map(), assertions: new Map() } as {
    runs: Map<string, RunAddition>
    endpoints: Map<string, EndpointAddition>
    assertions: Map<string, AssertionAddition>
  }
  for (const run of runs) {
    const at = run.result.startedAt
    const length = by === 'hour' ? HOUR_MS : DAY_MS
    const bucket = new Date(Math.floor(at.getTime() / length) * length).toISOString()
    const place = { organization_id: run.organizationId, service_id: run.serviceId, bucket }
    const key = (last: string) => `${place.organization_id} ${place.service_id} ${bucket} ${last}`
    addRun(
      entry(sums.runs, key(run.agentSlug), () => emptyRun({ ...place, agent_slug: run.agentSlug })),
      run,
    )
    for (const step of run.result.steps) {
      if (step.outcome === 'skipped') continue
      const { method, template } = step
      const endpoint_key = endpointKey(method, template)
      addCall(
        entry(sums.endpoints, key(endpoint_key), () => emptyEndpoint({ ...place, endpoint_key, method, template })),
        step,
      )
    }
    for (const { key: assertion_key, definition, failed } of run.assertions) {
      const sum = entry(sums.assertions, key(assertion_key), () => {
        return { ...place, assertion_key, definition, evaluations: 0, failures: 0, last_failed_at: null }
      })
      sum.evaluations++
      if (!failed) continue
      sum.failures++
      const failedAt = at.toISOString()
      if (sum.last_failed_at === null || failedAt > sum.last_failed_at) sum.last_failed_at = failedAt
    }
  }
  return {
    runs: [...sums.runs.values()],
    endpoints: [...sums.endpoints.values()],
    assertions: [...sums.assertions.values()],
  }
}

function addRun(sum: RunAddition, { result, isTimed }: FinishedRun): void {
  const { status, startedAt, totalResponseMs, callCount } = result
  sum[status]++
  if (status === 'skipped') return
  const hour = startedAt.getUTCHours()
  sum.runs++
  sum.sum_ms += totalResponseMs
  sum.call_count += callCount
  if (isTimed) sum.ms.push(totalResponseMs)
  sum.runs_by_hour[hour] = (sum.runs_by_hour[hour] ?? 0) + 1
  if (status !== 'success') sum.failed_by_hour[hour] = (sum.failed_by_hour[hour] ?? 0) + 1
}

function addCall(sum: EndpointAddition, step: FinishedRun['result']['steps'][number]): void {
  const status = step.statusCode === null ? 'none' : String(step.statusCode)
  sum.calls++
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

function emptyRun(place: Pick<RunAddition, 'organization_id' | 'service_id' | 'bucket' | 'agent_slug'>): RunAddition {
  return {
    ...place,
    runs: 0,
    success: 0,
    failure: 0,
    timeout: 0,
    skipped: 0,
    sum_ms: 0,
    call_count: 0,
    ms: [],
    runs_by_hour: Array<number>(24).fill(0),
    failed_by_hour: Array<number>(24).fill(0),
  }
}

function emptyEndpoint(
  place: Pick<EndpointAddition, 'organization_id' | 'service_id' | 'bucket' | 'endpoint_key' | 'method' | 'template'>,
): EndpointAddition {
  return {
    ...place,
    calls: 0,
    failed_calls: 0,
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
  }
}

function entry<T>(map: Map<string, T>, key: string, make: () => T): T {
  let found = map.get(key)
  if (found === undefined) {
    found = make()
    map.set(key, found)
  }
  return found
}
