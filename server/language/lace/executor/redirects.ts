import { type ResolvedRequest, requireHeadersWithin } from '../evaluation/request.ts'
import { MAX_URL_LENGTH } from '../request-limits.ts'
import type { HopCertificate, Timings, Transport, TransportResponse } from '../transport.ts'
import { TransportError } from '../transport.ts'
import { CallError } from '../values/limits.ts'
import type { RunJar } from './cookie-jar.ts'
import { escapeBytes } from './header-bytes.ts'

export type FollowOptions = {
  transport: Transport
  jar: RunJar
  follow: boolean
  maxRedirects: number
  rejectInvalidCerts: boolean
  /** Whether a body may be resent to another origin. */
  resendBody: boolean
  /** Returns the milliseconds that remain for all hops together. */
  remaining: () => number
  /** Called with the milliseconds that a hop waited for a connection. */
  onWaited: (ms: number) => void
  signal: AbortSignal | null
  /** Headers of every hop in addition to the request's. They hold nothing that `checkHop` must see. */
  addedHeaders: [name: string, value: string][]
  warn: (warning: string) => void
  /** Called for each hop over TLS, with the certificate that expires first of its chain. */
  onCertificate: ((certificate: HopCertificate) => void) | null
  /** Called before each hop; a string refuses the hop and is the reason. */
  checkHop: ((hop: OutgoingHop) => Promise<string | null>) | null
}

/** The request of a hop, cookies included. */
export type OutgoingHop = {
  /** 0 for the first request, then 1 for the first redirect, and so on. */
  hop: number
  /** The URL before parsing, as the script or the `Location` header writes it. */
  rawUrl: string
  url: URL
  headers: readonly [name: string, value: string][]
  body: Buffer | null
}

