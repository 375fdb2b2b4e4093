import type { Db } from '#db/client.ts'
import { withoutRequestBounds } from '#db/connections/request-bounds.ts'
import { MINUTE_MS } from '../durations.ts'
import { ApiError, unavailable } from '../errors.ts'
import { log } from '../process/log.ts'
import type { LiveMessage } from '../schemas/live/messages.ts'
import type { Topic } from '../schemas/live/topics.ts'
import { CHANNEL, parsePayload } from './announce.ts'
import { History } from './history.ts'
import { Listener } from './listener.ts'
import { LiveStream, type StreamOwner } from './stream.ts'

/** Streams of one member: more than a person has visible pages. */
const MEMBER_STREAMS_MAX = 20
const PROCESS_STREAMS_MAX = 5_000
/** After a message, the next changes of an organization are sent together. */
const INTERVAL_MS = 500
/** A run may be stored this long before its change is announced, also when the worker's first attempt to do so fails. */
const ANNOUNCEMENT_MAX_MS = 3_000
/** The age at which a stream ends and the page opens another one. Not the same for all, so that they do not do it at once. */
const [AGE_MIN_MS, AGE_MAX_MS] = [8 * MINUTE_MS, 12 * MINUTE_MS]
/** The interval in which all sessions are checked, and the pause before the check after a change of members or sessions. */
const CHECK_MS = 15_000
const CHECK_SOON_MS = 1_000
const CHECKED_MAX = 1_000

/** Writes that may end a session. */
const ENDING: ReadonlySet<Topic> = new Set(
  ['session', 'user', 'member', 'group', 'organization'].map((entityType) => `write.${entityType}`),
)

export type LiveOptions = {
  db: Db
  /** Returns the organization of each session that may still be used, by the session's id. */
  findSessions: (sessionIds: string[]) => Promise<Map<string, string>>
  /** Resolves when the pages can read what is committed now. */
  untilReadable?: (() => Promise<void>) | null
  /** Overrides of the default bounds. */
  bounds?: Partial<{ memberStreamsMax: number; processStreamsMax: number; checkMs: number; ageMs: number }>
}

/** Called with the organization of each change, and with null when changes may have been missed. */
export type ChangeListener = (organizationId: string | null, topics: readonly Topic[]) => void

/** The open streams of an organization. */
type Group = {
  streams: Set<LiveStream>
  waiting: Set<Topic>
  timer: NodeJS.Timeout | null
  /** A message waits until the pages can read its changes. */
  isHeld: boolean
}

/**
 * The live updates of one web process: one connection that listens to changes of all organizations, and the streams of
 * the pages that are open.
 */
export class LiveHub {
  readonly #options: LiveOptions
  readonly #groups = new Map<string, Group>()
  readonly #perUser = new Map<string, number>()
  readonly #history = new History(performance.now())
  readonly #listeners = new Set<ChangeListener>()
  #listener: Listener | null = null
  #isLive = false
  #isClosed = false
  #streams = 0
  #checking: NodeJS.Timeout | null = null
  #checkingSoon: NodeJS.Timeout | null = null

  constructor(options: LiveOptions) {
    this.#options = options
  }

  /** The number of open streams. */
  get size(): number {
    return this.#streams
  }

  /**
   * Opens a stream of the topics of the owner's organization. Its first message repeats those of the last `ageMs`. It ends
   * with the signal, with the session, and after some minutes.
   * @throws ApiError `rate_limited`, `service_unavailable`: the page then polls
   */
  open(owner: StreamOwner, ageMs: number, signal: AbortSignal | undefined): AsyncIterable<LiveMessage> {
    const { bounds = {} } = this.#options
    const ofUser = this.#perUser.get(owner.userId) ?? 0
    if (ofUser >= (bounds.memberStreamsMax ?? MEMBER_STREAMS_MAX)) throw new ApiError('rate_limited')
    if (this.#isClosed || this.#streams >= (bounds.processStreamsMax ?? PROCESS_STREAMS_MAX)) throw unavailable()
    withoutRequestBounds(() => this.start())

    const since = performance.now() - ageMs - ANNOUNCEMENT_MAX_MS
    const missed = this.#isLive ? this.#history.since(owner.organizationId, since) : null
    const group = this.#groups.get(owner.organizationId) ?? newGroup()
    const stream: LiveStream = new LiveStream(owner, this.#isLive, missed, () => {
      clearTimeout(aging)
      signal?.removeEventListener('abort', end)
      this.#remove(stream)
    })
    const end = () => stream.end()
    const aging = setTimeout(end, bounds.ageMs ?? AGE_MIN_MS + Math.random() * (AGE_MAX_MS - AGE_MIN_MS)).unref()
    this.#groups.set(owner.organizationId, group)
    group.streams.add(stream)
    this.#perUser.set(owner.userId, ofUser + 1)
    this.#streams++
    signal?.addEventListener('abort', end, { once: true })
    if (signal?.aborted) end()
    return stream
  }

