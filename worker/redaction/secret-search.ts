import { createHash } from 'node:crypto'
import { shouldYield, yieldToEventLoop } from '#server/lace/event-loop.ts'
import { FairQueue } from '../fairness/fair-queue.ts'
import { PatternSearch } from './pattern-search.ts'
import { spellings } from './secret-spellings.ts'

/** The secrets of a run are spelled in so many characters that they cannot be looked for. */
export class TooManySecrets extends Error {
  override readonly name = 'TooManySecrets'
}

export type SearchUnit = 'text' | 'bytes'

/** Of all spellings of all secrets of a run, in bytes. An automaton takes some 14 bytes for each. */
const MAX_PATTERN_BYTES = 4_000_000
/** Of the automata that are kept for the next runs, those used longest ago make room for others. */
const MAX_CACHED_NODES = 4_000_000

const cache = new Map<string, PatternSearch>()
let cachedNodes = 0
/**
 * Automata are built one after the other: it takes memory that many at once would multiply. Organizations take turns,
 * since those of the longest secrets take a second each.
 */
const buildQueue = new FairQueue(1)

/**
 * Finds every spelling of the secrets; null when there is nothing to be found. For `bytes`, the characters of the text
 * are the bytes of UTF-8. `owner` is the organization whose run it is.
 *
 * Throws `TooManySecrets` when the spellings are too long.
 */
export async function secretSearch(
  secrets: readonly string[],
  kind: SearchUnit,
  owner: string,
): Promise<PatternSearch | null> {
  if (secrets.length === 0) return null
  const key = createHash('sha256')
    .update(JSON.stringify([kind, ...secrets]))
    .digest('base64url')
  const known = getCached(key)
  if (known) return known
  const giveBack = await buildQueue.acquire({ organizationId: owner, isSlow: false }, { signal: null })
  try {
    // Another run of the same secrets may have built it meanwhile.
    const built = getCached(key) ?? (await build(secrets, kind))
    if (built) addToCache(key, built)
    return built
  } finally {
    giveBack()
  }
}

function getCached(key: string): PatternSearch | null {
  const known = cache.get(key)
  if (!known) return null
  cache.delete(key)
  cache.set(key, known)
  return known
}

async function build(secrets: readonly string[], kind: SearchUnit): Promise<PatternSearch | null> {
  const patterns = new Set<string>()
  let characters = 0
  for (const secret of secrets) {
    for (const spelling of spellings(secret)) {
      if (shouldYield()) await yieldToEventLoop()
      const pattern = kind === 'bytes' ? asBytes(spelling) : spelling
      if (patterns.has(pattern)) continue
      patterns.add(pattern)
      characters += kind === 'bytes' ? pattern.length : Buffer.byteLength(pattern)
      if (characters > MAX_PATTERN_BYTES) {
        throw new TooManySecrets('the secrets that the service can read are too long, all together, to be kept secret')
      }
    }
  }
  return patterns.size === 0 ? null : PatternSearch.build(patterns)
}

function addToCache(key: string, search: PatternSearch): void {
  if (cache.has(key)) return
  cache.set(key, search)
  cachedNodes += search.nodes
  for (const [oldest, { nodes }] of cache) {
    if (cachedNodes <= MAX_CACHED_NODES) return
    cache.delete(oldest)
    cachedNodes -= nodes
  }
}

/** The bytes of a text in UTF-8 as characters of one byte each. */
export function asBytes(text: string): string {
  return Buffer.from(text).toString('latin1')
}
