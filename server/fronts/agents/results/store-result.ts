import { withinRequestBounds } from '#db/connections/request-bounds.ts'
import { ApiError } from '../../../errors.ts'
import { shouldYield, yieldToEventLoop } from '../../../language/lace/event-loop.ts'
import { CallUpload } from '../../../schemas/agents/probe-upload.ts'
import { UPLOAD_MAX_BYTES, type Upload, type UploadAnswer, UploadFrame } from '../../../schemas/agents/protocol.ts'
import { refuserOf } from '../requests/authenticate.ts'
import type { Gateway, SignedCall } from '../requests/gateway-context.ts'
import { checkShape, readMessage } from '../requests/read-body.ts'
import { finishUpload } from './finish-upload.ts'
import { requireLease } from './require-lease.ts'
import { reserveMemory } from './store-body.ts'
import { storeRun } from './store-run.ts'

const DEADLINE_MS = 20_000
/** About the values of a thousand calls. */
const VALUES_MAX = 150_000
/** A script can store a body that nests 500 levels in a variable. */
const DEPTH_MAX = 700

/**
 * Stores the result of a run. The same result again is accepted and changes nothing.
 * @throws ApiError `lease_lost`, `invalid_request_body`, `field_invalid`, `request_body_too_large`
 */
export async function storeResult(gateway: Gateway, call: SignedCall): Promise<UploadAnswer> {
  const { agent } = call
  const permit = await reserveMemory(gateway, call, agent.organizationId ?? agent.agentId)
  try {
    const upload = await readUpload(gateway, call)
    const bounded = <T>(work: () => Promise<T>) => withinRequestBounds(DEADLINE_MS, work)
    const leased = await bounded(() => requireLease(gateway, call, upload))
    if (leased === 'stored') return { stored: true }
    const finished = await bounded(() => finishUpload(gateway, call, leased, upload))
    if (await storeRun(gateway, finished)) return { stored: true }
    // The same upload may have been stored in the meantime.
    if ((await bounded(() => requireLease(gateway, call, upload))) === 'stored') return { stored: true }
    throw new ApiError('lease_lost')
  } finally {
    permit.release()
  }
}

/** Reads an upload. The calls are checked one by one, with pauses: a thousand at once would block the event loop. */
async function readUpload(gateway: Gateway, call: SignedCall): Promise<Upload> {
  try {
    const bounds = { maxBytes: UPLOAD_MAX_BYTES, valuesMax: VALUES_MAX, depthMax: DEPTH_MAX }
    const frame = await readMessage(call, UploadFrame, bounds)
    const { probe, ...rest } = frame
    if (probe === null) return { ...rest, probe }
    const calls: CallUpload[] = []
    for (const one of probe.calls) {
      if (shouldYield()) await yieldToEventLoop()
      calls.push(checkShape(one, CallUpload))
    }
    return { ...rest, probe: { ...probe, calls } }
  } catch (error) {
    if (!(error instanceof ApiError) || !['invalid_request_body', 'invalid_uuid'].includes(error.api)) throw error
    throw await refuserOf(gateway, call, call.agent)('invalid_result', error)
  }
}
