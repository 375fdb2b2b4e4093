import { parse } from 'shell-quote'
import { basicAuth, bodyOf, headerOf, ImportError, type ImportedRequest, methodOf } from './request.ts'

type Options = {
  method: string | null
  urls: string[]
  headers: [string, string][]
  data: string[]
  isForm: boolean
  isGet: boolean
  isHead: boolean
  isJson: boolean
  user: string | null
  insecure: boolean
  seconds: number | null
}

/** What an option of curl does with its value. */
const WITH_VALUE: Record<string, (options: Options, value: string) => void> = {
  '--request': (options, value) => {
    options.method = value
  },
  '--url': (options, value) => void options.urls.push(value),
  '--header': addHeader,
  '--data': (options, value) => void options.data.push(fileless(value).replaceAll(/[\r\n]/g, '')),
  '--data-ascii': (options, value) => void options.data.push(fileless(value).replaceAll(/[\r\n]/g, '')),
  '--data-binary': (options, value) => void options.data.push(fileless(value)),
  '--data-raw': (options, value) => void options.data.push(value),
  '--data-urlencode': (options, value) => void options.data.push(encodedField(value)),
  '--json': (options, value) => {
    options.isJson = true
    options.data.push(fileless(value))
  },
  '--user': (options, value) => {
    options.user = value
  },
  '--user-agent': (options, value) => void options.headers.push(['User-Agent', value]),
  '--referer': (options, value) => void options.headers.push(['Referer', value]),
  '--cookie': (options, value) => void options.headers.push(['Cookie', value]),
  '--max-time': (options, value) => {
    options.seconds = Number(value)
  },
  '--form': () => {
    throw new ImportError('Scripts cannot send multipart forms (-F).')
  },
}

const FLAGS: Record<string, (options: Options) => void> = {
  '--get': (options) => {
    options.isGet = true
  },
  '--head': (options) => {
    options.isHead = true
  },
  '--insecure': (options) => {
    options.insecure = true
  },
}

const SHORT: Record<string, string> = {
  ...{ X: '--request', H: '--header', d: '--data', u: '--user', A: '--user-agent', e: '--referer', b: '--cookie' },
  ...{ m: '--max-time', F: '--form', G: '--get', I: '--head', k: '--insecure' },
}

/** Options with a value that changes nothing in a script, so that the value is not taken for the URL. */
const IGNORED_WITH_VALUE = new Set([
  ...['-o', '--output', '-w', '--write-out', '--connect-timeout', '--retry', '--retry-delay', '--cacert', '--resolve'],
  ...['-c', '--cookie-jar', '--max-redirs', '-x', '--proxy', '--ciphers', '--limit-rate', '--max-filesize'],
])

/** Reads a curl command. @throws ImportError */
export function parseCurl(text: string): ImportedRequest {
  const words = wordsOf(text)
  if (words[0] !== 'curl') throw new ImportError('The command must start with curl.')
  const options: Options = {
    ...{ method: null, urls: [], headers: [], data: [], isForm: false, isGet: false, isHead: false, isJson: false },
    ...{ user: null, insecure: false, seconds: null },
  }
  for (let i = 1; i < words.length; i++) i += apply(options, words[i] as string, words[i + 1])
  return requestOf(options)
}

/** Splits by the rules of a shell. A line that ends with a backslash goes on. Variables stay as they are written. */
function wordsOf(text: string): string[] {
  const lines = text.trim().replaceAll(/\\\r?\n/g, ' ')
  const bashed = lines.replaceAll(/\$'((?:[^'\\]|\\.)*)'/g, (_, inner: string) => singleQuoted(unescaped(inner)))
  const parsed = parse(bashed, (name) => `\${${name}}`)
  return parsed.map((entry) => {
    if (typeof entry === 'string') return entry
    if ('pattern' in entry) return entry.pattern
    throw new ImportError('Paste one curl command only, without pipes and other commands.')
  })
}

/** The escapes of `$'…'`, in which browsers copy a command. */
function unescaped(text: string): string {
  const known: Record<string, string> = { n: '\n', r: '\r', t: '\t' }
  return text.replaceAll(/\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)/gs, (_, code: string) =>
    /^[ux]./.test(code) ? String.fromCharCode(Number.parseInt(code.slice(1), 16)) : (known[code] ?? code),
  )
}

function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", `'"'"'`)}'`
}

/** Returns how many further words the option takes. */
function apply(options: Options, word: string, next: string | undefined): 0 | 1 {
  if (!word.startsWith('-') || word === '-') {
    options.urls.push(word)
    return 0
  }
  if (IGNORED_WITH_VALUE.has(word)) return 1
  const [long = '', attached] = word.startsWith('--')
    ? splitOnce(word, '=')
    : [SHORT[word[1] ?? ''] ?? '', word.slice(2)]
  const withValue = WITH_VALUE[long]
  if (withValue) {
    const value = attached ? attached : next
    if (value === undefined) throw new ImportError(`The option ${word.slice(0, 40)} needs a value.`)
    withValue(options, value)
    return attached ? 0 : 1
  }
  FLAGS[long]?.(options)
  // `-sSL`: several flags in one word.
  if (!word.startsWith('--') && word.length > 2) return apply(options, `-${word.slice(2)}`, next)
  return 0
}

function addHeader(options: Options, value: string): void {
  const [name, text = ''] = splitOnce(value, ':')
  if (name?.trim() && text.trim()) options.headers.push([name.trim(), text.trim()])
}

function requestOf(options: Options): ImportedRequest {
  const [first, second] = options.urls
  if (!first) throw new ImportError('The command has no URL.')
  if (second) throw new ImportError('Paste a command with one URL only.')
  if (options.isHead && !options.method) throw new ImportError('Scripts have no HEAD requests.')
  const headers = [...options.headers]
  const data = options.data.join('&')
  const url = new URL(/^[a-z][a-z0-9+.-]*:/i.test(first) ? first : `http://${first}`)
  const [user = '', password = ''] = splitOnce(options.user ?? '', ':')
  if (options.user) headers.push(['Authorization', basicAuth(user, password)])
  if (options.isGet && data) url.search = url.search ? `${url.search}&${data}` : data
  const isSent = data !== '' && !options.isGet
  const type =
    headerOf(headers, 'content-type') || (options.isJson ? 'application/json' : 'application/x-www-form-urlencoded')
  const body = isSent ? bodyOf(data, type) : null
  if (body?.kind === 'text' && headerOf(headers, 'content-type') === '') headers.push(['Content-Type', type])
  return {
    method: methodOf(options.method ?? (isSent ? 'post' : 'get')),
    url: url.href,
    headers,
    body,
    ...(options.insecure && { acceptsInvalidCertificates: true }),
    ...(options.seconds && options.seconds > 0 && { timeoutMs: Math.min(60_000, Math.ceil(options.seconds * 1_000)) }),
  }
}

function fileless(value: string): string {
  if (value.startsWith('@')) throw new ImportError('The command reads its body from a file. Paste the body instead.')
  return value
}

function encodedField(value: string): string {
  const [name, text] = splitOnce(value, '=')
  return text === undefined ? encodeURIComponent(value) : `${name}${name ? '=' : ''}${encodeURIComponent(text)}`
}

function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)]
}
