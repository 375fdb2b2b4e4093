import type { Job, WorkerEvents } from 'graphile-worker'
import { SLOW_MS } from '#server/schedule/run-queue.ts'
import { readSendFlags, SENDS_FLAG, type SendRoute, sendFlags } from '#server/schedule/send-flags.ts'
import { FairSlots } from '../fairness/fair-permits.ts'

/** Receivers whose slowness is remembered. */
const SLOW_MAX = 10_000

/**
 * Shares the jobs that send something (mails, webhook deliveries) among organizations and receivers, so that a receiver
 * that hangs keeps nobody else waiting. The queue asks before it takes a job which flags it is to pass over. One take
 * follows the other: what the next may have depends on what the last took.
 */
export function shareJobs(events: WorkerEvents, most: number): () => Promise<string[]> {
  const slots = new FairSlots(most)
  const held = new Map<string, { giveBack: () => void; sends: SendRoute; since: number }>()
  const slow = new Map<string, SendRoute>()
  let turn = Promise.resolve()
  let endTurn = () => {}

  const passedOver = (): string[] => {
    slots.age()
    if (slots.free <= 0) return [SENDS_FLAG]
    const flags: string[] = []
    for (const organizationId of new Set([...held.values()].map(({ sends }) => sends.organizationId))) {
      if (!slots.mayTake({ organizationId, isSlow: false })) flags.push(sendFlags({ organizationId, to: '' }).from)
    }
    for (const sends of slow.values()) {
      if (!slots.mayTake({ organizationId: sends.organizationId, isSlow: true })) flags.push(sendFlags(sends).to)
    }
    return flags
  }

  events.on('job:start', ({ job }) => {
    const sends = readSendFlags(job.flags)
    if (sends) {
      const isSlow = slow.has(sends.to)
      const giveBack = slots.take({ organizationId: sends.organizationId, isSlow })
      held.set(job.id, { giveBack, sends, since: performance.now() })
    }
    endTurn()
  })
  events.on('job:complete', ({ job }: { job: Job }) => {
    const one = held.get(job.id)
    if (!one) return
    held.delete(job.id)
    one.giveBack()
    slow.delete(one.sends.to)
    if (slow.size >= SLOW_MAX) slow.clear()
    if (performance.now() - one.since >= SLOW_MS) slow.set(one.sends.to, one.sends)
  })
  events.on('worker:getJob:empty', () => endTurn())
  events.on('worker:getJob:error', () => endTurn())

  return async () => {
    const before = turn
    const { promise, resolve } = Promise.withResolvers<void>()
    turn = promise
    await before
    endTurn = resolve
    return passedOver()
  }
}
