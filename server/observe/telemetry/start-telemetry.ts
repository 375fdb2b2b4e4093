import { tracingChannel } from 'node:diagnostics_channel'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Settings } from '../../process/settings.ts'
import { setTracing } from '../../process/tracing.ts'
import type { Statement } from './create-tracing.ts'

/** What is not exported this long after the program stopped is lost. */
const FLUSH_MS = 3_000

/**
 * Sends traces and logs of this process to `OTEL_EXPORTER_OTLP_ENDPOINT`, until the returned function is called. Without the
 * setting nothing is loaded.
 */
export async function startTelemetry(settings: Settings, name: 'web' | 'worker'): Promise<() => Promise<void>> {
  if (!settings.OTEL_EXPORTER_OTLP_ENDPOINT || settings.OTEL_SDK_DISABLED) return async () => {}
  const { createExports } = await import('./exports.ts')
  const { createTracing } = await import('./create-tracing.ts')
  const exports = createExports(settings, name)
  const { tracing, statements } = createTracing(exports)
  setTracing(tracing)
  const channel = tracingChannel<unknown, Statement>('soundline.statement')
  channel.subscribe(statements)
  return async () => {
    channel.unsubscribe(statements)
    setTracing(null)
    await Promise.race([exports.shutdown(), sleep(FLUSH_MS, undefined, { ref: false })])
  }
}
