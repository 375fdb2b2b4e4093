import type { Connection } from './connection.ts'

/** Each waits for those before it, about 0.1 ms for each. */
const SHARED_MAX = 8
/** A statement that takes longer delays none that are sent later. So all of them also have almost the same deadline. */
const OPEN_MS = 20

/**
 * One connection for short statements of several requests, each a transaction of its own. They are sent without waiting
 * for each other, so those of one turn of the event loop go out in one write. The server executes them one after another:
 * it wakes up once for all, and requests of one key do not wait for each other's lock on the row of its rate limit. With 16
 * requests at a time, an admission takes half of the CPU time on both sides.
 */
export class Pipeline {
  readonly #connection: Connection
  readonly #onEnd: () => void
  readonly #openUntil = performance.now() + OPEN_MS
  #joined = 0
  #running = 0

  /** `onEnd` is called once nothing runs any more: then the connection is free, and nothing may join. */
  constructor(connection: Connection, onEnd: () => void) {
    this.#connection = connection
    this.#onEnd = onEnd
  }

  /** Whether another request may join. */
  get isOpen(): boolean {
    const { isLost, mustClose } = this.#connection
    return this.#joined < SHARED_MAX && !isLost && !mustClose && performance.now() < this.#openUntil
  }

  async run<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    this.#joined++
    this.#running++
    try {
      return await work(this.#connection)
    } finally {
      if (--this.#running === 0) this.#onEnd()
    }
  }
}
