import { hasVariable, type Split, splitNothing } from './templates.ts'

// A request that was read from a curl command, a HAR file or an OpenAPI document.

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export type ImportedBody =
  | { kind: 'json'; value: Json }
  | { kind: 'form'; fields: [name: string, value: string][] }
  /** `type` is the content type, if a header of the request does not name one. */
  | { kind: 'text'; text: string; type?: string }

export type ImportedRequest = {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  url: string
  /** The URL is a path, and the variable `base` of the service stands before it. */
  isBelowBase?: boolean
  headers: [name: string, value: string][]
  body: ImportedBody | null
  /** The status to expect, or the value of the scope as it is written in a script. Default 200. */
  status?: number | string
  /** Further scopes to expect, as they are written in a script, such as `totalDelayMs: 500`. */
  scopes?: string[]
  /** Conditions that must be true, as they are written in a script. */
  conditions?: string[]
  followsRedirects?: boolean
  maxRedirects?: number
  acceptsInvalidCertificates?: boolean
  timeoutMs?: number
  /** Finds the variables in the texts; without it, they have none. */
  split?: Split
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
  if (!method) throw new ImportError(`Scripts have no ${name.toUpperCase().slice(0, 20)} requests.`)
  return method
}

/** Beyond this depth, a JSON body is sent as text. */
export const JSON_DEPTH_MAX = 20

/** Stops at the depth, so that a deep value cannot exhaust the stack. */
export function isDeeper(value: Json, depth: number): boolean {
  if (value === null || typeof value !== 'object') return false
  return depth === 0 || Object.values(value).some((member) => isDeeper(member, depth - 1))
}

/** Reads a body by its content type: JSON and forms as such, everything else as text. */
export function bodyOf(text: string, contentType: string): ImportedBody | null {
  if (text === '') return null
  const asText: ImportedBody = { kind: 'text', text, ...(contentType !== '' && { type: contentType }) }
  if (/\bjson\b/i.test(contentType)) {
    try {
      const value: Json = JSON.parse(text)
      return isDeeper(value, JSON_DEPTH_MAX) || hasOtherNumber(text) ? asText : { kind: 'json', value }
    } catch {
      return asText
    }
  }
  if (/x-www-form-urlencoded/i.test(contentType)) return formOf(text, asText)
  return asText
}

/** Returns whether JSON has a number that would lose digits, such as one beyond 2^53. */
function hasOtherNumber(json: string): boolean {
  const numbers = json.replaceAll(/"(?:[^"\\]|\\.)*"/g, '').match(/-?\d[\d.eE+-]*/g) ?? []
  return numbers.some((number) => number.length > 15 && String(Number(number)) !== number)
}

/** A field that occurs twice cannot be written as a form. */
function formOf(text: string, asText: ImportedBody): ImportedBody {
  const fields = [...new URLSearchParams(text)]
  const isUnique = new Set(fields.map(([name]) => name)).size === fields.length
  return isUnique ? { kind: 'form', fields } : asText
}

/** Moves a user and a password of the URL to a header, as clients do, so that they become a variable. */
export function withoutUserinfo(request: ImportedRequest): ImportedRequest {
  const url = parseUrl(request.url)
  if (!url || (url.username === '' && url.password === '')) return request
  const { split = splitNothing } = request
  const basic = basicAuth(decoded(url.username), decoded(url.password), split)
  url.username = ''
  url.password = ''
  const isGiven = headerOf(request.headers, 'authorization') !== ''
  const headers: [string, string][] = isGiven ? request.headers : [...request.headers, ['Authorization', basic]]
  // The parsed URL has the braces of variables escaped.
  const rest = hasVariable(split, request.url) ? request.url.replace(/^([^/]+\/\/)[^/?#]*@/, '$1') : url.href
  return { ...request, url: rest, headers }
}

/** The value of the header. With a variable in it, the text cannot be encoded here: the secret's value is the encoded text. */
export function basicAuth(user: string, password: string, split: Split = splitNothing): string {
  const text = `${user}:${password}`
  if (hasVariable(split, text)) return 'Basic secret'
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
