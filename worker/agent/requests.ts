import { randomBytes, sign } from 'node:crypto'
import { ReadableStream as NodeReadableStream } from 'node:stream/web'
import { httpbis } from 'http-message-signatures'
import { z } from 'zod'
import { type BodyContent, digestOf, piecesOf } from '#server/bodies/body-content.ts'
import type { MeasuredClock } from '#server/observe/system/measured-clock.ts'
import { StartupError } from '#server/process/lifecycle.ts'
import { AGENT_HEADER, AGENT_PATH, PROTOCOL, SIGNED_COMPONENTS } from '#server/schemas/agents/protocol.ts'
import type { Identity } from './identity.ts'

// Requests to the server: signed (RFC 9421), and never redirected.

/** `EX_NOPERM` of sysexits. The systemd unit of the agent names it. */
export const REFUSED_EXIT_CODE = 77

/** The server refuses the request, and would refuse it again. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly status: number
  /** Such as `lease_lost`. */
  readonly code: string
  constructor(status: number, code: string, message: string) {
    super(message)
    this.status = status
    this.code = code
  }
}

/** Whether the server refuses the agent itself: revoked, too old, or unknown. */
export function isAboutAgent({ status }: Refusal): boolean {
  return status === 401 || status === 403 || status === 426
}

/**
 * Returns the error that ends an agent which the server refuses. Its exit code stops the supervisor where a restart
 * cannot help; it can after a wrong clock or nonce.
 */
export function refusalEnd({ code }: Pick<Refusal, 'code'>, message: string): StartupError {
  return new StartupError(message, code === 'clock_skew' || code === 'replayed' ? 1 : REFUSED_EXIT_CODE)
}

/** The server cannot be reached, or cannot serve the request now. The request can be repeated. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
  /** How long the server asks to wait. */
  readonly retryAfterMs: number
  constructor(reason: string, retryAfterMs = 0) {
    super(reason)
    this.retryAfterMs = retryAfterMs
  }
}

export type RequestOptions<T extends z.ZodType> = {
  path: string
  /** `content` is sent as a stream, so it is never in memory as a whole. */
  body: { json: unknown } | { content: BodyContent; contentType: string | null; query: Record<string, string> }
  answer: T
  timeoutMs?: number
  signal: AbortSignal
}

/** @throws Refusal, Unreachable, or the signal's reason when it aborts */
export type Requests = <T extends z.ZodType>(options: RequestOptions<T>) => Promise<z.output<T>>

const TIMEOUT_MS = 30_000
const RETRY_AFTER_MAX_S = 300
/** How often an agent that is switched off asks whether it still is. */
const SWITCHED_OFF_MS = 15_000
/** Temporary statuses: the server is busy, an update is under way, or a proxy responds. */
const TRANSIENT = new Set([404, 405, 407, 408, 421, 425, 429])

const ErrorBody = z.object({
  error: z.string(),
  message: z.string().default(''),
  details: z.object({ now: z.iso.datetime().optional(), reason: z.string().optional() }).loose().nullish(),
})

