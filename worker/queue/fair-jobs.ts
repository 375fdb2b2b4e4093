import type { Job, WorkerEvents } from 'graphile-worker'
import { SLOW_MS } from '#server/schedule/run-queue.ts'
import { readSendFlags, SENDS_FLAG, type SendRoute, sendFlags } from '#server/schedule/send-flags.ts'
import { FairPermits } from '../fairness/fair-permits.ts'

/** Receivers whose slowness is remembered. */
const SLOW_RECEIVERS_MAX = 10_000

/**
 * Shares the jobs that send something (mails, webhook deliveries) among organizations and receivers, so that a receiver
 * that hangs keeps nobody else waiting. The queue asks before it takes a job which flags it is to pass over. One take
 * follows the other: what the next may have depends on what the last took.
 */
export function forbidUnfairFlags(events: WorkerEvents, most: number): () => Promise<string[]> {
  const permits = new FairPermits(most)
  const inFlight = new Map<string, { release: () => void; sends: SendRoute; since: number }>()
  const slowReceivers = new Map<string, SendRoute>()
  let turn = Promise.resolve()
  let endTurn = () => {}

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
    endTurn()
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
  events.on('worker:getJob:empty', () => endTurn())
  events.on('worker:getJob:error', () => endTurn())

  return async () => {
    const before = turn
    const { promise, resolve } = Promise.withResolvers<void>()
    turn = promise
    await before
    endTurn = resolve
    return forbiddenFlags()
  }
}
