/** For which organization a job sends something, and to which receiver: a webhook's id, or `mail`. */
export type SendRoute = { organizationId: string; to: string }

/** The flag of every job that sends something. */
export const SENDS_FLAG = 'sends'

const FROM = 'from:'
const TO = 'to:'

/** Returns the job's flags in the queue, by which the worker can prefer other jobs (worker/queue/fair-jobs.ts). */
export function sendFlags({ organizationId, to }: SendRoute): { from: string; to: string; all: string[] } {
  const flags = { from: FROM + organizationId, to: TO + to }
  return { ...flags, all: [SENDS_FLAG, flags.from, flags.to] }
}

/** Parses the flags of a job; null when it sends nothing. */
export function readSendFlags(flags: Record<string, unknown> | null): SendRoute | null {
  const names = Object.keys(flags ?? {})
  const from = names.find((name) => name.startsWith(FROM))
  const to = names.find((name) => name.startsWith(TO))
  return from && to ? { organizationId: from.slice(FROM.length), to: to.slice(TO.length) } : null
}
