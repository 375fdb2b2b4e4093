import {
  headerOf,
  type ImportedBody,
  type ImportedRequest,
  type ImportNote,
  isFormType,
  isJsonType,
  JSON_TOKEN,
  type Json,
} from './request.ts'
import { hasVariable, type Split, splitNothing } from './templates.ts'

/**
 * A variable of the service that the script needs. It is a secret with a value that is not kept, or with `isPlain` a
 * variable, whose `value` is missing when the text does not have it.
 */
export type Suggestion = { key: string; from: string; isPlain?: true; value?: string }

export type ImportedScript = { script: string; suggestions: Suggestion[]; notes: ImportNote[] }

const SECRET_NAME =
  /^(authorization|proxy-authorization|auth|pwd|cookie|x-api-key|api-?key|x-csrf-token|.*[-_]?(token|secret|password|passwd|api[-_]?key|access[-_]?key|session[-_]?id))$/i

/** Returns whether what has this name, such as a header or a variable, is likely to be a credential. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name)
}

/** Writes requests as a script. Values that look like secrets become variables, whose keys are none of `taken`. */
export function toScript(requests: ImportedRequest[], taken: readonly string[] = []): ImportedScript {
  const keys = new Keys(taken)
  const notes: ImportNote[] = []
  const calls = requests.map((request, index) => {
    keys.call = index + 1
    for (const { key, from } of request.variables ?? []) keys.add(key, from)
    notes.push(...(request.notes ?? []))
    const isSecret = (name: string) => isSecretName(name) || request.secretNames?.includes(name) === true
    return callOf(request, { keys, isSecret, split: request.split ?? splitNothing, notes })
  })
  return { script: calls.join('\n'), suggestions: keys.suggestions, notes }
}

/** The variables of a script: one for each value, under keys that are free. */
class Keys {
  private readonly used: Set<string>
  private readonly byValue = new Map<string, string>()
  readonly suggestions: Suggestion[] = []
  /** The number of the call that is written. */
  call = 1

  constructor(taken: readonly string[]) {
    // The folder's writer sets these itself.
    this.used = new Set([...taken, 'dollar', 'base'])
  }

  /** Returns the text that names the secret for a value. */
  suggest(name: string, value: string, from: string): string {
    return this.keyFor(keyOf(name), value, (key, isFirst) => {
      // The first one with this name needs no number.
      this.suggestions.push({ key, from: isFirst ? from : `${from} of call ${this.call}` })
    })
  }

  /** Returns the text that names a variable with this value. */
  plain(name: string, value: string): string {
    return this.keyFor(name, value, (key) =>
      this.suggestions.push({ key, from: 'the schema of the response', isPlain: true, value }),
    )
  }

  private keyFor(wanted: string, value: string, add: (key: string, isFirst: boolean) => void): string {
    const identity = `${wanted} ${value}`
    const known = this.byValue.get(identity)
    if (known) return `$s.${known}`
    let key = wanted
    for (let n = 2; this.used.has(key); n++) key = `${wanted}_${n}`
    this.used.add(key)
    this.byValue.set(identity, key)
    add(key, key === wanted)
    return `$s.${key}`
  }

  dollar(): string {
    if (!this.suggestions.some(({ key }) => key === 'dollar')) {
      this.suggestions.push({ key: 'dollar', from: 'a dollar sign: $' })
    }
    return `\${$s.dollar}`
  }

  /** A variable that the texts name themselves. */
  add(key: string, from: string): void {
    if (this.used.has(key)) return
    this.used.add(key)
    this.suggestions.push({ key, from, ...(!isSecretName(key) && { isPlain: true }) })
  }
}

type Writer = { keys: Keys; isSecret: (name: string) => boolean; split: Split; notes: ImportNote[] }

function callOf(request: ImportedRequest, writer: Writer): string {
  const config = configOf(request, writer)
  const options = config.length === 0 ? '' : `, {\n${config.map((line) => `  ${line}`).join(',\n')}\n}`
  const { answerSchema: schema } = request
  const ofBody = schema === undefined ? [] : [`body: schema(${writer.keys.plain('answer_schema', schema)})`]
  const scopes = [`status: ${request.status ?? 200}`, ...ofBody, ...(request.scopes ?? [])].join(', ')
  const call = `${request.method}(${urlOf(request, writer)}${options})\n.expect(${scopes})\n`
  const conditions = (request.conditions ?? [])
    .flatMap(boundsOf)
    .map((condition) => `    ${condition}`)
    .join(',\n')
  return conditions ? `${call}.assert({\n  expect: [\n${conditions}\n  ]\n})\n` : call
}

