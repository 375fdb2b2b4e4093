import { hasVariable, type Split, splitNothing, startsWithVariable } from './templates.ts'

// A request that was read from a curl command, a HAR file or an OpenAPI document.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** `type` is the content type that is sent with the body, unless the request has a header for it. */
export type ImportedBody = { type?: string } & (
  | { kind: 'json'; value: { [key: string]: Json } }
  | { kind: 'form'; fields: [name: string, value: string][] }
  | { kind: 'text'; text: string }
)

/** What an import dropped, changed or guessed, why, and what to do. `isLaxer`: without it, less is a failure. */
export type ImportNote = { what: string; why: string; todo: string; isLaxer?: true }

export type ImportedRequest = {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  url: string
  /** The URL is a path, and the variable `base` of the service precedes it. */
  isBelowBase?: boolean
  headers: [name: string, value: string][]
  body: ImportedBody | null
  /** The status to expect, or the value of the scope as it is written in a script. Default 200. */
  status?: number | string
  /** Further scopes to expect, as they are written in a script, such as `totalDelayMs: 500`. */
  scopes?: string[]
  /** A JSON Schema that the response body must match, as JSON. */
  answerSchema?: string
  /** Conditions that must be true, as they are written in a script. */
  conditions?: string[]
  followsRedirects?: boolean
  maxRedirects?: number
  acceptsInvalidCertificates?: boolean
  timeoutMs?: number
  /** Finds the variables in the texts; without it, they have none. */
  split?: Split
  /** Variables of the service that the texts name, and whose values are not known. */
  variables?: { key: string; from: string }[]
  /** Names of headers, query parameters and fields that hold credentials, whatever they are called. */
  secretNames?: string[]
  notes?: ImportNote[]
}

/** Why a text cannot be imported, as a sentence for the reader. */
export class ImportError extends Error {}

/** The most characters of a pasted text. */
export const IMPORT_MAX = 2_000_000
/** The most requests of one import. */
export const REQUESTS_MAX = 50

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const

/** @throws ImportError for a method that scripts do not have */
export function methodOf(name: string): ImportedRequest['method'] {
  const method = METHODS.find((one) => one === name.toLowerCase())
  if (!method) throw new ImportError(`Scripts cannot send ${name.toUpperCase().slice(0, 20)} requests.`)
  return method
}

/** Beyond this depth, a JSON body is sent as text. */
export const JSON_DEPTH_MAX = 20

/** Stops at the depth, so that a deep value cannot exhaust the stack. */
export function isDeeper(value: Json, depth: number): boolean {
  if (value === null || typeof value !== 'object') return false
  return depth === 0 || Object.values(value).some((member) => isDeeper(member, depth - 1))
}

/**
 * Reads a body by its content type: JSON and forms as such when a script sends the same ones, everything else as the text
 * that it is.
 */
export function bodyOf(text: string, contentType: string, split: Split = splitNothing): ImportedBody | null {
  if (text === '') return null
  const type = contentType ? { type: contentType } : {}
  if (isJsonType(contentType)) {
    const value = exactJson(text, split)
    if (value !== undefined) return { ...type, kind: 'json', value }
  }
  if (isFormType(contentType)) {
    const fields = exactForm(text)
    if (fields) return { ...type, kind: 'form', fields }
  }
  return { ...type, kind: 'text', text }
}

export function isJsonType(contentType: string): boolean {
  return /^[^;]*[/+]json\s*(;|$)/i.test(contentType)
}

export function isFormType(contentType: string): boolean {
  return /^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType)
}

/** The tokens of JSON: strings, punctuation, and other characters in a row. */
export const JSON_TOKEN = /"(?:[^"\\]|\\[\s\S])*"|[{}[\],:]|[^\s"{}[\],:]+|\s+|"/g

