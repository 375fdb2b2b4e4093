/** Path and query (without its `?`) of a request target, as they are written. */
export function splitTarget(target: string): { path: string; query: string } {
  const mark = target.indexOf('?')
  return mark < 0 ? { path: target, query: '' } : { path: target.slice(0, mark), query: target.slice(mark + 1) }
}

/** The target of an absolute URL: what follows its host. */
export function targetOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  return start < 0 ? '/' : url.slice(start)
}

/**
 * Whether a path of the public API is written the one way that is accepted: no dot segments, no empty ones and so no
 * slash at the end, and no percent sign, backslash or other character that no path value of ours can hold.
 */
export function isCanonicalPath(path: string): boolean {
  if (!path.startsWith('/') || /[%\\#\u0000-\u0020\u007f-\uffff]/.test(path)) return false
  return path
    .slice(1)
    .split('/')
    .every((segment) => segment !== '' && segment !== '.' && segment !== '..')
}

/** Where a request target leads. */
export type TargetKind = 'api' | 'document' | 'dashboard' | 'health' | 'nowhere' | 'page' | 'malformed'

/**
 * Judges a target before any URL parser tidies it. Whatever is, or by some reading would become, a path under
 * `/api/public` is the API's, which refuses all spellings but one; other paths under `/api` are accepted only as they
 * stand; pages may hold any percent-encoding that can be decoded.
 */
export function classifyTarget(target: string): TargetKind {
  const { path } = splitTarget(target)
  const readings = possibleReadings(path)
  if (readings.some((reading) => /^\/api\/public(\/|$)/i.test(reading))) return 'api'
  if (readings.some((reading) => /^\/api(\/|$)/i.test(reading))) {
    if (!isCanonicalPath(path.replace(/%[0-9a-f]{2}/gi, ''))) return 'nowhere'
    if (/^\/api\/openapi(\/|$)/.test(path)) return 'document'
    if (/^\/api\/(trpc|export)\/./.test(path)) return 'dashboard'
    return path === '/api/health' ? 'health' : 'nowhere'
  }
  return path.startsWith('/') && isDecodable(path) ? 'page' : 'malformed'
}

/** The path as it is written, and as a lenient server would read it: without host, decoded, dots and slashes folded. */
function possibleReadings(path: string): string[] {
  let current = path.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/\\?#]*/i, '')
  const written = [current]
  // Three rounds: nobody decodes more often, and each refusal is only a refusal.
  for (let round = 0; round < 3 && current.includes('%'); round++) {
    current = current.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    written.push(current)
  }
  return written.flatMap((reading) => [reading, withoutDotSegments(reading)])
}

function withoutDotSegments(path: string): string {
  const kept: string[] = []
  for (const segment of path.replaceAll('\\', '/').split('/')) {
    if (segment === '..') kept.pop()
    else if (segment !== '' && segment !== '.') kept.push(segment)
  }
  return `/${kept.join('/')}`
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
