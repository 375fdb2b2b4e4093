import type { WordKind } from './reference.ts'

// What may stand at a position of a script, by the brackets around it. It reads the text only, because a script that is
// being written cannot be parsed.

const OPTION_OBJECTS: Record<string, string[]> = {
  redirects: ['follow', 'max', 'resendBody'],
  security: ['rejectInvalidCerts'],
  timeout: ['ms', 'action', 'retries'],
}
const CONFIG = ['headers', 'body', 'cookies', 'cookieJar', 'clearCookies', 'redirects', 'security', 'timeout']
const METHODS = ['get', 'post', 'put', 'patch', 'delete']
const SCOPE_OBJECTS = ['expect', 'check']

/** An open bracket, and the word before it: `expect(`, `timeout: {`. */
type Opening = { bracket: string; owner: string }

export type ExpectedWords = { kinds: WordKind[] /** Only these names; null allows all. */; only: string[] | null }

/** Returns what may stand after `before`, the text up to the word at the cursor; null inside strings and comments. */
export function expectedWordsAfter(before: string): ExpectedWords | null {
  const scan = openingsOf(before)
  if (scan === null) return null
  const last = before.trimEnd().at(-1)
  const { openings, isValue } = scan
  const inner = openings.at(-1)
  if (!inner) return last === '.' ? all('chain') : all('method')
  const outer = openings.at(-2)
  if (inner.bracket === '(' && METHODS.includes(inner.owner)) return null
  if (inner.bracket === '(' && SCOPE_OBJECTS.includes(inner.owner)) return isValue ? all('value') : all('scope')
  if (inner.bracket === '{' && outer?.bracket === '(' && METHODS.includes(outer.owner)) {
    return isValue ? all('value') : { kinds: ['config'], only: CONFIG }
  }
  const options = inner.bracket === '{' ? OPTION_OBJECTS[inner.owner] : undefined
  if (options && !isValue) return { kinds: ['config'], only: options }
  if (inner.bracket === '{' && outer && SCOPE_OBJECTS.includes(outer.owner) && !isValue) return all('scopeField')
  if (inner.bracket === '[' || isValue) return all('value', 'condition')
  return null
}

function all(...kinds: WordKind[]): ExpectedWords {
  return { kinds, only: null }
}

/** Returns the open brackets, and whether a value is expected there; null inside a string or a comment. */
function openingsOf(text: string): { openings: Opening[]; isValue: boolean } | null {
  const openings: Opening[] = []
  let word = ''
  let isValue = false
  for (let i = 0; i < text.length; i++) {
    const char = text[i] as string
    if (char === '/' && text[i + 1] === '/') {
      const end = text.indexOf('\n', i)
      if (end < 0) return null
      i = end
    } else if (char === '"') {
      const end = endOfString(text, i)
      if (end < 0) return null
      i = end
    } else if (/\w/.test(char)) {
      const [run = char] = /^\w+/.exec(text.slice(i, i + 64)) ?? []
      word = run
      i += run.length - 1
    } else if ('([{'.includes(char)) {
      openings.push({ bracket: char, owner: word })
      ;[word, isValue] = ['', char === '[']
    } else if (')]}'.includes(char)) {
      openings.pop()
      ;[word, isValue] = ['', false]
    } else if (char === ':') isValue = true
    else if (char === ',') [word, isValue] = ['', openings.at(-1)?.bracket === '[']
  }
  return { openings, isValue }
}

function endOfString(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    if (text[i] === '\\') i++
    else if (text[i] === '"') return i
  }
  return -1
}
