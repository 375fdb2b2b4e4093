import { setTimeout as sleep } from 'node:timers/promises'
import { CliError } from '../exit-codes.ts'
import { ConnectionFailure } from './api-failure.ts'

// One request of a command is one or more tries on the wire.

export type RetryOptions = {
  send: (request: Request) => Promise<Response>
  signal: AbortSignal
  /** How long a request is tried again after its first failure. */
  retryForMs: number
  /** When to give up, on the clock of `performance.now()`. */
  deadline: number
  /** Called before each pause. */
  onRetry: (reason: string, pauseMs: number) => void
}

/** Longer than the longest `wait` of the API, 30 s, with what a busy installation adds. */
const TRY_TIMEOUT_MS = 60_000
/** What a response may take beyond the deadline. */
const GRACE_MS = 5_000
const FIRST_PAUSE_MS = 500
const LONGEST_PAUSE_MS = 8_000
/** The request was refused before it changed anything. Other temporary errors can follow a change. */
const RATE_LIMITED = 429
const TEMPORARY = [RATE_LIMITED, 502, 503, 504]
/** Also temporary, with Retry-After: the first try of this POST still runs. */
const CONFLICT = 409
/** The request did not reach the installation. */
const NOT_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']

/**
 * Sends a request until there is a response, and reads it completely. A POST must have an Idempotency-Key. PATCH and
 * DELETE are sent again only when the first try had no effect for certain.
 * @throws ConnectionFailure
 */
export async function sendWithRetries(request: Request, options: RetryOptions): Promise<Response> {
  let failedSince: number | null = null
  for (let tries = 0; ; tries++) {
    const outcome = await tryOnce(request, options)
    if (outcome.response && !isTemporary(outcome)) return outcome.response
    const now = performance.now()
    failedSince ??= now
    const ownPauseMs = Math.min(FIRST_PAUSE_MS * 2 ** tries, LONGEST_PAUSE_MS)
    // `Retry-After: 0` must not make a loop without pauses.
    const pauseMs = Math.max(outcome.retryAfterMs ?? ownPauseMs, FIRST_PAUSE_MS)
    const isTooLate = now + pauseMs > Math.min(failedSince + options.retryForMs, options.deadline)
    if (isTooLate || !mayRepeat(request, outcome)) {
      if (outcome.response) return outcome.response
      throw new ConnectionFailure(`${new URL(request.url).origin} cannot be reached: ${outcome.reason}`)
    }
    options.onRetry(outcome.reason, pauseMs)
    await sleep(pauseMs, undefined, { signal: options.signal })
  }
}

type Outcome = { response: Response | null; reason: string; retryAfterMs: number | null; mayHaveEffect: boolean }

async function tryOnce(request: Request, { send, signal, deadline }: RetryOptions): Promise<Outcome> {
  const timeLeftMs = Math.max(0, deadline - performance.now()) + GRACE_MS
  const timeout = AbortSignal.timeout(Math.ceil(Math.min(TRY_TIMEOUT_MS, timeLeftMs)))
  try {
    const response = await send(new Request(request.clone(), { signal: AbortSignal.any([signal, timeout]) }))
    requireApi(response, request)
    // A connection can also break within the body.
    const body = await response.arrayBuffer()
    return {
      response: new Response(body.byteLength === 0 ? null : body, response),
      reason: response.status === RATE_LIMITED ? 'the rate limit of the key is used up' : `status ${response.status}`,
      retryAfterMs: readRetryAfter(response),
      mayHaveEffect: response.status !== RATE_LIMITED,
    }
  } catch (error) {
    if (error instanceof CliError) throw error
    signal.throwIfAborted()
    if (timeout.aborted) return failed('no response in time', true)
    const code = codeOf(error)
    return failed(code ?? (error instanceof Error ? error.message : String(error)), !NOT_SENT.includes(code ?? ''))
  }
}

function isTemporary({ response, retryAfterMs }: Outcome): boolean {
  const status = response?.status ?? 0
  return TEMPORARY.includes(status) || (status === CONFLICT && retryAfterMs !== null)
}

function failed(reason: string, mayHaveEffect: boolean): Outcome {
  return { response: null, reason, retryAfterMs: null, mayHaveEffect }
}

/** @throws CliError for a response that is not from an installation: a redirect, or another site's page */
function requireApi(response: Response, request: Request): void {
  if (response.status >= 300 && response.status < 400 && response.status !== 304) {
    const target = response.headers.get('location') ?? 'another address'
    throw new CliError(
      `${new URL(request.url).origin} redirects to ${target}: use the address of the installation itself`,
    )
  }
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '')
  if (response.ok && response.status !== 204 && !isJson) {
    throw new CliError(`${new URL(request.url).origin} does not respond as a Soundline installation`)
  }
}

function mayRepeat({ method }: Request, outcome: Outcome): boolean {
  return (method !== 'PATCH' && method !== 'DELETE') || !outcome.mayHaveEffect
}

function readRetryAfter(response: Response): number | null {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : null
}

/** Returns the code of the network's error, which `fetch` hides in the cause. */
function codeOf(error: unknown): string | undefined {
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  if (typeof code === 'string') return code
  return cause ? codeOf(cause) : undefined
}
