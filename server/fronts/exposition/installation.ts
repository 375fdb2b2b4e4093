import type { Db } from '#db/client.ts'
import { withinRequestBounds } from '#db/connections/request-bounds.ts'
import { requireMetricsToken, scrapeResponse } from '../../health/scrape.ts'
import { requireReading } from '../../http/responses.ts'
import { type Family, mergeFamilies } from '../../observe/metrics/families.ts'
import type { ProcessMetrics } from '../../observe/metrics/process-metrics.ts'
import { readSnapshots, storeSnapshot } from '../../observe/metrics/snapshots.ts'
import { log } from '../../process/log.ts'
import { createDatabaseGauges } from './database-gauges.ts'

const READ_MS = 2_500

export type MetricsHandler = (request: Request) => Promise<Response>

/**
 * Serves `/api/metrics` of a web process, for the whole installation: what each process stored, and what the database
 * knows. This process stores its own values first, so that scrapes through a load balancer never see a counter go
 * backwards. Without the database, the answer has the values of this process alone.
 * @throws ApiError
 */
export function createInstallationMetrics(
  { db, settings }: { db: Db; settings: { METRICS_TOKEN?: string | undefined } },
  own: ProcessMetrics,
): MetricsHandler {
  const measureDatabase = createDatabaseGauges(db)
  const read = async (): Promise<Family[]> => {
    try {
      await storeSnapshot(db, own)
      const snapshots = await withinRequestBounds(READ_MS, () => readSnapshots(db))
      return mergeFamilies([...snapshots, await measureDatabase()])
    } catch (error) {
      log.warn({ err: error }, 'a scrape has the metrics of this process alone')
      return own.read()
    }
  }
  /** Scrapes at the same time share one reading. */
  let reading: Promise<Family[]> | null = null
  return async (request) => {
    requireReading(request)
    requireMetricsToken(request, settings.METRICS_TOKEN)
    reading ??= read().finally(() => {
      reading = null
    })
    return scrapeResponse(request, await reading)
  }
}
