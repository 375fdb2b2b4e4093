import { ApiError } from '../errors.ts'
import type { Settings } from '../process/settings.ts'

// A page elsewhere can make a browser send our cookie along. Browsers say where a request comes from; what says nothing
// of the kind is no browser, and has no cookie it did not come by itself.

/**
 * Refuses a change that a page of another site or another host of ours asked for.
 * @throws ApiError `cross_site_request`
 */
export function requireSameOrigin(request: Request, settings: Pick<Settings, 'BASE_URL'>): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const site = request.headers.get('sec-fetch-site')
  // Browsers leave it out over plain http, except to localhost; they send Origin with every POST.
  const isOurs = site === null ? isOwnOrigin(request, settings) : site === 'same-origin' || site === 'none'
  if (!isOurs) throw new ApiError('cross_site_request')
}

function isOwnOrigin(request: Request, { BASE_URL }: Pick<Settings, 'BASE_URL'>): boolean {
  const origin = request.headers.get('origin')
  if (origin === null) return true
  if (BASE_URL !== undefined && origin === new URL(BASE_URL).origin) return true
  // "null" and the like have no host.
  return URL.parse(origin)?.host === request.headers.get('host')
}
