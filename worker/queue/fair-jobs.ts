import type { Job, WorkerEvents } from 'graphile-worker'
import { FairQueue } from '#server/fairness/fair-queue.ts'
import {
  channelFlag,
  channelOf,
  readSendFlags,
  SEND_CHANNELS,
  type SendChannel,
  sendFlags,
} from '#server/schedule/send-flags.ts'

/** How many jobs of each channel may run at the same time. */
export type SendLimits = Record<SendChannel, number>

/** Deliveries of an organization that one host may hold, so that a host that hangs leaves places for other receivers. */
const HELD_BY_RECEIVER_MAX = 3

/**
 * Shares the jobs that send something (mails, webhook deliveries) among organizations and receivers, so that a receiver
 * that hangs does not delay the others. Before the queue takes a job, it calls the returned function for the flags of
 * jobs to skip. Calls wait for each other, because the flags depend on the job that was taken last.
 */
export function forbidUnfairFlags(events: WorkerEvents, limits: SendLimits): () => Promise<string[]> {
  // All mails have one receiver, the mail server.
  const channels = { webhook: new FairQueue(limits.webhook, HELD_BY_RECEIVER_MAX), mail: new FairQueue(limits.mail) }
  const inFlight = new Map<string, () => void>()
  let previous = Promise.resolve()
  let endTake = () => {}

  events.on('job:start', ({ job }) => {
    const sends = readSendFlags(job.flags)
    if (sends) inFlight.set(job.id, channels[channelOf(sends)].take({ ...sends, key: sends.to }))
    endTake()
  })
  events.on('job:complete', ({ job }: { job: Job }) => {
    inFlight.get(job.id)?.()
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
    return SEND_CHANNELS.flatMap((channel) => forbiddenFlags(channel, channels[channel]))
  }
}

function forbiddenFlags(channel: SendChannel, places: FairQueue): string[] {
  if (places.free <= 0) return [channelFlag(channel)]
  return places.refused().map(({ organizationId, key }) => {
    const flags = sendFlags({ organizationId, to: key ?? channel })
    return key ? flags.to : flags.from
  })
}
