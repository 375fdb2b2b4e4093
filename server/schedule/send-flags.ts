/** For which organization a job sends something, and to which receiver: the key of a webhook's host, or `mail`. */
export type SendRoute = { organizationId: string; to: string }

/** Mails and webhook deliveries have permits of their own, so that receivers that hang delay no mail. */
export const SEND_CHANNELS = ['webhook', 'mail'] as const
export type SendChannel = (typeof SEND_CHANNELS)[number]

const PREFIXES: Record<SendChannel, string> = { webhook: '', mail: 'mail-' }
const FLAG = /^(?:mail-)?(from|to):(.*)$/

export function channelOf({ to }: SendRoute): SendChannel {
  return to === 'mail' ? 'mail' : 'webhook'
}

/** Returns the flag of every job that sends something by this channel. */
export function channelFlag(channel: SendChannel): string {
  return `${PREFIXES[channel]}sends`
}

/** Returns the job's flags in the queue, by which the worker can prefer other jobs (worker/queue/fair-jobs.ts). */
export function sendFlags(route: SendRoute): { from: string; to: string; all: string[] } {
  const channel = channelOf(route)
  const flags = { from: `${PREFIXES[channel]}from:${route.organizationId}`, to: `${PREFIXES[channel]}to:${route.to}` }
  return { ...flags, all: [channelFlag(channel), flags.from, flags.to] }
}

/** Parses the flags of a job; null when it sends nothing. */
export function readSendFlags(flags: Record<string, unknown> | null): SendRoute | null {
  const values = new Map(
    Object.keys(flags ?? {}).flatMap((name) => {
      const [, key, value] = FLAG.exec(name) ?? []
      return key === undefined ? [] : [[key, value as string] as const]
    }),
  )
  const [organizationId, to] = [values.get('from'), values.get('to')]
  return organizationId === undefined || to === undefined ? null : { organizationId, to }
}
