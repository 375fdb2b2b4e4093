import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import { performance } from 'node:perf_hooks'
import type { Pool } from '#db/connections/pool.ts'
import { programVersion } from '../../process/program.ts'
import { type Family, readFamilies } from './families.ts'
import { processSeries } from './series.ts'

/** The metrics of one process. */
export type ProcessMetrics = {
  /** The label `process_id`: another one after each start, so that no counter seems to go backwards. */
  id: string
  /** The label `process`. */
  kind: 'web' | 'worker'
  /** Returns the present values. */
  read: () => Promise<Family[]>
}

/** What a process measures when its metrics are read. */
export type Measured = {
  /** Its pools of database connections, by name. */
  pools: Record<string, Pool>
  liveStreams?: () => number
  runWaits?: () => number
}

/** Creates the metrics of this process. */
export function createProcessMetrics(kind: ProcessMetrics['kind'], measured: Measured): ProcessMetrics {
  const series = processSeries()
  const id = `${kind}-${randomBytes(6).toString('hex')}`
  series.processInfo.set({ version: programVersion(), host: hostname(), pid: String(process.pid) }, 1)
  const measurePools = createPoolMeter(measured.pools)
  let since = performance.eventLoopUtilization()
  return {
    id,
    kind,
    read() {
      const utilization = performance.eventLoopUtilization()
      series.loopUtilization.set(performance.eventLoopUtilization(utilization, since).utilization)
      since = utilization
      series.liveStreams.set(measured.liveStreams?.() ?? 0)
      series.runWaits.set(measured.runWaits?.() ?? 0)
      measurePools()
      return readFamilies(series.registry, { process: kind, process_id: id })
    },
  }
}

function createPoolMeter(pools: Record<string, Pool>): () => void {
  const { poolConnections, poolWaiting, poolRefused } = processSeries()
  const refusedBefore = new Map<string, number>()
  return () => {
    for (const [pool, { state }] of Object.entries(pools)) {
      const { max, open, idle, waiting, refused } = state
      poolConnections.set({ pool, state: 'max' }, max)
      poolConnections.set({ pool, state: 'idle' }, idle)
      poolConnections.set({ pool, state: 'in_use' }, open - idle)
      poolWaiting.set({ pool }, waiting)
      poolRefused.inc({ pool }, refused - (refusedBefore.get(pool) ?? 0))
      refusedBefore.set(pool, refused)
    }
  }
}
