import { shouldYield, yieldToEventLoop } from '../../language/lace/event-loop.ts'

/** The node has several children, which are stored in `#branches`. */
const BRANCHES = -1
const CODE_UNITS = 65_536
const STEPS_PER_YIELD_CHECK = 4_096

/**
 * Finds where any of many patterns starts in a text, in one linear pass (Aho-Corasick). The automaton contains the
 * reversed patterns and reads the text backwards, so at each position it knows the longest pattern that starts there.
 * It takes about 14 bytes per character of the patterns.
 */
export class PatternSearch {
  /** Length of the longest pattern, in code units. */
  readonly maxLength: number
  readonly nodes: number
  /** Hashes of the last three code units of all patterns. They rule out most positions of a text. */
  readonly #ends = new Uint8Array(CODE_UNITS)
  /** By node: the code unit that leads to it. */
  readonly #unit: Uint16Array
  /** By node: its only child, 0 or `BRANCHES`. */
  readonly #child: Int32Array
  /** By node: the node of the longest proper suffix (the failure link). */
  readonly #fail: Int32Array
  /** By node: the length of the longest pattern that is a suffix of its string. */
  readonly #found: Uint32Array
  readonly #branches = new Map<number, number>()

  private constructor(patterns: ReadonlySet<string>) {
    let size = 1
    let maxPatternLength = 0
    for (const { length } of patterns) {
      size += length
      maxPatternLength = Math.max(maxPatternLength, length)
    }
    this.maxLength = maxPatternLength
    this.nodes = size
    this.#unit = new Uint16Array(size)
    this.#child = new Int32Array(size)
    this.#fail = new Int32Array(size)
    this.#found = new Uint32Array(size)
  }

  /** Builds the automaton. Each pattern must have at least three characters. */
  static async build(patterns: ReadonlySet<string>): Promise<PatternSearch> {
    const search = new PatternSearch(patterns)
    let nodes = 1
    for (const pattern of patterns) {
      if (shouldYield()) await yieldToEventLoop()
      nodes = search.#insert(pattern, nodes)
    }
    await search.#link(nodes)
    return search
  }

  /**
   * For each of the first `count` positions of a text, writes the length of the longest pattern that starts there to
   * `lengths`. Returns whether there is any.
   */
  findStarts(text: string, count: number, lengths: Uint32Array): boolean {
    let node = 0
    let isFound = false
    for (let i = text.length - 1; i >= 0; i--) {
      if (node === 0 && (i < 2 || this.#ends[hashEnding(text, i)] === 0)) continue
      node = this.#next(node, text.charCodeAt(i))
      const length = this.#found[node]!
      if (length === 0 || i >= count) continue
      lengths[i] = length
      isFound = true
    }
    return isFound
  }

  #insert(pattern: string, nodes: number): number {
    this.#ends[hashEnding(pattern, pattern.length - 1)] = 1
    let node = 0
    let free = nodes
    for (let i = pattern.length - 1; i >= 0; i--) {
      const unit = pattern.charCodeAt(i)
      let child = this.#childOf(node, unit)
      if (child === 0) {
        child = free++
        this.#unit[child] = unit
        this.#attach(node, child)
      }
      node = child
    }
    this.#found[node] = pattern.length
    return free
  }

  #attach(node: number, child: number): void {
    const only = this.#child[node]!
    if (only === 0) {
      this.#child[node] = child
      return
    }
    if (only !== BRANCHES) this.#branches.set(node * CODE_UNITS + this.#unit[only]!, only)
    this.#branches.set(node * CODE_UNITS + this.#unit[child]!, child)
    this.#child[node] = BRANCHES
  }

  #childOf(node: number, unit: number): number {
    const only = this.#child[node]!
    if (only === BRANCHES) return this.#branches.get(node * CODE_UNITS + unit) ?? 0
    return only !== 0 && this.#unit[only] === unit ? only : 0
  }

  #next(node: number, unit: number): number {
    for (let from = node; ; from = this.#fail[from]!) {
      const child = this.#childOf(from, unit)
      if (child !== 0 || from === 0) return child
    }
  }

  /** Sets the failure links breadth first: each depends on the links of nodes nearer to the root. */
  async #link(nodes: number): Promise<void> {
    const childrenByNode = new Map<number, number[]>()
    for (const [key, child] of this.#branches) {
      const parent = Math.floor(key / CODE_UNITS)
      const list = childrenByNode.get(parent)
      if (list) list.push(child)
      else childrenByNode.set(parent, [child])
    }
    const queue = new Int32Array(nodes)
    let end = 1
    for (let at = 0; at < end; at++) {
      if (at % STEPS_PER_YIELD_CHECK === 0 && shouldYield()) await yieldToEventLoop()
      const node = queue[at]!
      const only = this.#child[node]!
      for (const child of only === BRANCHES ? childrenByNode.get(node)! : only === 0 ? [] : [only]) {
        const fail = node === 0 ? 0 : this.#next(this.#fail[node]!, this.#unit[child]!)
        this.#fail[child] = fail
        if (this.#found[child] === 0) this.#found[child] = this.#found[fail]!
        queue[end++] = child
      }
    }
  }
}

/** Returns a hash of the last three code units. Different endings may have the same hash. */
function hashEnding(text: string, last: number): number {
  return (text.charCodeAt(last) ^ (text.charCodeAt(last - 1) << 5) ^ (text.charCodeAt(last - 2) << 10)) & 0xffff
}
