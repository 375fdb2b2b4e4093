import type { Job, WorkerEvents } from 'graphile-worker'
import { SLOW_MS } from '#server/schedule/run-queue.ts'
import { readSendFlags, SENDS_FLAG, type SendRoute, sendFlags } from '#server/schedule/send-flags.ts'
import { FairPermits } from '../fairness/fair-permits.ts'

/** Slow receivers that are remembered. */
const SLOW_RECEIVERS_MAX = 10_000

/**
 * Shares the jobs that send something (mails, webhook deliveries) among organizations and receivers, so that a receiver
 * that hangs does not delay the others. Before the queue takes a job, it calls the returned function for the flags of
 * jobs to skip. Calls wait for each other, because the flags depend on the job that was taken last.
 */
export function forbidUnfairFlags(events: WorkerEvents, max: number): () => Promise<string[]> {
  const permits = new FairPermits(max)
  const inFlight = new Map<string, { release: () => void; sends: SendRoute; since: number }>()
  const slowReceivers = new Map<string, SendRoute>()
  let previous = Promise.resolve()
  let endTake = () => {}

  const forbiddenFlags = (): string[] => {
    permits.markSlow()
    if (permits.free <= 0) return [SENDS_FLAG]
    const flags: string[] = []
    for (const organizationId of new Set([...inFlight.values()].map(({ sends }) => sends.organizationId))) {
      if (!permits.mayAcquire({ organizationId, isSlow: false })) flags.push(sendFlags({ organizationId, to: '' }).from)
    }
    for (const sends of slowReceivers.values()) {
      if (!permits.mayAcquire({ organizationId: sends.organizationId, isSlow: true })) flags.push(sendFlags(sends).to)
    }
    return flags
  }

  events.on('job:start', ({ job }) => {
    const sends = readSendFlags(job.flags)
    if (sends) {
      const isSlow = slowReceivers.has(sends.to)
      const release = permits.acquire({ organizationId: sends.organizationId, isSlow })
      inFlight.set(job.id, { release, sends, since: performance.now() })
    }
    endTake()
  })
  events.on('job:complete', ({ job }: { job: Job }) => {
    const one = inFlight.get(job.id)
    if (!one) return
    inFlight.delete(job.id)
    one.release()
    slowReceivers.delete(one.sends.to)
    if (slowReceivers.size >= SLOW_RECEIVERS_MAX) slowReceivers.clear()
    if (performance.now() - one.since >= SLOW_MS) slowReceivers.set(one.sends.to, one.sends)
  })
  events.on('worker:getJob:empty', () => endTake())
  events.on('worker:getJob:error', () => endTake())

  return async () => {
    const before = previous
    const { promise, resolve } = Promise.withResolvers<void>()
    previous = promise
    await before
    endTake = resolve
    return forbiddenFlags()
  }
}
