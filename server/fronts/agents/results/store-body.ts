import { join } from 'node:path'
import { withinRequestBounds } from '#db/connections/request-bounds.ts'
import { atMost, BodyTooLarge } from '../../../bodies/body-content.ts'
import { ScratchError } from '../../../bodies/scratch-file.ts'
import { type StagedBody, stageBody } from '../../../bodies/staged-body.ts'
import { bodyKeyOf } from '../../../bodies/store.ts'
import { ApiError, unavailable } from '../../../errors.ts'
import { LARGE_BODY_BYTES } from '../../../fairness/large-bodies.ts'
import { requireLengthWithin } from '../../../http/body.ts'
import { rateLimitKey, requireWithinLimit } from '../../../http/rate-limits.ts'
import { countBodyStoreError } from '../../../observe/metrics/sends.ts'
import { log } from '../../../process/log.ts'
import { excerptBytesOf, excerptOf, shownTypeOf, storeInTime } from '../../../runs/probes/body-capture.ts'
import { isTextBody, MAX_MASKED_BODY_BYTES, type Redactor } from '../../../runs/redaction/redact.ts'
import { BODY_MAX_BYTES, type BodyAnswer, BodyQuery } from '../../../schemas/agents/protocol.ts'
import type { Gateway, SignedCall } from '../requests/gateway-context.ts'
import { checkShape, stageSignedBody } from '../requests/read-body.ts'
import { sealReceipt } from './receipts.ts'
import { createRunRedactor } from './redactor.ts'
import { type LeasedRun, requireLease } from './require-lease.ts'
import { startWithin } from './run-times.ts'

const DEADLINE_MS = 25_000
const PERMIT_MS = 15_000
/** Uploads of the body of one call: above the number of retries of an agent. */
const LIMIT = { max: 10, windowSeconds: 3_600 }
/** In `DATA_DIR`. */
const SCRATCH_FOLDER = 'uploads'

/**
 * Stores the response body of one call without secrets, and returns a receipt for the result. The body is never in
 * memory as a whole, and it is stored only after it is received completely and matches the signed digest.
 * @throws ApiError `lease_lost`, `rate_limited`, `request_body_too_large`
 */
export async function storeBody(gateway: Gateway, call: SignedCall): Promise<BodyAnswer> {
  const { runtime } = gateway
  const query = checkShape(Object.fromEntries(new URLSearchParams(call.target.query)), BodyQuery)
  requireLengthWithin(call.request.headers.get('content-length'), BODY_MAX_BYTES)
  const bounded = <T>(work: () => Promise<T>) => withinRequestBounds(DEADLINE_MS, work)
  const leased = await bounded(() => requireLease(gateway, call, { id: query.run, attempt: query.attempt }))
  if (leased === 'stored' || query.call >= (leased.ast?.calls.length ?? 0)) throw new ApiError('lease_lost')
  if (runtime.settings.RATE_LIMIT_ENABLED) {
    const subject = `${query.run} ${query.attempt} ${query.call}`
    await bounded(() => requireWithinLimit(runtime.db, rateLimitKey('agent body', subject), LIMIT))
  }
  const permit = await reserveMemory(gateway, call, leased.attempt.organizationId)
  try {
    return await receive(gateway, call, leased, query)
  } catch (error) {
    if (!(error instanceof ScratchError)) throw error
    countBodyStoreError('write')
    log.warn({ err: error, serviceId: leased.attempt.serviceId }, 'a response body could not be received')
    return { reason: 'store_unavailable' }
  } finally {
    permit.release()
  }
}

async function receive(gateway: Gateway, call: SignedCall, leased: LeasedRun, query: BodyQuery): Promise<BodyAnswer> {
  const folder = join(gateway.runtime.settings.DATA_DIR, SCRATCH_FOLDER)
  await using received = await stageSignedBody(call, BODY_MAX_BYTES, folder)
  if (!leased.savesBodies) return { reason: 'not_requested' }
  const redactor = await withinRequestBounds(DEADLINE_MS, () => createRunRedactor(gateway, leased.attempt))
  // Nothing can be masked without the secrets.
  if (typeof redactor === 'string') return { reason: 'store_unavailable' }
  const contentType = call.request.headers.get('content-type') ?? ''
  await using masked = await maskStaged(received, contentType, redactor, folder)
  if (masked === null) return { reason: 'too_large' }
  return await keep(gateway, leased, query, { content: masked, contentType, redactor })
}

/** Returns the body with secrets masked; null when the masked body is too large. */
async function maskStaged(
  received: StagedBody,
  contentType: string,
  redactor: Redactor,
  folder: string,
): Promise<StagedBody | null> {
  if (redactor.maxSecretLength === 0 || !isTextBody(contentType, received.isUtf8)) return received
  try {
    return await stageBody(atMost(redactor.stream(received.pieces()), MAX_MASKED_BODY_BYTES), folder)
  } catch (error) {
    if (error instanceof BodyTooLarge) return null
    throw error
  }
}

type MaskedBody = { content: StagedBody; contentType: string; redactor: Redactor }

async function keep(
  gateway: Gateway,
  leased: LeasedRun,
  query: BodyQuery,
  { content, contentType, redactor }: MaskedBody,
): Promise<BodyAnswer> {
  const { organizationId, serviceId } = leased.attempt
  const target = await gateway.bodies()
  const key = bodyKeyOf(organizationId, serviceId, startWithin(leased, query.startedAt), content.sha256)
  const stored = {
    storeId: target.id,
    key,
    bytes: content.bytes,
    contentType: await shownTypeOf(contentType, redactor),
  }
  const body = await storeInTime(stored, target.store.putStream(key, content), (error) => {
    log.warn({ err: error, serviceId }, 'a response body could not be stored')
  })
  if (typeof body === 'string') return { reason: body }
  const start = await startOf(content, excerptBytesOf(redactor))
  return {
    receipt: sealReceipt(gateway.runtime.vault, query, {
      body,
      excerpt: await excerptOf(start, contentType, redactor),
    }),
  }
}

async function startOf(content: StagedBody, bytes: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let length = 0
  for await (const piece of content.pieces()) {
    length += parts.push(piece) && piece.length
    if (length >= bytes) break
  }
  return Buffer.concat(parts).subarray(0, bytes)
}

/**
 * Waits until a large upload may begin: the uploads of all agents together are bounded, in memory and on disk.
 * @throws ApiError `service_unavailable` after 15 seconds
 */
export async function reserveMemory(
  { largeUploads }: Gateway,
  { request, signal }: SignedCall,
  organizationId: string,
): Promise<{ release: () => void }> {
  const permit = largeUploads({ organizationId })
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
