import type { LiveMessage } from '../schemas/live/messages.ts'
import type { Topic } from '../schemas/live/topics.ts'

/** The member and the session on whose behalf a stream is open. */
export type StreamOwner = { organizationId: string; userId: string; sessionId: string }

/** More waiting topics than this become "everything". */
const WAITING_MAX = 200

/**
 * The messages of one page. Topics that the page has not read yet are merged, so a slow reader costs a bounded amount of
 * memory.
 */
export class LiveStream implements AsyncIterableIterator<LiveMessage> {
  readonly owner: StreamOwner
  readonly #onEnd: () => void
  readonly #topics = new Set<Topic>()
  #isEverything = false
  #isLive: boolean
  #hasMessage = true
  #isEnded = false
  #wake: (() => void) | null = null

  /** The first message has the topics of `missed`; null means everything. */
  constructor(owner: StreamOwner, isLive: boolean, missed: readonly Topic[] | null, onEnd: () => void) {
    this.owner = owner
    this.#isLive = isLive
    this.#onEnd = onEnd
    this.#add(missed)
  }

  /** Adds topics to the next message; null means everything. */
  push(topics: Iterable<Topic> | null, isLive: boolean): void {
    this.#add(topics)
    this.#isLive = isLive
    this.#hasMessage = true
    this.#wake?.()
  }

  end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#onEnd()
    this.#wake?.()
  }

  async next(): Promise<IteratorResult<LiveMessage>> {
    while (!this.#isEnded && !this.#hasMessage) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      this.#wake = null
    }
    if (this.#isEnded) return { done: true, value: undefined }
    const value = { isLive: this.#isLive, topics: this.#isEverything ? null : [...this.#topics] }
    this.#topics.clear()
    this.#isEverything = false
    this.#hasMessage = false
    return { done: false, value }
  }

  async return(): Promise<IteratorResult<LiveMessage>> {
    this.end()
    return { done: true, value: undefined }
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #add(topics: Iterable<Topic> | null): void {
    if (topics === null) this.#isEverything = true
    else for (const topic of topics) this.#topics.add(topic)
    if (this.#topics.size <= WAITING_MAX) return
    this.#isEverything = true
    this.#topics.clear()
  }
}