/** The object of a JSON text; undefined when a script that writes it anew would send another one, or another number. */
function exactJson(text: string, split: Split): { [key: string]: Json } | undefined {
  try {
    const value: Json = JSON.parse(text)
    if (value === null || typeof value !== 'object' || Array.isArray(value) || isDeeper(value, JSON_DEPTH_MAX)) return
    const tokens = (text.match(JSON_TOKEN) ?? []).filter((token) => token.trim() !== '')
    const isPlain = tokens.every((token, at) =>
      token.startsWith('"')
        ? tokens[at + 1] !== ':' || !hasVariable(split, token)
        : !/\d/.test(token) || /^-?\d+(\.\d+)?$/.test(token),
    )
    const same = tokens.map((token) => (token.startsWith('"') ? JSON.stringify(JSON.parse(token)) : token)).join('')
    // A script has no NUL and no half of a surrogate pair.
    if (isPlain && same === JSON.stringify(value) && !/\\u(0000|d[89a-f])/i.test(same)) return value
  } catch {
    // It stays a text.
  }
}

/** The fields of a form, when the form of a script has the same bytes. */
function exactForm(text: string): [string, string][] | null {
  const pairs = new URLSearchParams(text)
  const names = [...pairs.keys()]
  // An object has names that are numbers first.
  const isOrdered = new Set(names).size === names.length && !names.some((name) => /^\d+$/.test(name))
  return isOrdered && pairs.toString() === text ? [...pairs] : null
}

/** A form of these fields. Where one occurs twice, it is a text. */
export function formBody(fields: [string, string][], split: Split = splitNothing): ImportedBody {
  const names = fields.map(([name]) => name)
  if (new Set(names).size === names.length && !names.some((name) => hasVariable(split, name))) {
    return { kind: 'form', fields }
  }
  const text = fields.map(([name, value]) => `${encodedText(name, split)}=${encodedText(value, split)}`).join('&')
  return { kind: 'text', text, type: 'application/x-www-form-urlencoded' }
}

/** Encodes for a query or a form. Variables stay. Half of a surrogate pair becomes U+FFFD, as in a URL. */
export function encodedText(text: string, split: Split = splitNothing): string {
  const encoded = (part: string) =>
    encodeURIComponent(part.toWellFormed()).replaceAll(
      /[!'()*]/g,
      (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
    )
  return split(text)
    .map((part) => (typeof part === 'string' ? encoded(part) : part.source))
    .join('')
}

/** Adds to the query of a URL that may have variables. */
export function withQuery(url: string, query: string): string {
  if (query === '') return url
  const [, before = '', hash = ''] = /^([^#]*)(#.*)?$/s.exec(url) ?? []
  return `${before}${before.includes('?') ? '&' : '?'}${query}${hash}`
}

/** The URL with a scheme: in `localhost:8080/x`, the first part is a host. @throws ImportError for other protocols */
export function withScheme(url: string, split: Split = splitNothing): string {
  const [, scheme] = /^([a-z][a-z0-9+.-]*):\/\//i.exec(url) ?? []
  if (scheme && !/^https?$/i.test(scheme)) throw new ImportError(`Scripts probe over HTTP, not over ${scheme}.`)
  return scheme || startsWithVariable(split, url) ? url : `http://${url}`
}

/** Moves a user and a password of the URL to a header, as clients do, so that they become a variable. */
export function withoutUserinfo(request: ImportedRequest): ImportedRequest {
  const [, scheme = '', userinfo, rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)@(.*)$/is.exec(request.url) ?? []
  if (userinfo === undefined) return request
  const at = userinfo.indexOf(':')
  const user = at < 0 ? userinfo : userinfo.slice(0, at)
  const basic = basicAuth(decoded(user), at < 0 ? '' : decoded(userinfo.slice(at + 1)), request.split)
  const isGiven = userinfo === '' || headerOf(request.headers, 'authorization') !== ''
  const headers: [string, string][] = isGiven ? request.headers : [...request.headers, ['Authorization', basic]]
  return { ...request, url: `${scheme}${rest}`, headers }
}

/** Stands for a user and a password that cannot be encoded here, because they are variables: the secret's value is the encoded text. */
export const UNKNOWN_BASIC = 'Basic secret'

/** The value of the header. */
export function basicAuth(user: string, password: string, split: Split = splitNothing): string {
  const text = `${user}:${password}`
  if (hasVariable(split, text)) return UNKNOWN_BASIC
  return `Basic ${btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''))}`
}

/** `URL.parse`, which the oldest Node that the command line runs on does not have. */
export function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

export function headerOf(headers: [string, string][], wanted: string): string {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? ''
}
