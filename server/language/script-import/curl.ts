import { applyOption, type CurlOptions, LAXER, LEFT_OUT } from './curl-options.ts'
import {
  basicAuth,
  bodyOf,
  headerOf,
  ImportError,
  type ImportedBody,
  type ImportedRequest,
  type ImportNote,
  methodOf,
  parseUrl,
  withQuery,
  withScheme,
} from './request.ts'
import { keyOfShell, shellCommands, shellVariables, splitWord } from './shell.ts'
import { hasVariable } from './templates.ts'

/** Reads a curl command. @throws ImportError */
export function parseCurl(text: string): ImportedRequest {
  if (/\s\^["']/.test(text)) {
    throw new ImportError('The command is written for the prompt of Windows. Copy it as cURL (bash).')
  }
  const [command, second] = shellCommands(text.trim())
  if (command?.problem) throw new ImportError(command.problem)
  if (!command || second || command.end !== ';') {
    throw new ImportError('Paste one curl command only, without pipes and other commands. Quote a URL that has an &.')
  }
  return requestOfWords(command.words)
}

/** Reads the words of a command, of which the first is `curl`. @throws ImportError */
export function requestOfWords(words: string[]): ImportedRequest {
  const options: CurlOptions = {
    ...{ method: null, urls: [], headers: [], data: null, queries: [], isGet: false, isHead: false, isJson: false },
    ...{ isLiteral: false, user: null, scheme: null, follows: false, redirectsMax: null, fails: false },
    ...{ insecure: false, seconds: null, dropped: [] },
  }
  let onlyUrls = false
  for (let at = 1; at < words.length; at++) {
    const word = words[at] as string
    if (word === '--') onlyUrls = true
    else if (onlyUrls || !word.startsWith('-') || word === '-') options.urls.push(word)
    else at += applyOption(options, word, words[at + 1])
  }
  return requestOf(options, words)
}

function requestOf(options: CurlOptions, words: string[]): ImportedRequest {
  const { isGet, isHead, fails, insecure, redirectsMax } = options
  // With --max-redirs 0, a redirect is a failure.
  const follows = options.follows && redirectsMax !== 0
  if (isHead && !options.method) throw new ImportError('Scripts cannot send HEAD requests.')
  const url = urlOf(options)
  const { headers, body } = contentOf(options)
  const isSent = options.data !== null && !isGet
  // Of a user with variables, the encoded text is one secret.
  const names = [...new Set(words.filter((word) => word !== options.user).flatMap(shellVariables))]
  return {
    method: methodOf(options.method ?? (isSent ? 'post' : 'get')),
    url,
    headers,
    body,
    // With --fail, a status from 400 on is a failure. A redirect that is not followed is no failure, except with a
    // maximum of 0.
    ...(fails && { status: `{ value: ${options.follows && !follows ? 300 : 400}, op: "lt" }` }),
    ...(!follows && { followsRedirects: false }),
    ...(follows && isWithin(redirectsMax, 1, 10) && { maxRedirects: redirectsMax }),
    ...(insecure && { acceptsInvalidCertificates: true }),
    ...(options.seconds && options.seconds > 0 && { timeoutMs: Math.min(60_000, Math.ceil(options.seconds * 1_000)) }),
    split: splitWord,
    variables: names.map((name) => ({ key: keyOfShell(name), from: `the shell's variable $${name}` })),
    notes: notesOf(options),
  }
}

function isWithin(value: number | null, min: number, max: number): value is number {
  return value !== null && value >= min && value <= max
}

function urlOf({ urls, queries, data, isGet, isLiteral }: CurlOptions): string {
  const [first, second] = urls
  if (!first) throw new ImportError('The command has no URL.')
  if (second !== undefined) throw new ImportError('Paste a command with one URL only.')
  const address = /^([a-z][a-z0-9+.-]*:\/\/)?([^/?#]*@)?\[[0-9a-f:.%]+\]/i
  if (!isLiteral && /[{}[\]]/.test(first.replace(address, ''))) {
    throw new ImportError(
      'The URL is a pattern: curl expands its braces and brackets to several URLs. Write one of them.',
    )
  }
  const search = [...(isGet && data ? [data] : []), ...queries].join('&')
  const url = withQuery(withScheme(first, splitWord), search)
  if (hasVariable(splitWord, url)) return url
  const parsed = parseUrl(url)
  if (!parsed) throw new ImportError('The URL cannot be read.')
  return parsed.href
}

/** The headers and the body. curl gives a body a type unless the command has the header. */
function contentOf(options: CurlOptions): { headers: [string, string][]; body: ImportedBody | null } {
  const { data, isGet, isJson, user, scheme } = options
  const headers = options.headers.filter(([, value]) => value !== LEFT_OUT)
  if (user && !scheme && headerOf(headers, 'authorization') === '') {
    const [, name = '', password = ''] = /^([^:]*):?([\s\S]*)$/.exec(user) ?? []
    headers.push(['Authorization', basicAuth(name, password, splitWord)])
  }
  const hasHeader = (wanted: string) => options.headers.some(([name]) => name.toLowerCase() === wanted)
  if (isJson && !hasHeader('accept')) headers.push(['Accept', 'application/json'])
  if (data === null || isGet) return { headers, body: null }
  const ofCurl = isJson ? 'application/json' : 'application/x-www-form-urlencoded'
  const type = hasHeader('content-type') ? headerOf(headers, 'content-type') : ofCurl
  const body: ImportedBody = bodyOf(data, type, splitWord) ?? { kind: 'text', text: '', ...(type && { type }) }
  return { headers, body }
}

function notesOf(options: CurlOptions): ImportNote[] {
  const notes: ImportNote[] = []
  const { fails, scheme, seconds, follows, redirectsMax } = options
  if (!fails) {
    const why = 'Without --fail, curl accepts any status. The script expects 200.'
    notes.push({ what: 'the status', why, todo: 'Change the status if another one is right.' })
  }
  for (const option of new Set(options.dropped)) {
    const why = 'A script has no such option.'
    const isLaxer = LAXER.has(option) ? ({ isLaxer: true } as const) : {}
    notes.push({ what: `the option ${option}`, why, todo: 'Check what it did.', ...isLaxer })
  }
  if (scheme) {
    const why = 'A script does not compute this authorization, so it sends none.'
    notes.push({ what: `the option ${scheme}`, why, todo: 'Send a token or Basic authorization instead.' })
  }
  if (seconds !== null && !(seconds > 0 && seconds <= 60)) {
    const why = seconds > 60 ? 'A call may take 60 seconds.' : 'It is not a number of seconds.'
    notes.push({ what: 'the option --max-time', why, todo: 'Check the timeout.' })
  }
  if (follows && redirectsMax !== null && !isWithin(redirectsMax, 0, 10)) {
    const why = 'A script follows one to ten redirects; this one follows up to ten.'
    notes.push({ what: 'the option --max-redirs', why, todo: 'Check redirects.max.' })
  }
  return notes
}
