import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { oncePerProcess } from '../../process/once-per-process.ts'
import { addLoopDelay } from './loop-delay.ts'

// The series that a process observes itself. What only the database knows is in `database-gauges.ts`.

/** Bounds in seconds: of requests to this product, of requests of probes and receivers, and of whole runs and waits. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const CALL_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const RUN_SECONDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300]

/** The interval of prom-client's own samples of the event loop, which `addLoopDelay` replaces. */
const NEVER_MS = 2 ** 31 - 1

export type Series = ReturnType<typeof createSeries>

/** Returns the series of this process. */
export function processSeries(): Series {
  return oncePerProcess('series', createSeries)
}

function createSeries() {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: NEVER_MS })
  for (const { name } of registry.getMetricsAsArray()) {
    if (name.startsWith('nodejs_eventloop_lag_')) registry.removeSingleMetric(name)
  }
  addLoopDelay(registry)
  const registers = [registry]
  const counter = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Counter({ name, help, labelNames, registers })
  const histogram = <L extends string>(name: string, help: string, labelNames: L[], buckets: number[]) =>
    new Histogram({ name, help, labelNames, buckets, registers })
  const gauge = <L extends string>(name: string, help: string, labelNames: L[]) =>
    new Gauge({ name, help, labelNames, registers })
  return {
    registry,
    processInfo: gauge('soundline_process_info', 'The processes of the installation', ['version', 'host', 'pid']),

    runs: counter('soundline_runs_total', 'Stored results, per agent', ['agent', 'organization', 'cause', 'outcome']),
    // Another name than the counter of a project's metrics, which has other labels.
    serviceRuns: counter('soundline_service_results_total', 'Stored results of a service', ['service_id', 'outcome']),
    runDuration: histogram(
      'soundline_run_duration_seconds',
      'Duration of runs',
      ['agent', 'organization'],
      RUN_SECONDS,
    ),
    phaseDuration: histogram(
      'soundline_call_phase_duration_seconds',
      'Duration of the phases of requests that probes send',
      ['agent', 'organization', 'phase'],
      CALL_SECONDS,
    ),
    queueWait: histogram(
      'soundline_run_queue_wait_seconds',
      'Time from the dispatch or the request of a run to its start',
      ['agent', 'organization'],
      RUN_SECONDS,
    ),
    dispatchLateness: histogram(
      'soundline_dispatch_lateness_seconds',
      'Time by which due services were dispatched late',
      [],
      RUN_SECONDS,
    ),

    apiDuration: histogram(
      'soundline_api_request_duration_seconds',
      'Duration of requests of the public API',
      ['operation', 'code'],
      REQUEST_SECONDS,
    ),
    dashboardDuration: histogram(
      'soundline_dashboard_request_duration_seconds',
      'Duration of requests of the dashboard',
      ['operation', 'code'],
      REQUEST_SECONDS,
    ),
    gatewayDuration: histogram(
      'soundline_gateway_request_duration_seconds',
      'Duration of requests of remote agents, waits for runs included',
      ['operation', 'code'],
      REQUEST_SECONDS,
    ),
    httpRequests: counter('soundline_http_requests_total', 'Responses, by part of the product', ['part', 'code']),
    rateLimited: counter('soundline_rate_limit_refusals_total', 'Requests over a rate limit (429)', ['part']),
    shed: counter('soundline_shed_requests_total', 'Requests refused because the process is too busy (503)', ['part']),
    liveStreams: gauge('soundline_live_streams', 'Open streams of live updates', []),
    runWaits: gauge('soundline_run_waits', 'Requests that wait for runs', []),

    deliveries: counter('soundline_deliveries_total', 'Attempts to send a message to a webhook', [
      'channel',
      'outcome',
    ]),
    deliveryDuration: histogram(
      'soundline_delivery_duration_seconds',
      'Duration of attempts to send a message to a webhook',
      ['channel'],
      CALL_SECONDS,
    ),
    mails: counter('soundline_mails_total', 'Attempts to send a mail', ['outcome']),
    mailDuration: histogram('soundline_mail_duration_seconds', 'Duration of attempts to send a mail', [], CALL_SECONDS),

    bodyStoreErrors: counter('soundline_body_store_errors_total', 'Failed reads and writes of bodies', ['operation']),
    poolConnections: gauge('soundline_db_pool_connections', 'Database connections of the process', ['pool', 'state']),
    poolWaiting: gauge('soundline_db_pool_waiting', 'Callers that wait for a database connection', ['pool']),
    poolRefused: counter('soundline_db_pool_refused_total', 'Callers that got no database connection in time', [
      'pool',
    ]),
    loopUtilization: gauge(
      'soundline_event_loop_utilization_ratio',
      'Share of the time in which the event loop was busy, since the last measurement',
      [],
    ),
  }
}
