import type { Db, Queryable } from '#db/client.ts'
import { type SQL, sql } from '#db/drizzle.cjs'
import { log } from '../process/log.ts'
import type { Topic } from '../schemas/live/topics.ts'

// Tells all web processes what changed, by NOTIFY. PostgreSQL sends the notifications of a transaction when it commits.

export const CHANNEL = 'soundline_live'

/** PostgreSQL refuses 8,000 bytes. */
const PAYLOAD_MAX = 4_000
/** NOTIFY locks out other commits for a moment, so a worker sends at most one statement in this time. */
const INTERVAL_MS = 250
const RETRY_DELAY_MS = 1_000

/** What changed, by organization. */
export type Changes = Map<string, Set<Topic>>

/** Adds a topic to the changes of an organization. */
export function addChange(changes: Changes, organizationId: string, topic: Topic): void {
  const topics = changes.get(organizationId)
  if (topics) topics.add(topic)
  else changes.set(organizationId, new Set([topic]))
}

/** Returns a call that announces topics, for a statement within the transaction that changes something. */
export function notification(organizationId: string, topics: Iterable<Topic>): SQL {
  return sql`pg_notify(${CHANNEL}, ${payloadOf(organizationId, topics)})`
}

/** Announces changes, in one statement. */
export async function announce(db: Queryable, changes: Changes): Promise<void> {
  if (changes.size === 0) return
  const payloads = [...changes].map(([organizationId, topics]) => payloadOf(organizationId, topics))
  await db.execute(sql`
    select pg_notify(${CHANNEL}, payload) from jsonb_array_elements_text(${JSON.stringify(payloads)}::jsonb) payload`)
}

/** Returns the topics of an organization as a payload. Too many topics become their kinds, which mean every resource. */
function payloadOf(organizationId: string, topics: Iterable<Topic>): string {
  const all = [...topics]
  const text = [organizationId, ...all].join(' ')
  if (text.length <= PAYLOAD_MAX) return text
  return [organizationId, ...new Set(all.map(kindOf))].join(' ')
}

function kindOf(topic: Topic): Topic {
  return topic.startsWith('write.') ? topic : (topic.split('.', 1)[0] as string)
}

export function parsePayload(payload: string): { organizationId: string; topics: Topic[] } {
  const [organizationId = '', ...topics] = payload.split(' ')
  return { organizationId, topics }
}

/** Announces changes that are committed already. */
export type Announcer = {
  add: (changes: Changes) => void
  /** Sends what waits. Adds nothing more. */
  close: () => Promise<void>
}

/** Creates an announcer that sends changes at once, and those of the next 250 ms together. */
export function createAnnouncer(db: Db): Announcer {
  let waiting: Changes = new Map()
  let nextAt = 0
  let timer: NodeJS.Timeout | null = null
  let isClosed = false

  const send = async () => {
    timer = null
    nextAt = performance.now() + INTERVAL_MS
    const changes = waiting
    waiting = new Map()
    try {
      await announce(db, changes)
    } catch (error) {
      log.debug({ err: error }, 'changes were not announced: trying again')
      nextAt = performance.now() + RETRY_DELAY_MS
      add(changes)
    }
  }

  const add = (changes: Changes) => {
    if (isClosed) return
    for (const [organizationId, topics] of changes) {
      for (const topic of topics) addChange(waiting, organizationId, topic)
    }
    if (waiting.size > 0) timer ??= setTimeout(send, Math.max(0, nextAt - performance.now()))
  }

  return {
    add,
    async close() {
      isClosed = true
      if (timer === null) return
      clearTimeout(timer)
      await send()
    },
  }
}
