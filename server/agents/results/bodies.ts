import { withinRequestBounds } from '#db/connections/request-bounds.ts'
import { ApiError, unavailable } from '../../errors.ts'
import { LARGE_BODY_BYTES } from '../../fairness/large-bodies.ts'
import { rateLimitKey, requireWithinLimit } from '../../http/rate-limits.ts'
import { captureBodies } from '../../probes/bodies.ts'
import { log } from '../../process/log.ts'
import { BODY_MAX_BYTES, type BodyAnswer, BodyQuery } from '../../schemas/agents/protocol.ts'
import type { Gateway, SignedCall } from '../requests/gateway.ts'
import { checkShape, readSignedBody } from '../requests/read-body.ts'
import { requireLease } from './leases.ts'
import { sealReceipt } from './receipts.ts'
import { createRunRedactor } from './redactor.ts'
import { startWithin } from './run-times.ts'

const DEADLINE_MS = 25_000
const PERMIT_MS = 15_000
/** Uploads of the body of one call: more than an agent sends again after a failure. */
const LIMIT = { max: 10, windowSeconds: 3_600 }

/**
 * Stores the response body of one call without secrets, and returns a receipt for the result.
 * @throws ApiError `lease_lost`, `rate_limited`, `request_body_too_large`
 */
export async function storeBody(gateway: Gateway, call: SignedCall): Promise<BodyAnswer> {
  const { runtime } = gateway
  const query = checkShape(Object.fromEntries(new URLSearchParams(call.target.query)), BodyQuery)
  const bounded = <T>(work: () => Promise<T>) =>
    withinRequestBounds(`agent ${call.agent.agentId}`, DEADLINE_MS, work, true)
  const leased = await bounded(() => requireLease(gateway, call, { id: query.run, attempt: query.attempt }))
  if (leased === 'stored' || query.call >= (leased.ast?.calls.length ?? 0)) throw new ApiError('lease_lost')
  if (runtime.settings.RATE_LIMIT_ENABLED) {
    const subject = `${query.run} ${query.attempt} ${query.call}`
    await bounded(() => requireWithinLimit(runtime.db, rateLimitKey('agent body', subject), LIMIT))
  }
  const permit = await reserveMemory(gateway, call, leased.attempt.organizationId)
  try {
    const body = await readSignedBody(call, BODY_MAX_BYTES)
    if (!leased.savesBodies) return { reason: 'not_requested' }
    const redactor = await bounded(() => createRunRedactor(gateway, leased.attempt))
    // Without the secrets nothing can be masked.
    if (typeof redactor === 'string') return { reason: 'store_unavailable' }
    const startedAt = startWithin(leased, query.startedAt)
    const capture = captureBodies(await gateway.bodies(), { ...leased.attempt, startedAt }, redactor, (error) => {
      log.warn({ err: error, serviceId: leased.attempt.serviceId }, 'a response body could not be stored')
    })
    await capture.sink({ callIndex: query.call, body, contentType: call.request.headers.get('content-type') ?? '' })
    const { stored, excerptOf } = await capture.settle()
    const captured = stored.get(query.call) ?? 'store_unavailable'
    if (typeof captured === 'string') return { reason: captured }
    return { receipt: sealReceipt(runtime.vault, query, { body: captured, excerpt: await excerptOf(query.call) }) }
  } finally {
    permit.release()
  }
}

/**
 * Waits until there is memory for a large upload: the uploads of all agents together are bounded.
 * @throws ApiError `service_unavailable` after 15 seconds
 */
export async function reserveMemory(
  { largeUploads }: Gateway,
  { request, signal }: SignedCall,
  organizationId: string,
): Promise<{ release: () => void }> {
  const permit = largeUploads({ organizationId, isSlow: false })
  const length = request.headers.get('content-length')
  if (length !== null && Number(length) <= LARGE_BODY_BYTES) return permit
  try {
    await permit.reserve(AbortSignal.any([signal, AbortSignal.timeout(PERMIT_MS)]))
    return permit
  } catch {
    permit.release()
    throw unavailable()
  }
}
