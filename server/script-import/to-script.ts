import { headerOf, type ImportedBody, type ImportedRequest, isDeeper, JSON_DEPTH_MAX, type Json } from './request.ts'
import { hasVariable, type Split, splitNothing } from './templates.ts'

/** A value that should be a secret of the service instead of text in the script. The value itself is not kept. */
export type Suggestion = { key: string; from: string }

export type ImportedScript = { script: string; suggestions: Suggestion[] }

const SECRET_NAME =
  /^(authorization|proxy-authorization|auth|pwd|cookie|x-api-key|api-?key|x-csrf-token|.*[-_]?(token|secret|password|passwd|api[-_]?key|access[-_]?key|session[-_]?id))$/i

/** Returns whether what has this name, such as a header or a variable, is likely to be a credential. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name)
}

/** Writes requests as a script. Values that look like secrets become variables, which are suggested. */
export function toScript(requests: ImportedRequest[]): ImportedScript {
  const suggestions = new Map<string, Suggestion>()
  const suggest = (name: string, from: string): string => {
    const key = keyOf(name)
    if (!suggestions.has(key)) suggestions.set(key, { key, from })
    return `$s.${key}`
  }
  const script = requests
    .map((request) => callOf(request, { suggest, split: request.split ?? splitNothing }))
    .join('\n')
  return { script, suggestions: [...suggestions.values()] }
}

/** `suggest` returns the text that names the variable of a secret. */
type Writer = { suggest: (name: string, from: string) => string; split: Split }

function callOf(request: ImportedRequest, writer: Writer): string {
  const config = configOf(request, writer)
  const options = config.length === 0 ? '' : `, {\n${config.map((line) => `  ${line}`).join(',\n')}\n}`
  const scopes = [`status: ${request.status ?? 200}`, ...(request.scopes ?? [])].join(', ')
  const call = `${request.method}(${urlOf(request, writer)}${options})\n.expect(${scopes})\n`
  const conditions = (request.conditions ?? []).map((condition) => `    ${condition}`).join(',\n')
  return conditions ? `${call}.assert({\n  expect: [\n${conditions}\n  ]\n})\n` : call
}

function configOf(request: ImportedRequest, writer: Writer): string[] {
  const lines: string[] = []
  const { body } = request
  const given = headerOf(request.headers, 'content-type')
  // `json` and `form` set their own type. Only another one is written, such as application/vnd.api+json.
  const [implied, type] = !body
    ? ['', given]
    : isObjectBody(body)
      ? [TYPES[body.kind], given]
      : ['', given || typeOf(body)]
  const headers = uniqueHeaders(request.headers).filter(([name]) => name.toLowerCase() !== 'content-type')
  if (type && type.toLowerCase() !== implied) headers.push(['Content-Type', type])
  if (headers.length > 0) {
    lines.push(`headers: {\n${headers.map((header) => `    ${headerLine(header, writer)}`).join(',\n')}\n  }`)
  }
  if (body) lines.push(`body: ${bodyText(body, writer)}`)
  if (request.maxRedirects) lines.push(`redirects: { max: ${request.maxRedirects} }`)
  if (request.followsRedirects === false) lines.push('redirects: { follow: false }')
  if (request.acceptsInvalidCertificates) lines.push('security: { rejectInvalidCerts: false }')
  if (request.timeoutMs) lines.push(`timeout: { ms: ${request.timeoutMs} }`)
  return lines
}

const TYPES: Record<ImportedBody['kind'], string> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  text: '',
}

/** Returns whether the body is written as `json({…})` or `form({…})`. */
function isObjectBody(body: ImportedBody): boolean {
  if (body.kind !== 'json') return body.kind === 'form'
  const { value } = body
  return value !== null && typeof value === 'object' && !Array.isArray(value) && !isDeeper(value, JSON_DEPTH_MAX)
}

function typeOf(body: ImportedBody): string {
  return body.kind === 'text' ? (body.type ?? '') : TYPES[body.kind]
}

/** A header may be named once; the last one wins. Names must be names of HTTP. */
export function uniqueHeaders(headers: [string, string][]): [string, string][] {
  const named = new Map(headers.map(([name, value]) => [name.toLowerCase(), [name, value] as [string, string]]))
  return [...named.values()].filter(([name]) => /^[!#$%&'*+.^_`|~\w-]+$/.test(name))
}

function headerLine([name, value]: [string, string], writer: Writer): string {
  const { suggest, split } = writer
  if (!isSecretName(name) || hasVariable(split, value)) return `${quoted(name)}: ${quoted(value, writer)}`
  const [, scheme = ''] = /^(Bearer|Basic|Token|Digest|ApiKey) +\S/i.exec(value) ?? []
  const variable = suggest(scheme && /^bearer$/i.test(scheme) ? 'token' : name, `the header ${name}`)
  return `${quoted(name)}: "${scheme && `${scheme} `}${variable}"`
}

/** Secrets in the query and before the host become variables. The rest stays as it is written. */
function urlOf({ url, isBelowBase }: ImportedRequest, { suggest, split }: Writer): string {
  const [before = '', query] = splitAt(url, '?')
  const base = `${isBelowBase ? '$s.base' : ''}${escapedUrl(before, split)}`
  if (query === undefined) return `"${base}"`
  const [search = '', hash] = splitAt(query, '#')
  const parts = search.split('&').map((part) => {
    const [name = '', value] = splitAt(part, '=')
    if (!value || !isSecretName(name) || hasVariable(split, value)) return escapedUrl(part, split)
    return `${escapedUrl(name, split)}=\${${suggest(name, `the query parameter ${name}`)}}`
  })
  return `"${base}?${parts.join('&')}${hash === undefined ? '' : `#${escapedUrl(hash, split)}`}"`
}

function bodyText(body: ImportedBody, writer: Writer): string {
  switch (body.kind) {
    case 'text':
      return quoted(body.text, writer)
    case 'form':
      return `form(${objectText(Object.fromEntries(body.fields), writer, 1)})`
    case 'json':
      return isObjectBody(body)
        ? `json(${jsonText(body.value, writer, 1)})`
        : quoted(JSON.stringify(body.value), writer)
  }
}

function jsonText(value: Json, writer: Writer, level: number): string {
  if (typeof value === 'string') return quoted(value, writer)
  if (value === null || typeof value !== 'object') return String(value)
  if (!Array.isArray(value)) return objectText(value, writer, level)
  return value.length === 0 ? '[]' : `[${value.map((item) => jsonText(item, writer, level)).join(', ')}]`
}

function objectText(object: { [key: string]: Json }, writer: Writer, level: number): string {
  const entries = Object.entries(object)
  if (entries.length === 0) return '{}'
  const indent = '  '.repeat(level)
  const lines = entries.map(([name, value]) => {
    const isSecret =
      typeof value === 'string' && value !== '' && isSecretName(name) && !hasVariable(writer.split, value)
    const shown = isSecret ? `"${writer.suggest(name, `the field ${name}`)}"` : jsonText(value, writer, level + 1)
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

function filled(text: string, { suggest, split }: Writer): string {
  const parts = split(text).map((part) =>
    // A dollar sign at the end may stand before a variable.
    typeof part === 'string'
      ? escaped(part).replaceAll(/\$(?=[A-Za-z_{$]|$)/g, () => `\${${suggest('dollar', 'a dollar sign: $')}}`)
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
