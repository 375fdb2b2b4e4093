import { withinRequestBounds } from '#db/connections/request-bounds.ts'
import { sql } from '#db/drizzle.cjs'
import { ApiError } from '../../../errors.ts'
import { log } from '../../../process/log.ts'
import { requeueAttempts, type WorkerIdentity } from '../../../runs/probes/leases.ts'
import type { Attempt } from '../../../runs/record/current-attempts.ts'
import { MINIMUM_PROTOCOL, POLL_RUNS_MAX, PollRequest } from '../../../schemas/agents/protocol.ts'
import { type AgentIdentity, findKey, refusalOf, workerOf } from '../requests/agent-key.ts'
import type { Gateway, SignedCall } from '../requests/gateway-context.ts'
import { readMessage } from '../requests/read-body.ts'
import { type Assigned, assign } from './assignments.ts'
import { claimForAgent } from './claims.ts'

const MAX_BYTES = 4_096
const DEADLINE_MS = 20_000

/**
 * Waits until runs of the agent are queued, and assigns them. Returns the response as JSON.
 * @throws ApiError `agent_too_old`; `agent_revoked` when the key is revoked or the agent switched off meanwhile
 */
export async function poll(gateway: Gateway, call: SignedCall): Promise<Uint8Array> {
  const { agent, signal } = call
  if (call.protocol < MINIMUM_PROTOCOL) throw new ApiError('agent_too_old', { minimum: MINIMUM_PROTOCOL })
  const { instance, free, waitSeconds } = await readMessage(call, PollRequest, { maxBytes: MAX_BYTES })
  if (free === 0) return answer([])
  const worker = workerOf(agent, instance, gateway.settings.leaseSeconds)
  const until = performance.now() + waitSeconds * 1_000
  for (;;) {
    const { parts } = await take(gateway, call, worker, free)
    if (parts.length > 0) return answer(parts)
    const leftMs = until - performance.now()
    if (leftMs <= 0 || signal.aborted || gateway.waits.isClosed) return answer([])
    const wait = { keyId: agent.keyId, owner: agent.organizationId ?? agent.agentId }
    if (!(await gateway.waits.wait(wait, leftMs, signal))) return answer([])
    await requireUsableKey(gateway, agent)
  }
}

/** A request is authenticated once, and may then wait for longer than its key is valid. */
async function requireUsableKey({ runtime }: Gateway, { keyId }: AgentIdentity): Promise<void> {
  const refusal = refusalOf(await withinRequestBounds(DEADLINE_MS, () => findKey(runtime.db, keyId)))
  if (refusal) throw refusal
}

/** Claims runs and prepares them. Queues them again when they cannot be sent. */
async function take(gateway: Gateway, call: SignedCall, worker: WorkerIdentity, free: number): Promise<Assigned> {
  const { db } = gateway.runtime
  const bounded = <T>(work: () => Promise<T>) => withinRequestBounds(DEADLINE_MS, work)
  const claimed = await bounded(() =>
    claimForAgent(db, call.agent, worker, { free, max: Math.min(free, POLL_RUNS_MAX) }),
  )
  if (claimed.length === 0) return { parts: [], attempts: [] }
  const giveBack = (attempts: Attempt[]) =>
    withinRequestBounds(DEADLINE_MS, () => requeueAttempts(db, attempts)).catch((error) => {
      // Their leases expire.
      log.warn({ err: error, runs: attempts.length }, 'runs that an agent did not receive could not be queued again')
    })
  try {
    await bounded(() => noteTaken(gateway, worker))
    const assigned = await bounded(() => assign(gateway, worker, claimed))
    if (call.signal.aborted) {
      await giveBack(assigned.attempts)
      return { parts: [], attempts: [] }
    }
    call.onLost(() => void giveBack(assigned.attempts))
    return assigned
  } catch (error) {
    await giveBack(claimed)
    throw error
  }
}

/** Marks the agent as active: an agent that takes runs is not stalled. */
async function noteTaken({ runtime }: Gateway, worker: WorkerIdentity): Promise<void> {
  await runtime.db.execute(sql`update workers set last_task = 'probe', last_taken_at = now() where id = ${worker.id}`)
}

function answer(parts: string[]): Uint8Array {
  return Buffer.from(`{"runs":[${parts.join(',')}]}`)
}
