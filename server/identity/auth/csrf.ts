import { ApiError } from '../../errors.ts'
import type { Settings } from '../../process/settings.ts'

// CSRF: a page of another site can make a browser send our cookie. Browsers send the origin of a request. A request
// without it is not from a browser, so no other page can have caused it.

/**
 * Refuses a write that a page of another site or host caused.
 * @throws ApiError `cross_site_request`
 */
export function requireSameOrigin(request: Request, settings: Pick<Settings, 'BASE_URL'>): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const site = request.headers.get('sec-fetch-site')
  // Browsers omit it over plain http, except to localhost, but send Origin with every POST.
  const isOurs = site === null ? isOwnOrigin(request, settings) : site === 'same-origin' || site === 'none'
  if (!isOurs) throw new ApiError('cross_site_request')
}

function isOwnOrigin(request: Request, { BASE_URL }: Pick<Settings, 'BASE_URL'>): boolean {
  const origin = request.headers.get('origin')
  if (origin === null) return true
  if (BASE_URL !== undefined && origin === new URL(BASE_URL).origin) return true
  // An origin such as "null" has no host.
  return URL.parse(origin)?.host === request.headers.get('host')
}
