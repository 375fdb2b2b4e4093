import type { Job, WorkerEvents } from 'graphile-worker'
import { FairPermits, SLOW_MS } from '#server/fairness/fair-permits.ts'
import {
  channelFlag,
  channelOf,
  readSendFlags,
  SEND_CHANNELS,
  type SendChannel,
  type SendRoute,
  sendFlags,
} from '#server/schedule/send-flags.ts'

/** How many jobs of each channel may run at the same time. */
export type SendLimits = Record<SendChannel, number>

/** Slow receivers that are remembered, per channel. */
const SLOW_RECEIVERS_MAX = 10_000
/** Deliveries of an organization that one host may hold, so that a host that hangs leaves permits for other receivers. */
const HELD_BY_RECEIVER_MAX = 3

/**
 * Shares the jobs that send something (mails, webhook deliveries) among organizations and receivers, so that a receiver
 * that hangs does not delay the others. Before the queue takes a job, it calls the returned function for the flags of
 * jobs to skip. Calls wait for each other, because the flags depend on the job that was taken last.
 */
export function forbidUnfairFlags(events: WorkerEvents, limits: SendLimits): () => Promise<string[]> {
  const channels = { webhook: createChannel('webhook', limits.webhook), mail: createChannel('mail', limits.mail) }
  const inFlight = new Map<string, { end: () => void }>()
  let previous = Promise.resolve()
  let endTake = () => {}

  events.on('job:start', ({ job }) => {
    const sends = readSendFlags(job.flags)
    if (sends) inFlight.set(job.id, { end: channels[channelOf(sends)].start(job.id, sends) })
    endTake()
  })
  events.on('job:complete', ({ job }: { job: Job }) => {
    inFlight.get(job.id)?.end()
    inFlight.delete(job.id)
  })
  events.on('worker:getJob:empty', () => endTake())
  events.on('worker:getJob:error', () => endTake())

  return async () => {
    const before = previous
    const { promise, resolve } = Promise.withResolvers<void>()
    previous = promise
    await before
    endTake = resolve
    return SEND_CHANNELS.flatMap((channel) => channels[channel].forbiddenFlags())
  }
}

/** The jobs of one channel that are in flight, and the receivers that took long lately. */
function createChannel(channel: SendChannel, max: number) {
  const permits = new FairPermits(max)
  const inFlight = new Map<string, SendRoute>()
  const slowReceivers = new Map<string, SendRoute>()

  return {
    /** Counts a job, and returns the function that ends it. */
    start(jobId: string, sends: SendRoute): () => void {
      const since = performance.now()
      const release = permits.acquire({ organizationId: sends.organizationId, isSlow: slowReceivers.has(sends.to) })
      inFlight.set(jobId, sends)
      return () => {
        inFlight.delete(jobId)
        release()
        slowReceivers.delete(sends.to)
        if (slowReceivers.size >= SLOW_RECEIVERS_MAX) slowReceivers.clear()
        if (performance.now() - since >= SLOW_MS) slowReceivers.set(sends.to, sends)
      }
    },
    forbiddenFlags(): string[] {
      permits.markSlow()
      if (permits.free <= 0) return [channelFlag(channel)]
      const flags: string[] = []
      const oneOfEach = new Map([...inFlight.values()].map((sends) => [sends.organizationId, sends]))
      for (const sends of oneOfEach.values()) {
        const { organizationId } = sends
        if (!permits.mayAcquire({ organizationId, isSlow: false })) flags.push(sendFlags(sends).from)
      }
      // All mails have one receiver, the mail server.
      if (channel === 'webhook') {
        for (const held of Map.groupBy(inFlight.values(), (sends) => sends.to).values()) {
          if (held.length >= HELD_BY_RECEIVER_MAX) flags.push(sendFlags(held[0] as SendRoute).to)
        }
      }
      for (const sends of slowReceivers.values()) {
        if (!permits.mayAcquire({ organizationId: sends.organizationId, isSlow: true })) flags.push(sendFlags(sends).to)
      }
      return flags
    },
  }
}