export function createRequests(
  url: string,
  version: string,
  identity: Pick<Identity, 'privateKey'> & { keyId: string },
  clock: MeasuredClock,
): Requests {
  const key = {
    id: identity.keyId,
    alg: 'ed25519' as const,
    sign: async (data: Buffer) => sign(null, data, identity.privateKey),
  }

  const signedHeaders = async (target: URL, sha256: Buffer, contentType: string | null) => {
    const headers = {
      ...(contentType !== null && { 'content-type': contentType }),
      'content-digest': `sha-256=:${sha256.toString('base64')}:`,
      [AGENT_HEADER]: `${version}/${PROTOCOL}`,
    }
    const nonce = randomBytes(16).toString('base64url')
    const signed = await httpbis.signMessage(
      {
        key,
        fields: [...SIGNED_COMPONENTS],
        params: ['created', 'nonce', 'keyid', 'alg'],
        paramValues: { created: new Date(clock.now()), nonce },
      },
      { method: 'POST', url: target, headers },
    )
    return signed.headers as Record<string, string>
  }

  const send = async (target: URL, { sha256, contentType, length, body, redirect }: Payload, signal: AbortSignal) => {
    const sentAt = performance.now()
    const headers = await signedHeaders(target, sha256, contentType)
    const response = await fetch(target, {
      method: 'POST',
      redirect,
      headers: { ...headers, 'content-length': String(length) },
      body: body(),
      duplex: 'half',
      signal,
    } as RequestInit)
    const text = await response.text()
    return { status: response.status, retryAfter: response.headers.get('retry-after'), body: parse(text), sentAt }
  }

  return async ({ path, body, answer, timeoutMs = TIMEOUT_MS, signal }) => {
    const target = new URL(`${AGENT_PATH}/${path}`, url)
    if ('query' in body) target.search = new URLSearchParams(body.query).toString()
    const payload = 'content' in body ? payloadOf(body.content, body.contentType) : await jsonPayload(body.json)
    for (let isFirst = true; ; isFirst = false) {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
      const given = await send(target, payload, limit).catch((error) => {
        signal.throwIfAborted()
        throw new Unreachable(reasonOf(error, timeoutMs))
      })
      if (given.status === 200) {
        const parsed = answer.safeParse(given.body)
        if (!parsed.success) throw new Unreachable('the response is not one of Soundline')
        return parsed.data
      }
      const error = ErrorBody.safeParse(given.body).data
      if (isFirst && error?.error === 'clock_skew' && error.details?.now) {
        clock.observe(new Date(error.details.now), given.sentAt, performance.now())
        continue
      }
      throw failureOf(given.status, given.retryAfter, error)
    }
  }
}

type Failure = z.output<typeof ErrorBody>

function failureOf(status: number, retryAfter: string | null, error: Failure | undefined): Refusal | Unreachable {
  const reason = error?.message || error?.error || `the server returned ${status}`
  // A repeated request gets a new nonce and a new time.
  const isRepeatable = error?.error === 'replayed' || error?.error === 'clock_skew'
  // An agent that is switched off continues when it is switched on again.
  const isSwitchedOff = error?.error === 'agent_revoked' && error.details?.reason === 'inactive'
  if (isSwitchedOff) return new Unreachable(reason, SWITCHED_OFF_MS)
  const isRefused = status >= 400 && status < 500 && !TRANSIENT.has(status) && error !== undefined && !isRepeatable
  if (isRefused) return new Refusal(status, error.error, reason)
  const seconds = Number(retryAfter ?? 0)
  return new Unreachable(reason, seconds > 0 ? Math.min(seconds, RETRY_AFTER_MAX_S) * 1_000 : 0)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

type Payload = {
  contentType: string | null
  length: number
  sha256: Buffer
  /** Called for each time that the payload is sent. */
  body: () => BodyInit
  /** With `manual`, `fetch` would copy a stream, and keep the copy. */
  redirect: RequestRedirect
}

function payloadOf({ bytes, sha256, pieces }: BodyContent, contentType: string | null): Payload {
  // The cast: the DOM types of streams differ from Node's.
  const body = () => NodeReadableStream.from(pieces()) as ReadableStream<Uint8Array<ArrayBuffer>>
  return { contentType, length: bytes, sha256, body, redirect: 'error' }
}

async function jsonPayload(json: unknown): Promise<Payload> {
  const bytes = Buffer.from(JSON.stringify(json))
  const { sha256 } = await digestOf(piecesOf(bytes))
  return { contentType: 'application/json', length: bytes.length, sha256, body: () => bytes, redirect: 'manual' }
}

function reasonOf(error: unknown, timeoutMs: number): string {
  if ((error as Error).name === 'TimeoutError') return `no response within ${timeoutMs / 1_000} s`
  const { cause, message } = error as Error
  // The reason of `fetch failed` is its cause, which has only a code if several addresses were tried.
  const { code, message: reason } = (cause ?? {}) as { code?: string; message?: string }
  return reason || code || message
}
