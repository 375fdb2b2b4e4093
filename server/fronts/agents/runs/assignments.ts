import type { Queryable } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { shouldYield, yieldToEventLoop } from '../../../language/lace/event-loop.ts'
import { type ClaimedRun, requeueAttempts, type WorkerIdentity } from '../../../runs/probes/leases.ts'
import { type LoadedRun, loadRun } from '../../../runs/probes/load.ts'
import { mayWrite } from '../../../runs/probes/script-facts.ts'
import type { Attempt } from '../../../runs/record/current-attempts.ts'
import { brokenRun } from '../../../runs/record/finished-run.ts'
import type { Assignment } from '../../../schemas/agents/protocol.ts'
import type { Gateway } from '../requests/gateway-context.ts'
import { storeRun } from '../results/store-run.ts'
import { referredVariables } from './referred-variables.ts'

/** Bytes of JSON in one response to a poll, unless its first run alone is larger. */
const ANSWER_MAX_BYTES = 4 * 1024 * 1024

export type Assigned = {
  /** The runs as JSON: written one by one, because all together would block the event loop. */
  parts: string[]
  attempts: Attempt[]
}

/**
 * Returns claimed runs with what the agent needs to execute them. Runs that may not start are recorded, and runs that
 * exceed the response limit are queued again.
 */
export async function assign(gateway: Gateway, worker: WorkerIdentity, claimed: ClaimedRun[]): Promise<Assigned> {
  const { runtime } = gateway
  const assigned: (Assigned['attempts'][number] & { version: number })[] = []
  const parts: string[] = []
  let bytes = 0
  for (const [index, run] of claimed.entries()) {
    if (shouldYield()) await yieldToEventLoop()
    const loadable = { ...run, agentId: worker.agentId, judgesNetworks: true as const }
    const loaded = await loadRun(runtime.db, runtime.vault, loadable, runtime.settings)
    // The service was deleted; its runs go with it.
    if (loaded === null) continue
    if (loaded.refusal !== null) {
      await recordRefusal(gateway, worker, run, loaded, loaded.refusal)
      continue
    }
    const part = JSON.stringify(toAssignment(worker, run, loaded))
    bytes += Buffer.byteLength(part)
    if (bytes > ANSWER_MAX_BYTES && parts.length > 0) {
      await requeueAttempts(runtime.db, claimed.slice(index))
      break
    }
    parts.push(part)
    assigned.push({ organizationId: run.organizationId, id: run.id, attempt: run.attempt, version: loaded.version })
  }
  await storeVersions(runtime.db, assigned)
  return { parts, attempts: assigned }
}

function toAssignment(
  worker: WorkerIdentity,
  { id, attempt, run, organizationId, serviceId, clockAheadMs }: ClaimedRun,
  loaded: LoadedRun,
): Assignment {
  const { variables, usesPrev } = referredVariables(loaded.ast, loaded.variables)
  const now = Date.now() + clockAheadMs
  return {
    id,
    attempt,
    run,
    organizationId,
    serviceId,
    startBy: new Date(now + worker.leaseSeconds * 1_000).toISOString(),
    script: { source: loaded.source, version: loaded.version },
    variables,
    prev: usesPrev ? (loaded.prev as Assignment['prev']) : null,
    saveBodies: loaded.saveBodies,
    traceparent: loaded.sendTraceparent,
    leaseSeconds: worker.leaseSeconds,
    clock: { now: new Date(now).toISOString() },
  }
}

async function recordRefusal(
  gateway: Gateway,
  { agentId, agentSlug, isOwnAgent = false }: WorkerIdentity,
  { id, attempt, run, organizationId, serviceId, clockAheadMs }: ClaimedRun,
  { version, ast }: LoadedRun,
  refusal: string,
): Promise<void> {
  const at = new Date(Date.now() + clockAheadMs)
  const attempted = { id, run, attempt, organizationId, serviceId, agentId, agentSlug, isOwnAgent }
  const broken = brokenRun(attempted, at, at, 'failure', refusal)
  await storeRun(gateway, { ...broken, writes: mayWrite(ast), result: { ...broken.result, scriptVersion: version } })
}

/** Stores which version of its script each run was given: its result is read with that version. */
async function storeVersions(
  db: Queryable,
  assigned: { organizationId: string; id: string; attempt: number; version: number }[],
): Promise<void> {
  if (assigned.length === 0) return
  await db.execute(sql`
    update runs r set leased_version = i.version
    from jsonb_to_recordset(${JSON.stringify(assigned)}::jsonb) as i("organizationId" uuid, id uuid, attempt int, version int)
    where (r.organization_id, r.id) = (i."organizationId", i.id) and r.attempt = i.attempt`)
}