/** The requests that were sent. Filled hop by hop, so that it is complete after a failure too. */
export type Trace = {
  /** Headers of the first request, cookies included. */
  headers: [name: string, value: string][]
  /** URLs that redirects led to. */
  redirects: string[]
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** Headers that are sent to another origin too: they cannot carry a credential. */
const CROSS_ORIGIN_HEADERS = new Set([
  'accept',
  'accept-language',
  'cache-control',
  'content-type',
  'pragma',
  'user-agent',
])
const BODY_HEADERS = new Set(['content-type', 'content-encoding', 'content-language', 'content-location'])

/**
 * Sends a request and follows redirects as browsers do: after 303, and after 301 or 302 on a POST, the next hop is a
 * GET without a body. A redirect to another origin drops the call's cookies and all headers that may carry a
 * credential, for all later hops. A body is resent to another origin only with `resendBody`, and never from https to
 * http.
 *
 * @throws TransportError when a hop fails
 * @throws CallError when a redirect cannot be followed
 */
export async function sendAndFollow(
  request: ResolvedRequest,
  trace: Trace,
  options: FollowOptions,
): Promise<TransportResponse> {
  const { jar, transport } = options
  let url = parseUrl(request.url)
  let { method, headers, cookies, body } = request
  let timings = ZERO_TIMINGS
  let rawUrl = request.url
  for (;;) {
    const own = withCookies(headers, await jar.cookiesFor(url), cookies)
    requireHeadersWithin(own)
    const sent = [...own, ...options.addedHeaders]
    if (trace.redirects.length === 0) trace.headers = sent
    const refusal = await options.checkHop?.({ hop: trace.redirects.length, rawUrl, url, headers: own, body })
    if (refusal) throw new CallError(refusal)
    const timeoutMs = options.remaining()
    if (timeoutMs <= 0) throw new TransportError('timeout', timeUsedUp(trace.redirects.length))
    const { rejectInvalidCerts, signal, onWaited } = options
    const response = await transport({
      method,
      url,
      headers: sent,
      body,
      timeoutMs,
      rejectInvalidCerts,
      signal,
      onWaited,
    })
    if (response.tlsWarning !== null) options.warn(`TLS: ${response.tlsWarning}`)
    if (response.firstToExpire) options.onCertificate?.({ host: url.host, ...response.firstToExpire })
    const refusedCookies = await jar.storeCookies(response.headers['set-cookie'], url)
    if (refusedCookies !== null) options.warn(refusedCookies)
    timings = addTimings(timings, response.timings)

    const location = options.follow ? locationOf(response) : null
    if (location === null) return { ...response, timings: timings }
    if (trace.redirects.length >= options.maxRedirects) {
      throw new CallError(`more than ${options.maxRedirects} redirects`)
    }
    const target = parseLocation(location, url)
    trace.redirects.push(target.href)
    if (hasUserInformation(target)) throw userInformationError('the redirect leads to a URL')
    const toGet = response.status === 303 ? method !== 'GET' : response.status <= 302 && method === 'POST'
    if (toGet) {
      method = 'GET'
      body = null
      headers = headers.filter(([name]) => !BODY_HEADERS.has(name.toLowerCase()))
    }
    if (target.origin !== url.origin) {
      if (body !== null && body.length > 0) requireResendable(url, target, options.resendBody)
      const safe = headers.filter(([name]) => CROSS_ORIGIN_HEADERS.has(name.toLowerCase()))
      const dropped = headers.filter((header) => !safe.includes(header)).map(([name]) => name)
      if (cookies.length > 0) dropped.push('the cookies of the call')
      if (dropped.length > 0) options.warn(`not sent on to ${target.origin}: ${dropped.join(', ')}`)
      headers = safe
      cookies = []
    }
    url = target
    rawUrl = location
  }
}

/** Says what used up the time of a call whose next request was not sent. */
function timeUsedUp(redirects: number): string {
  return redirects > 0 ? 'redirects used up the time of the call' : 'the time of the call ended before it was sent'
}

/** Parses a URL. @throws CallError when it is not valid */
function parseUrl(text: string): URL {
  const url = URL.parse(text)
  if (url === null) throw new CallError('the URL is not valid')
  if (hasUserInformation(url)) throw userInformationError('the URL is one')
  return url
}

/** The transport refuses such URLs too, with the words for all blocked targets. */
function userInformationError(what: string): CallError {
  const reason = 'user information (a name or a password before the host), which probes do not send'
  return new CallError(`blocked_probe_target: ${what} with ${reason}`)
}

function hasUserInformation({ username, password }: URL): boolean {
  return username !== '' || password !== ''
}

function locationOf(response: TransportResponse): string | null {
  if (!REDIRECTS.has(response.status)) return null
  const { location } = response.headers
  const written = Array.isArray(location) ? location[0] : location
  return written === undefined ? null : escapeBytes(written)
}

function requireResendable(from: URL, to: URL, resendBody: boolean): void {
  if (from.protocol === 'https:' && to.protocol !== 'https:') {
    throw new CallError(`the redirect to ${to.origin} would resend the body without encryption`)
  }
  if (resendBody) return
  const hint = 'this needs `redirects: { resendBody: true }`'
  throw new CallError(`the redirect to ${to.origin} would resend the body to another origin; ${hint}`)
}

/** Parses a `Location` header with any scheme. The transport checks at each hop whether the target is allowed. */
function parseLocation(location: string, from: URL): URL {
  const target = URL.parse(location, from)
  if (target === null) throw new CallError('the URL of the redirect is not valid')
  if (target.href.length > MAX_URL_LENGTH)
    throw new CallError(`the URL of the redirect is longer than ${MAX_URL_LENGTH} characters`)
  return target
}

/**
 * Builds one `Cookie` header from three sources: the script's own `Cookie` header, the jar, and the call's `cookies`.
 * For equal names, the later source wins.
 */
function withCookies(headers: Pair[], jar: Pair[], ofCall: Pair[]): Pair[] {
  if (jar.length + ofCall.length === 0) return headers
  const isCookie = ([name]: Pair) => name.toLowerCase() === 'cookie'
  const written = headers.filter(isCookie).flatMap(([, value]) => value.split(';').map(readPair))
  const without = (pairs: Pair[], later: Pair[]) => {
    const names = new Set(later.map(([name]) => name))
    return pairs.filter(([name]) => !names.has(name))
  }
  const pairs = [...without(written, [...jar, ...ofCall]), ...without(jar, ofCall), ...ofCall]
  // A cookie without a name is written as its value only.
  const value = pairs.map((pair) => pair.filter((part, at) => at > 0 || part !== '').join('=')).join('; ')
  return [...headers.filter((header) => !isCookie(header)), ['Cookie', value]]
}

type Pair = [name: string, value: string]

function readPair(text: string): Pair {
  const [name = '', ...value] = text.trim().split('=')
  return [name, value.join('=')]
}

const ZERO_TIMINGS: Timings = { responseTimeMs: 0, dnsMs: 0, connectMs: 0, tlsMs: 0, ttfbMs: 0, transferMs: 0 }

function addTimings(a: Timings, b: Timings): Timings {
  return {
    responseTimeMs: a.responseTimeMs + b.responseTimeMs,
    dnsMs: a.dnsMs + b.dnsMs,
    connectMs: a.connectMs + b.connectMs,
    tlsMs: a.tlsMs + b.tlsMs,
    ttfbMs: a.ttfbMs + b.ttfbMs,
    transferMs: a.transferMs + b.transferMs,
  }
}
