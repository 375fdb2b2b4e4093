import { posix } from 'node:path'

/** A request target as it came over the wire, before any URL parser normalizes it. `query` is without its `?`. */
export type Target = { path: string; query: string }

/** Returns path and query of a request target. */
export function splitTarget(target: string): Target {
  const mark = target.indexOf('?')
  return mark < 0 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) }
}

/** Returns the target of an absolute URL: the part after its host. */
export function targetOf(url: string): Target {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  return splitTarget(start < 0 ? '/' : url.slice(start))
}

/**
 * Returns whether a path of the public API is in its one accepted form: no dot segments, no empty segments (so no slash
 * at the end), and no percent sign, backslash or other character that no path value of ours can contain.
 */
export function isCanonicalPath(path: string): boolean {
  if (!path.startsWith('/') || /[%\\#\u0000-\u0020\u007f-\uffff]/.test(path)) return false
  return path
    .slice(1)
    .split('/')
    .every((segment) => segment !== '' && segment !== '.' && segment !== '..')
}

/** The files that programs fetch without a key, with their types: packages, and the JSON Schema of monitoring as code. */
export const DOWNLOADS = {
  '/cli.tgz': 'application/gzip',
  '/agent.tgz': 'application/gzip',
  '/soundline.schema.json': 'application/schema+json',
}

/** The part of the product that serves a path. */
export type PathKind =
  | 'api'
  | 'document'
  | 'mcp'
  | 'agent'
  | 'download'
  | 'dashboard'
  | 'health'
  | 'ready'
  | 'metrics'
  | 'unknown'
  | 'page'
  | 'malformed'

/**
 * Returns which part serves a raw path. A path that some server could read as one under `/api/public` goes to the API,
 * which refuses all spellings but one. Other paths under `/api` are accepted only in their canonical form. Pages may
 * contain any percent-encoding that can be decoded.
 */
export function classifyPath(path: string): PathKind {
  const readings = possibleReadings(path)
  if (readings.some((reading) => /^\/api\/public(\/|$)/i.test(reading))) return 'api'
  if (readings.some((reading) => /^\/api(\/|$)/i.test(reading))) {
    if (!isCanonicalPath(path.replace(/%[0-9a-f]{2}/gi, ''))) return 'unknown'
    if (/^\/api\/openapi(\/|$)/.test(path)) return 'document'
    if (/^\/api\/((trpc|export)\/.|unsubscribe$)/.test(path)) return 'dashboard'
    if (path === '/api/mcp') return 'mcp'
    if (path === '/api/ready') return 'ready'
    if (/^\/api\/(metrics$|prometheus\/.)/.test(path)) return 'metrics'
    if (path.startsWith('/api/agent/')) return 'agent'
    return path === '/api/health' ? 'health' : 'unknown'
  }
  if (Object.hasOwn(DOWNLOADS, path)) return 'download'
  return path.startsWith('/') && isDecodable(path) ? 'page' : 'malformed'
}

/** Returns the path as written, and as lenient servers could read it: without host, decoded, dot segments resolved. */
function possibleReadings(path: string): string[] {
  let current = path.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/\\?#]*/i, '')
  const written = [current]
  // Three rounds: no server decodes more often.
  for (let round = 0; round < 3 && current.includes('%'); round++) {
    current = current.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    written.push(current)
  }
  return written.flatMap((reading) => [reading, posix.resolve('/', reading.replaceAll('\\', '/'))])
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
