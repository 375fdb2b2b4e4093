/** A queue in which callers take turns: a caller with many items does not delay the others. */
export class RoundRobinQueue<T> {
  readonly #lines = new Map<string, Set<T>>()
  #length = 0

  get length(): number {
    return this.#length
  }

  /** Returns how many items come before the caller's next item. */
  aheadOf(caller: string): number {
    const own = this.#lines.get(caller)?.size ?? 0
    let ahead = own
    for (const [other, line] of this.#lines) if (other !== caller) ahead += Math.min(line.size, own + 1)
    return ahead
  }

  push(caller: string, item: T): void {
    const line = this.#lines.get(caller)
    if (line) line.add(item)
    else this.#lines.set(caller, new Set([item]))
    this.#length++
  }

  /** Removes and returns the oldest item of the caller whose turn it is. */
  shift(): T | undefined {
    const [next] = this.#lines
    if (!next) return undefined
    const [caller, line] = next
    const [item] = line
    this.remove(caller, item as T)
    // The caller moves to the end of the round.
    if (this.#lines.delete(caller)) this.#lines.set(caller, line)
    return item
  }

  remove(caller: string, item: T): void {
    const line = this.#lines.get(caller)
    if (!line?.delete(item)) return
    this.#length--
    if (line.size === 0) this.#lines.delete(caller)
  }
}