function configOf(request: ImportedRequest, writer: Writer): string[] {
  const lines: string[] = []
  const headers = writtenHeaders(request, writer)
  if (headers.length > 0) {
    lines.push(`headers: {\n${headers.map((header) => `    ${headerLine(header, writer)}`).join(',\n')}\n  }`)
  }
  if (request.body) lines.push(`body: ${bodyText(request.body, headerOf(headers, 'content-type'), writer)}`)
  if (request.maxRedirects) lines.push(`redirects: { max: ${request.maxRedirects} }`)
  if (request.followsRedirects === false) lines.push('redirects: { follow: false }')
  if (request.acceptsInvalidCertificates) lines.push('security: { rejectInvalidCerts: false }')
  if (request.timeoutMs) lines.push(`timeout: { ms: ${request.timeoutMs} }`)
  return lines
}

/** What `json` and `form` set themselves. */
const OWN_TYPES = { json: 'application/json', form: 'application/x-www-form-urlencoded', text: null }

function writtenHeaders({ headers, body }: ImportedRequest, writer: Writer): [string, string][] {
  const typed: [string, string][] =
    body?.type && headerOf(headers, 'content-type') === '' ? [...headers, ['Content-Type', body.type]] : headers
  return uniqueHeaders(typed, writer.notes).filter(
    ([name, value]) => name.toLowerCase() !== 'content-type' || !body || value.toLowerCase() !== OWN_TYPES[body.kind],
  )
}

/** A script names a header once, so values of a repeated one are joined, which means the same. */
function uniqueHeaders(headers: [string, string][], notes: ImportNote[]): [string, string][] {
  const named = new Map<string, [string, string]>()
  for (const [name, value] of headers) {
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) {
      const why = 'A header cannot have this name.'
      notes.push({ what: `the header ${name.slice(0, 60) || 'without a name'}`, why, todo: 'Check its name.' })
      continue
    }
    const known = named.get(name.toLowerCase())
    if (known) {
      const todo = 'Check that the server accepts the joined values.'
      notes.push({
        what: `the header ${name}, which is given twice`,
        why: 'Its values are joined in one header.',
        todo,
      })
    }
    const separator = /^cookie$/i.test(name) ? '; ' : ', '
    named.set(name.toLowerCase(), known ? [known[0], `${known[1]}${separator}${value}`] : [name, value])
  }
  return [...named.values()]
}

function headerLine([name, value]: [string, string], writer: Writer): string {
  const { keys, split } = writer
  if (value === '' || !writer.isSecret(name) || hasVariable(split, value))
    return `${quoted(name)}: ${quoted(value, writer)}`
  const [matched = '', scheme = ''] = /^(Bearer|Basic|Token|Digest|ApiKey) +(?=\S)/i.exec(value) ?? []
  const key = /^bearer$/i.test(scheme) ? 'token' : name
  const variable = keys.suggest(key, value.slice(matched.length), `the header ${name}`)
  return `${quoted(name)}: "${scheme && `${scheme} `}${variable}"`
}

/** Secrets in the query become variables. The rest stays as it is written. */
function urlOf({ url, isBelowBase }: ImportedRequest, writer: Writer): string {
  const [before = '', query] = splitAt(url, '?')
  const base = `${isBelowBase ? '$s.base' : ''}${escapedUrl(before, writer.split)}`
  if (query === undefined) return `"${base}"`
  const [search = '', hash] = splitAt(query, '#')
  const end = hash === undefined ? '' : `#${escapedUrl(hash, writer.split)}`
  const write = (text: string) => escapedUrl(text, writer.split)
  return `"${base}?${pairsText(search, 'the query parameter', write, writer)}${end}"`
}

/** `a=1&token=2`, with variables for the secrets. */
function pairsText(text: string, what: string, write: (text: string) => string, writer: Writer): string {
  const parts = text.split('&').map((part) => {
    const [name = '', value] = splitAt(part, '=')
    if (!value || !writer.isSecret(name) || hasVariable(writer.split, value)) return write(part)
    return `${write(name)}=\${${writer.keys.suggest(name, value, `${what} ${name}`)}}`
  })
  return parts.join('&')
}

