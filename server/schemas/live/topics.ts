// Live updates. The server names topics of the organization, and the dashboard fetches again what depends on them. A topic
// holds no data and no id, so every member of the organization may receive every topic.

/**
 * A kind of change, and for changes of one resource its bucket: `run.k3` (a run of a service was stored), `state.k3` (the
 * state of a service changed), `event` (an incident or another alert event), `draft` (a draft run is done), `message` (a mail or a webhook's message was queued or tried), `write.service` (a
 * person or a key changed something of this type).
 */
export type Topic = string

export const topics = {
  run: (serviceId: string): Topic => `run.${bucketOf(serviceId)}`,
  state: (serviceId: string): Topic => `state.${bucketOf(serviceId)}`,
  event: 'event',
  draft: 'draft',
  message: 'message',
  write: (entityType: string): Topic => `write.${entityType}`,
} as const

/** Few enough to bound the topics and hide resources, and enough that a page rarely fetches for another resource. */
const BUCKETS = 1_024

/** Returns the bucket of an id: a hash (FNV-1a) in base 36. */
export function bucketOf(id: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < id.length; index++) {
    hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193)
  }
  return ((hash >>> 0) % BUCKETS).toString(36)
}
