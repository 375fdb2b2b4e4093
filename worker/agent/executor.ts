import { availableParallelism } from 'node:os'
import { maxLargeBodies } from '#server/fairness/large-bodies.ts'
import { systemClock } from '#server/language/lace/executor/clock.ts'
import type { MeasuredClock } from '#server/observe/system/measured-clock.ts'
import { log } from '#server/process/log.ts'
import type { Assignment, HeldRun } from '#server/schemas/agents/protocol.ts'
import { parseNetworks } from '#server/scripts/target-addresses.ts'
import { readAuthorities } from '../http/authorities.ts'
import { createTransport } from '../http/client.ts'
import { shareTransport } from '../http/shared-transport.ts'
import { admit, createLoadMeter, permitsFor } from '../runs/admission.ts'
import { encodeFinished, runAssignment } from './run-assignment.ts'
import type { AgentSettings } from './settings.ts'
import type { Spool } from './spool.ts'

// Executes assigned runs, with the same limits and the same fairness as a worker.

/** The share of the memory free at the start that the process may use before it takes fewer runs. */
const MEMORY_SHARE = 0.75

export type Executor = {
  /** The most runs at the same time. */
  slots: number
  busy: () => number
  /** Returns how many more runs may start now. */
  free: () => number
  /** The runs that it executes. */
  held: () => HeldRun[]
  /** Starts a run. Its result goes to the spool. */
  start: (assignment: Assignment, runTimeoutMs: number) => void
  /** Stops runs whose lease is lost. */
  stop: (runs: HeldRun[]) => void
  /** Resolves when the runs have ended. When the signal aborts, they are stopped. Returns the runs that did not end. */
  drain: (signal: AbortSignal) => Promise<HeldRun[]>
}

type ActiveRun = HeldRun & { stopping: AbortController; ended: Promise<void> }

export function createExecutor(
  settings: Pick<AgentSettings, 'PROBE_ALLOWED_NETWORKS' | 'PROBE_CA_FILE' | 'WORKER_CONCURRENCY'>,
  spool: Spool,
  clock: MeasuredClock,
  onSpooled: () => void,
): Executor {
  const memoryBytes = process.availableMemory()
  const rssMaxBytes = process.memoryUsage.rss() + memoryBytes * MEMORY_SHARE
  const transport = createTransport({
    allowedNetworks: parseNetworks(settings.PROBE_ALLOWED_NETWORKS),
    ca: readAuthorities(settings.PROBE_CA_FILE),
  })
  const transportOf = shareTransport(transport, maxLargeBodies(memoryBytes))
  const slots = permitsFor({ cores: availableParallelism(), memoryBytes }, settings.WORKER_CONCURRENCY)
  const measureLoad = createLoadMeter()
  const active = new Map<string, ActiveRun>()
  const unended: HeldRun[] = []
  let isDraining = false

  const perform = async (assignment: Assignment, runTimeoutMs: number, signal: AbortSignal) => {
    const { id, attempt, organizationId } = assignment
    const shared = transportOf({ organizationId }, performance.now() + runTimeoutMs)
    try {
      const allowedNetworks = settings.PROBE_ALLOWED_NETWORKS
      const context = { spool, shared, runTimeoutMs, clock: { ...systemClock, now: clock.forRun() }, allowedNetworks }
      const finished = await runAssignment(assignment, context, signal)
      signal.throwIfAborted()
      if (!(await spool.putResult({ id, attempt }, encodeFinished(finished)))) {
        throw new Error('the result does not fit into the spool')
      }
      onSpooled()
    } catch (error) {
      await spool.remove({ id, attempt })
      if (!signal.aborted) log.error({ err: error, runId: id, attempt }, 'a run could not be executed or stored')
      if (isDraining) unended.push({ id, attempt })
    } finally {
      shared.release()
    }
  }

  return {
    slots,
    busy: () => active.size,
    free: () => admit(measureLoad(), rssMaxBytes, { held: active.size, free: slots - active.size }),
    held: () => [...active.values()].map(({ id, attempt }) => ({ id, attempt })),
    start(assignment, runTimeoutMs) {
      const { id, attempt } = assignment
      const key = `${id}.${attempt}`
      if (active.has(key)) return
      if (clock.now() > Date.parse(assignment.startBy)) {
        log.warn({ runId: id, attempt }, 'a run arrived too late to be started')
        return
      }
      const stopping = new AbortController()
      const ended = perform(assignment, runTimeoutMs, stopping.signal)
        .catch((error) => log.error({ err: error, runId: id, attempt }, 'the spool could not be cleared'))
        .finally(() => active.delete(key))
      active.set(key, { id, attempt, stopping, ended })
    },
    stop(runs) {
      for (const { id, attempt } of runs) {
        const run = active.get(`${id}.${attempt}`)
        if (!run) continue
        log.warn({ runId: id, attempt }, 'a run is stopped: its lease is lost')
        run.stopping.abort()
      }
    },
    async drain(signal) {
      isDraining = true
      const stopAll = () => {
        for (const { stopping } of active.values()) stopping.abort()
      }
      signal.addEventListener('abort', stopAll)
      if (signal.aborted) stopAll()
      await Promise.all([...active.values()].map(({ ended }) => ended))
      return unended
    },
  }
}
