/** Whose job it is that sends something, and to which receiver: a webhook, or the mail server. */
export type SendRoute = { organizationId: string; to: string }

/** On every job that sends something. */
export const SENDS_FLAG = 'sends'

const FROM = 'from:'
const TO = 'to:'

/** Flags of the job in the queue, by which the worker may pass it over for others (worker/queue/fair-jobs.ts). */
export function sendFlags({ organizationId, to }: SendRoute): { from: string; to: string; all: string[] } {
  const flags = { from: FROM + organizationId, to: TO + to }
  return { ...flags, all: [SENDS_FLAG, flags.from, flags.to] }
}

/** What the flags of a job say; null when it sends nothing. */
export function readSendFlags(flags: Record<string, unknown> | null): SendRoute | null {
  const names = Object.keys(flags ?? {})
  const from = names.find((name) => name.startsWith(FROM))
  const to = names.find((name) => name.startsWith(TO))
  return from && to ? { organizationId: from.slice(FROM.length), to: to.slice(TO.length) } : null
}