  /** Calls the listener with every change from now on. Returns a call that ends it. */
  subscribe(listener: ChangeListener): () => void {
    this.#listeners.add(listener)
    withoutRequestBounds(() => this.start())
    return () => this.#listeners.delete(listener)
  }

  /** Ends all streams at once and opens no more. */
  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#checking) clearInterval(this.#checking)
    if (this.#checkingSoon) clearTimeout(this.#checkingSoon)
    this.#end(() => true)
    await this.#listener?.close()
  }

  /** Starts to listen; the first stream does it too. */
  start(): void {
    if (this.#listener || this.#isClosed) return
    this.#listener = new Listener({
      target: this.#options.db.$client.pool.options.sessions.target,
      name: 'soundline-live',
      channel: CHANNEL,
      onNotification: (payload) => this.#receive(payload),
      onListening: () => this.#setLive(true),
      onLost: (error) => {
        log.warn({ err: error }, 'live updates are interrupted')
        this.#setLive(false)
      },
    })
    this.#checking = setInterval(() => void this.#check(), this.#options.bounds?.checkMs ?? CHECK_MS).unref()
  }

  #setLive(isLive: boolean): void {
    this.#isLive = isLive
    for (const listener of this.#listeners) listener(null, [])
    if (isLive) this.#history.reset(performance.now())
    for (const group of this.#groups.values()) for (const stream of group.streams) stream.push(null, isLive)
  }

  #receive(payload: string): void {
    const { organizationId, topics } = parsePayload(payload)
    this.#history.add(organizationId, topics, performance.now())
    for (const listener of this.#listeners) listener(organizationId, topics)
    const group = this.#groups.get(organizationId)
    if (!group) return
    for (const topic of topics) group.waiting.add(topic)
    if (!group.timer) this.#send(group)
    if (topics.some((topic) => ENDING.has(topic))) this.#checkSoon()
  }

  /**
   * Sends waiting messages, and later ones after a pause. A page that gets a message before its change is readable
   * would read old data.
   */
  #send(group: Group): void {
    group.timer = null
    if (group.waiting.size === 0 || group.isHeld) return
    const topics = group.waiting
    group.waiting = new Set()
    const push = () => {
      group.isHeld = false
      for (const stream of group.streams) stream.push(topics, this.#isLive)
      group.timer = setTimeout(() => this.#send(group), INTERVAL_MS).unref()
    }
    const { untilReadable } = this.#options
    if (!untilReadable) {
      push()
      return
    }
    group.isHeld = true
    void untilReadable().then(push)
  }

  #remove(stream: LiveStream): void {
    const { organizationId, userId } = stream.owner
    const group = this.#groups.get(organizationId)
    if (!group?.streams.delete(stream)) return
    this.#streams--
    const left = (this.#perUser.get(userId) ?? 1) - 1
    if (left > 0) this.#perUser.set(userId, left)
    else this.#perUser.delete(userId)
    if (group.streams.size > 0) return
    if (group.timer) clearTimeout(group.timer)
    this.#groups.delete(organizationId)
  }

  #end(condition: (owner: StreamOwner) => boolean): void {
    for (const { streams } of [...this.#groups.values()]) {
      for (const stream of [...streams]) if (condition(stream.owner)) stream.end()
    }
  }

  #checkSoon(): void {
    this.#checkingSoon ??= setTimeout(() => {
      this.#checkingSoon = null
      void this.#check()
    }, CHECK_SOON_MS).unref()
  }

  /** Ends the streams whose session has ended or belongs to another organization now. */
  async #check(): Promise<void> {
    const ids = [...new Set([...this.#groups.values()].flatMap(({ streams }) => [...streams]).map(sessionOf))]
    for (let from = 0; from < ids.length; from += CHECKED_MAX) {
      const checked = new Set(ids.slice(from, from + CHECKED_MAX))
      try {
        const found = await this.#options.findSessions([...checked])
        this.#end(({ sessionId, organizationId }) => checked.has(sessionId) && found.get(sessionId) !== organizationId)
      } catch (error) {
        // Without the database no change is announced either.
        log.warn({ err: error }, 'the sessions of live updates were not checked')
      }
    }
  }
}

function sessionOf(stream: LiveStream): string {
  return stream.owner.sessionId
}

function newGroup(): Group {
  return { streams: new Set(), waiting: new Set(), timer: null, isHeld: false }
}
