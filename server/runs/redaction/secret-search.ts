import { createHash } from 'node:crypto'
import { FairQueue } from '../../fairness/fair-queue.ts'
import { shouldYield, yieldToEventLoop } from '../../language/lace/event-loop.ts'
import { PatternSearch } from './pattern-search.ts'
import { spellings } from './secret-spellings.ts'

/** The spellings of a run's secrets are too long to be searched for. */
export class TooManySecrets extends Error {
  override readonly name = 'TooManySecrets'
}

export type SearchUnit = 'text' | 'bytes'

/** Total length of all spellings of a run's secrets, in bytes. An automaton takes about 14 bytes for each. */
const MAX_PATTERN_BYTES = 4_000_000
/** Size of the cache of automata. The least recently used one is dropped first. */
const MAX_CACHED_NODES = 4_000_000

const cache = new Map<string, PatternSearch>()
let cachedNodes = 0
/**
 * Automata are built one at a time, because many at once would take too much memory. Organizations take turns, because
 * building one for the longest secrets takes a second.
 */
const buildQueue = new FairQueue(1)

/**
 * Returns a search for all spellings of the secrets; null when there are none. With `bytes`, each character of the text
 * is a byte of UTF-8. `owner` is the run's organization.
 *
 * @throws TooManySecrets when the spellings are too long
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
  const cached = getCached(key)
  if (cached) return cached
  const release = await buildQueue.acquire({ organizationId: owner })
  try {
    // Another run with the same secrets may have built it during the wait.
    const built = getCached(key) ?? (await build(secrets, kind))
    if (built) addToCache(key, built)
    return built
  } finally {
    release()
  }
}

function getCached(key: string): PatternSearch | null {
  const cached = cache.get(key)
  if (!cached) return null
  cache.delete(key)
  cache.set(key, cached)
  return cached
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
        throw new TooManySecrets('the secrets of the service are too long, added up, to be masked in its results')
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

/** Returns the UTF-8 bytes of a string as one character each. */
export function asBytes(text: string): string {
  return Buffer.from(text).toString('latin1')
}
