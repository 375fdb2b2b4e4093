import { hostname } from 'node:os'
import { type DiagLogger, DiagLogLevel, diag, type Tracer } from '@opentelemetry/api'
import type { Logger } from '@opentelemetry/api-logs'
import { OTLPLogExporter as JsonLogExporter } from '@opentelemetry/exporter-logs-otlp-http'
import { OTLPLogExporter as ProtobufLogExporter } from '@opentelemetry/exporter-logs-otlp-proto'
import { OTLPTraceExporter as JsonTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { MINUTE_MS } from '../../durations.ts'
import { log } from '../../process/log.ts'
import { programVersion } from '../../process/program.ts'
import type { Settings } from '../../process/settings.ts'
import { createChosenIds } from './chosen-ids.ts'

/** Where spans and log records go. Both queues are bounded: what does not fit is dropped. */
export type Exports = {
  tracer: Tracer | null
  logger: Logger | null
  /** Runs `start`, whose span gets these ids. */
  withIds: <T>(ids: { traceId: string; spanId: string }, start: () => T) => T
  /** Sends what is queued. */
  shutdown: () => Promise<void>
}

/** Encoding a batch blocks the event loop, so batches are small. */
const BATCH_MAX = 128
const QUEUE_MAX = 2_048
/** Longer values are cut. */
const VALUE_MAX = 4_096

/** Creates the exporters from the standard `OTEL_*` variables, which the packages read by themselves. */
export function createExports(settings: Settings, name: 'web' | 'worker'): Exports {
  diag.setLogger(quietDiagnostics(), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
  const resource = resourceFromAttributes({
    'service.name': `soundline-${name}`,
    'service.version': programVersion(),
    'service.instance.id': `${hostname()}-${process.pid}`,
  }).merge(detectResources({ detectors: [envDetector] }))
  const isJson = settings.OTEL_EXPORTER_OTLP_PROTOCOL === 'http/json'
  const ids = createChosenIds()
  const batches = { maxExportBatchSize: BATCH_MAX, maxQueueSize: QUEUE_MAX }
  const tracers =
    settings.OTEL_TRACES_EXPORTER === 'none'
      ? null
      : new BasicTracerProvider({
          resource,
          idGenerator: ids.generator,
          spanLimits: { attributeValueLengthLimit: VALUE_MAX },
          spanProcessors: [
            new BatchSpanProcessor(isJson ? new JsonTraceExporter() : new ProtobufTraceExporter(), batches),
          ],
        })
  const loggers =
    settings.OTEL_LOGS_EXPORTER === 'none'
      ? null
      : new LoggerProvider({
          resource,
          logRecordLimits: { attributeValueLengthLimit: VALUE_MAX },
          processors: [
            new BatchLogRecordProcessor({
              exporter: isJson ? new JsonLogExporter() : new ProtobufLogExporter(),
              ...batches,
            }),
          ],
        })
  return {
    tracer: tracers?.getTracer('soundline', programVersion()) ?? null,
    logger: loggers?.getLogger('soundline', programVersion()) ?? null,
    withIds: ids.use,
    async shutdown() {
      await Promise.allSettled([tracers?.shutdown(), loggers?.shutdown()])
    },
  }
}

/** Logs problems of the exporters, at most one per minute: a receiver that is away fails every few seconds. */
function quietDiagnostics(): DiagLogger {
  let loggedAt = Number.NEGATIVE_INFINITY
  const warn = (message: string) => {
    if (performance.now() - loggedAt < MINUTE_MS) return
    loggedAt = performance.now()
    log.warn({ reason: message.slice(0, 500) }, 'traces or logs could not be exported')
  }
  const ignore = () => {}
  return { error: warn, warn, info: ignore, debug: ignore, verbose: ignore }
}
