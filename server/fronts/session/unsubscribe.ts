import { requireSubscription, unsubscribe } from '../../alerts/alerts/unsubscribe.ts'
import type { Runtime } from '../../context.ts'
import { ApiError } from '../../errors.ts'
import type { Admitted } from '../../http/admission.ts'
import { readBody } from '../../http/body.ts'
import { findByToken } from '../../identity/auth/throttle.ts'
import { UNSUBSCRIBE_PROBLEMS } from '../../schemas/alerts/unsubscribe-problems.ts'

// The address in the `List-Unsubscribe` header of alert mails (RFC 8058). Mail programs post to it from anywhere, without
// cookies and without an origin of ours, so the CSRF check does not apply: the signed token is the whole authority, and no
// cookie is read.

export const UNSUBSCRIBE_PATH = '/api/unsubscribe'

const BODY_BOUNDS = { maxBytes: 4_096, maxMs: 10_000 }

/**
 * `POST …?token=` with `List-Unsubscribe=One-Click` makes the silence. `GET` changes nothing, because scanners open every
 * link: it leads to the page that asks first.
 * @throws ApiError `rate_limited`, `method_not_allowed`
 */
export async function serveUnsubscribe(
  runtime: Pick<Runtime, 'db' | 'vault' | 'now'>,
  request: Request,
  address: string,
  admitted: Admitted,
): Promise<Response> {
  const token = new URL(request.url).searchParams.get('token') ?? ''
  if (request.method === 'GET' || request.method === 'HEAD') {
    // In the fragment, so that the page's address in logs and referrers does not contain it.
    return new Response(null, { status: 303, headers: { Location: `/unsubscribe#${encodeURIComponent(token)}` } })
  }
  if (request.method !== 'POST') throw new ApiError('method_not_allowed', undefined, { Allow: 'GET, HEAD, POST' })
  if (!(await isOneClick(request))) return plain(400, 'The body must be List-Unsubscribe=One-Click, as a form.')
  try {
    const found = await admitted(async () => {
      const one = await findByToken({ db: runtime.db, address }, () => requireSubscription(runtime, token))
      await unsubscribe(runtime.db, one, address)
      return one
    })
    return plain(200, `No more mails about ${found.name ?? 'agents'} are sent to ${found.email}.`)
  } catch (error) {
    if (!(error instanceof ApiError) || error.api !== 'unsubscribe_invalid') throw error
    return plain(error.status, UNSUBSCRIBE_PROBLEMS[String(error.details?.reason)] ?? '')
  }
}

async function isOneClick(request: Request): Promise<boolean> {
  const body = await readBody(request, BODY_BOUNDS)
  const headers = { 'Content-Type': request.headers.get('content-type') ?? '' }
  const form = await new Response(Buffer.from(body), { headers }).formData().catch(() => null)
  return form?.get('List-Unsubscribe') === 'One-Click'
}

function plain(status: number, text: string): Response {
  return new Response(`${text}\n`, { status, headers: { 'Content-Type': 'text/plain; charset=utf-8' } })
}
