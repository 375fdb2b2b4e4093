import { ApiError } from '../errors.ts'
import { withDeadline } from './deadline.ts'
import { parseJson } from './json.ts'

/** The limits of a request's body. */
export type BodyBounds = { maxBytes: number; maxMs: number }

/**
 * Returns the JSON object in a request's body.
 * @throws ApiError as `readBody` and `parseJsonBody`
 */
export async function readJsonBody(request: Request, bounds: BodyBounds): Promise<Record<string, unknown>> {
  return parseJsonBody(request, await readBody(request, bounds))
}

/**
 * Returns the JSON object in a body that was read. With `isOptional`, no body, whatever its content type, is an empty object;
 * `null` is no body either: generated Go clients send it.
 * @throws ApiError `invalid_request_body` without details when the body is not declared as JSON, not JSON in UTF-8, not an
 * object, or has too many values
 */
export function parseJsonBody(request: Request, bytes: Uint8Array, isOptional = false): Record<string, unknown> {
  if (isOptional && bytes.length === 0) return {}
  if (!isJson(request.headers.get('content-type'))) {
    throw unreadable('Send the body with `Content-Type: application/json`: `curl -d` alone declares form data.')
  }
  let value: unknown
  try {
    value = parseJson(bytes)
  } catch {
    throw unreadable('Send valid JSON in UTF-8, with at most 10,000 values and 128 levels.')
  }
  if (isOptional && value === null) return {}
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw unreadable('Send a JSON object, such as `{"name": "Shop"}`.')
  }
  return value as Record<string, unknown>
}

/**
 * Returns a request's body.
 * @throws ApiError `request_body_too_large` past `maxBytes`, without reading further; `invalid_request_body` when it is late
 * or aborted
 */
export async function readBody(request: Request, bounds: BodyBounds): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const part of streamBody(request, bounds)) chunks.push(part)
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks)
}

/**
 * Yields a request's body as it arrives, and reads no further than the caller does.
 * @throws ApiError as `readBody`
 */
export async function* streamBody(request: Request, { maxBytes, maxMs }: BodyBounds): AsyncGenerator<Uint8Array> {
  // Checked before the type: a body over the limit is never read.
  requireLengthWithin(request.headers.get('content-length'), maxBytes)
  if (!request.body) return
  const reader = request.body.getReader()
  const endsAt = performance.now() + maxMs
  const read = () =>
    withDeadline(Math.max(0, endsAt - performance.now()), reader.read()).catch(() => {
      // Aborted or too slow: not the announced body.
      throw unreadable('Send the whole body in time: it was not complete.')
    })
  try {
    let length = 0
    for (let part = await read(); !part.done; part = await read()) {
      length += part.value.byteLength
      if (length > maxBytes) throw tooLarge(maxBytes)
      yield part.value
    }
  } finally {
    // Not awaited: it waits for a read that is late.
    void reader.cancel().catch(() => {})
  }
}

/** @throws ApiError `request_body_too_large` when a body's `Content-Length` is over the limit */
export function requireLengthWithin(length: string | null, maxBytes: number): void {
  if (Number(length ?? 0) > maxBytes) throw tooLarge(maxBytes)
}

/** The contract gives no details for a body that is not JSON, so only the message says what is wrong. */
function unreadable(advice: string): ApiError {
  return new ApiError('invalid_request_body', undefined, {}, advice)
}

/** Returns whether a type is exactly `application/json`, with any parameters; `application/json-patch+json` is not. */
export function isJson(contentType: string | null): boolean {
  return contentType?.split(';', 1)[0]?.trim().toLowerCase() === 'application/json'
}

function tooLarge(maxBytes: number): ApiError {
  return new ApiError('request_body_too_large', { maxBytes })
}
