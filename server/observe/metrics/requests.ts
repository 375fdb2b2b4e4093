import { boundedLabel } from './bounded-label.ts'
import { processSeries } from './series.ts'

/** More than there are operations: unknown names, which callers choose, never reach a label. */
const OPERATIONS_MAX = 500
/** The label of a request that no operation serves. */
const NO_OPERATION = 'none'

const operationLabel = boundedLabel('operation', OPERATIONS_MAX)

/** Observes a request of the public API, the dashboard or a remote agent. `started` is by `performance.now()`. */
export function observeRequest(
  part: 'api' | 'dashboard' | 'gateway',
  operation: string | null,
  code: string | number,
  started: number,
): void {
  const labels = { operation: operation === null ? NO_OPERATION : operationLabel(operation), code: String(code) }
  processSeries()[`${part}Duration`].observe(labels, (performance.now() - started) / 1_000)
}

/** Counts a response of the HTTP front. */
export function countResponse(part: string, status: number): void {
  const series = processSeries()
  series.httpRequests.inc({ part, code: String(status) })
  if (status === 429) series.rateLimited.inc({ part })
  if (status === 503 && part !== 'health' && part !== 'ready') series.shed.inc({ part })
}
