/**
 * Compares a value with the template of a vector. In the template, `IGNORED` matches anything, `NON_NULL` anything but
 * null, and `MATCH:/…/` a string that the regular expression matches.
 */
export type DiffOptions = {
  /** Paths such as `calls[*].response.dns`, where `[*]` is any index. */
  ignore: string[]
  /** Paths that are ignored unless the template has a sentinel there. */
  ignoreByDefault: string[]
  /** Headers, in lower case, that the template may leave out. */
  optionalHeaders: string[]
}

/** Returns the differences as `path: expected …, got …`. */
export function differences(expected: unknown, actual: unknown, options: DiffOptions): string[] {
  const found: string[] = []
  compare(expected, actual, '', options, found)
  return found
}

function compare(expected: unknown, actual: unknown, path: string, options: DiffOptions, found: string[]): void {
  if (covers(options.ignore, path) || expected === 'IGNORED') return
  if (typeof expected === 'string' && isSentinel(expected)) {
    if (!matchesSentinel(expected, actual)) found.push(`${path}: expected ${expected}, got ${show(actual)}`)
    return
  }
  if (covers(options.ignoreByDefault, path)) return
  if (Array.isArray(expected) && Array.isArray(actual)) {
    if (expected.length !== actual.length) {
      found.push(`${path}: expected ${expected.length} items, got ${actual.length}: ${show(actual)}`)
    }
    expected.forEach((item, index) => {
      compare(item, actual[index], `${path}[${index}]`, options, found)
    })
    return
  }
  if (isRecord(expected) && isRecord(actual)) {
    compareRecords(expected, actual, path, options, found)
    return
  }
  if (!Object.is(expected, actual)) found.push(`${path || '.'}: expected ${show(expected)}, got ${show(actual)}`)
}

function compareRecords(
  expected: Record<string, unknown>,
  actual: Record<string, unknown>,
  path: string,
  options: DiffOptions,
  found: string[],
): void {
  // Header names are not case-sensitive.
  const headers = path.endsWith('.headers')
  const left = headers ? lowerCased(expected) : expected
  const right = headers ? lowerCased(actual) : actual
  for (const key of new Set([...Object.keys(left), ...Object.keys(right)])) {
    const at = path === '' ? key : `${path}.${key}`
    if (Object.hasOwn(left, key)) compare(left[key], right[key], at, options, found)
    else if (headers && options.optionalHeaders.includes(key)) continue
    else if (!covers(options.ignore, at) && !covers(options.ignoreByDefault, at)) {
      found.push(`${at}: not expected, got ${show(right[key])}`)
    }
  }
}

function covers(patterns: string[], path: string): boolean {
  const general = path.replace(/\[\d+\]/g, '[*]')
  return patterns.some((pattern) => pattern === path || pattern === general)
}

function isSentinel(text: string): boolean {
  return text === 'NON_NULL' || text.startsWith('MATCH:')
}

function matchesSentinel(sentinel: string, actual: unknown): boolean {
  if (sentinel === 'NON_NULL') return actual !== null && actual !== undefined
  const [, pattern, flags] = /^MATCH:\/(.*)\/([a-z]*)$/s.exec(sentinel) ?? []
  return pattern !== undefined && typeof actual === 'string' && new RegExp(pattern, flags).test(actual)
}

function lowerCased(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key.toLowerCase(), value]))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? 'nothing').slice(0, 300)
}