function bodyText(body: ImportedBody, type: string, writer: Writer): string {
  switch (body.kind) {
    case 'text': {
      const write = (text: string) => filled(text, writer)
      if (isFormType(type)) return `"${pairsText(body.text, 'the field', write, writer)}"`
      return isJsonType(type) ? `"${jsonTokens(body.text, writer)}"` : quoted(body.text, writer)
    }
    case 'form':
      return `form(${objectText(body.fields, writer, 1)})`
    case 'json':
      return `json(${jsonText(body.value, writer, 1)})`
  }
}

/** A text of JSON as it is, with variables for the secrets. */
function jsonTokens(text: string, writer: Writer): string {
  const tokens = text.match(JSON_TOKEN) ?? []
  let name = ''
  let last = ''
  const parts: string[] = []
  let plain = ''
  for (const token of tokens) {
    const isText = token.length > 2 && token.startsWith('"')
    if (isText && last === ':' && writer.isSecret(name) && !hasVariable(writer.split, token)) {
      const variable = writer.keys.suggest(name, token, `the field ${name}`)
      parts.push(filled(plain, writer), `\\"\${${variable}}\\"`)
      plain = ''
    } else plain += token
    if (token.trim() === '') continue
    if (token !== ':') name = token.startsWith('"') ? token.slice(1, -1) : ''
    last = token
  }
  return `${parts.join('')}${filled(plain, writer)}`
}

function jsonText(value: Json, writer: Writer, level: number): string {
  if (typeof value === 'string') return quoted(value, writer)
  if (value === null || typeof value !== 'object') return String(value)
  if (!Array.isArray(value)) return objectText(Object.entries(value), writer, level)
  return value.length === 0 ? '[]' : `[${value.map((item) => jsonText(item, writer, level)).join(', ')}]`
}

function objectText(entries: [string, Json][], writer: Writer, level: number): string {
  if (entries.length === 0) return '{}'
  const indent = '  '.repeat(level)
  const lines = entries.map(([name, value]) => {
    const isSecret =
      typeof value === 'string' && value !== '' && writer.isSecret(name) && !hasVariable(writer.split, value)
    const shown = isSecret
      ? `"${writer.keys.suggest(name, value, `the field ${name}`)}"`
      : jsonText(value, writer, level + 1)
    return `${indent}  ${quoted(name)}: ${shown}`
  })
  return `{\n${lines.join(',\n')}\n${indent}}`
}

/** Returns a name for a variable: `X-Api-Key` becomes `x_api_key`. */
function keyOf(name: string): string {
  const key = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 64)
  return /^[a-z_]/.test(key) ? key : 'secret'
}

/**
 * A string literal. The language has no escape for a `$` that looks like a variable, so a variable stands for it. Names of
 * fields are not replaced, so they need no writer.
 */
export function quoted(text: string, writer?: Writer): string {
  return `"${writer ? filled(text, writer) : escaped(text)}"`
}

function filled(text: string, { keys, split }: Writer): string {
  const parts = split(text).map((part) =>
    // A dollar sign at the end may stand before a variable.
    typeof part === 'string'
      ? escaped(part).replaceAll(/\$(?=[A-Za-z_{$]|$)/g, () => keys.dollar())
      : `\${$${part.variable}}`,
  )
  return parts.join('')
}

function escaped(text: string): string {
  const escapes: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }
  return text.replaceAll(/["\\]/g, '\\$&').replaceAll(/[\n\r\t]/g, (char) => escapes[char] as string)
}

/** In a URL, `%24` is the same character as a dollar sign. */
function escapedUrl(text: string, split: Split): string {
  const parts = split(text).map((part) =>
    typeof part === 'string' ? escaped(part.replaceAll('$', '%24')) : `\${$${part.variable}}`,
  )
  return parts.join('')
}

function splitAt(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator)
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)]
}

/** Returns a range of statuses as two conditions: the one that fails shows the actual status, which `and` would not. */
function boundsOf(condition: string): string[] {
  const [, ...bounds] = /^\(*(this\.status gte \d+) and (this\.status lte \d+)\)*$/.exec(condition) ?? []
  return bounds.length > 0 ? bounds : [condition]
}
