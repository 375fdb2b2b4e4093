import { createHash, timingSafeEqual } from 'node:crypto'
import { ReadableStream } from 'node:stream/web'
import { ApiError } from '../errors.ts'
import { exposition, expositionType, type Family, wantsOpenMetrics } from '../observe/metrics/families.ts'

/** Returns the token of an Authorization header; null without one. */
export function bearerOf(request: Request): string | null {
  return /^bearer +(\S+)$/i.exec(request.headers.get('authorization')?.trim() ?? '')?.[1] ?? null
}

/**
 * Checks the token of a scrape, in a time that does not depend on it.
 * @throws ApiError `not_found` when the setting is missing, `invalid_token` for another token
 */
export function requireMetricsToken(request: Request, expected: string | undefined): void {
  if (expected === undefined) throw new ApiError('not_found')
  const digest = (text: string) => createHash('sha256').update(text).digest()
  if (!timingSafeEqual(digest(bearerOf(request) ?? ''), digest(expected))) {
    throw new ApiError('invalid_token', undefined, { 'WWW-Authenticate': 'Bearer' })
  }
}

/** Returns the response to a scrape, in the format that it asks for. */
export function scrapeResponse(request: Request, families: readonly Family[]): Response {
  const isOpenMetrics = wantsOpenMetrics(request.headers.get('accept'))
  const headers = {
    'Content-Type': expositionType(isOpenMetrics),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  }
  const body = request.method === 'HEAD' ? null : ReadableStream.from(exposition(families, isOpenMetrics))
  return new Response(body as BodyInit | null, { headers })
}
