import type { Db } from '#db/client.ts'
import { type SQL, sql } from '#db/drizzle.cjs'
import type { RunCause } from '#db/schema/runs.ts'
import { ApiError } from '../../../errors.ts'
import type { Script } from '../../../language/lace/ast.ts'
import { parseScript } from '../../../runs/probes/script-cache.ts'
import type { RunAttempt } from '../../../runs/record/finished-run.ts'
import { refuserOf } from '../requests/authenticate.ts'
import type { Gateway, SignedCall } from '../requests/gateway-context.ts'

/** An attempt that an agent may still finish. */
export type LeasedRun = {
  attempt: RunAttempt
  /** By the database's clock. */
  claimedAt: Date
  now: Date
  /** The version of the script that the agent was given. */
  version: number
  /** Whether the service saves response bodies now; the setting can change during the lease. */
  savesBodies: boolean
  /** Null for a script that cannot be parsed. */
  ast: Script | null
}

/**
 * Returns the run that an agent holds, or `stored` when this attempt is finished. A run whose lease expired still counts, as
 * long as no other process has claimed it.
 * @throws ApiError `lease_lost`, also for the run of another agent
 */
export async function requireLease(
  gateway: Gateway,
  call: SignedCall,
  given: { id: string; attempt: number },
): Promise<LeasedRun | 'stored'> {
  const { agent } = call
  const { db } = gateway.runtime
  const own = agent.organizationId === null ? null : await findRun(db, given.id, agent.organizationId)
  const row = own ?? (await findRun(db, given.id))
  const lost = new ApiError('lease_lost')
  if (!row) throw lost
  const refuse = refuserOf(gateway, call, agent)
  const isOwnTenant = row.organization_id === (agent.organizationId ?? row.organization_id)
  // The run was moved to another agent while this one was unreachable. This is not an attack.
  const isMoved = isOwnTenant && (given.attempt < row.attempt || row.state === 'queued')
  if (row.agent_id !== agent.agentId && isMoved) throw lost
  const isForeign =
    row.agent_id !== agent.agentId ||
    !isOwnTenant ||
    // A process with another key, or an in-house worker.
    (row.state === 'running' && row.has_holder && row.holder_key !== agent.keyId)
  if (isForeign) throw await refuse('foreign_run', lost)
  if (given.attempt > row.attempt) throw await refuse('wrong_attempt', lost)
  if (given.attempt < row.attempt) throw lost
  if (row.state === 'done') return 'stored'
  if (row.started_at === null || row.leased_version === null || row.script === null) throw lost
  return {
    attempt: {
      id: row.id,
      run: { id: row.run_id, cause: row.cause, hasValues: row.has_values },
      attempt: row.attempt,
      organizationId: row.organization_id,
      serviceId: row.service_id,
      agentId: agent.agentId,
      agentSlug: agent.slug,
      isOwnAgent: agent.organizationId !== null,
    },
    claimedAt: new Date(row.started_at),
    now: new Date(row.now),
    version: row.leased_version,
    savesBodies: row.saves_bodies,
    ast: parseScript(row.service_id, row.leased_version, row.script),
  }
}

type RunRow = {
  id: string
  run_id: string
  cause: RunCause
  has_values: boolean
  attempt: number
  state: string
  organization_id: string
  service_id: string
  agent_id: string
  has_holder: boolean
  holder_key: string | null
  started_at: string | null
  leased_version: number | null
  script: string | null
  saves_bodies: boolean
  now: string
}

/**
 * Returns a run with the script that its agent was given. Without an organization, of any: a shared agent does not send
 * the organization of the run, and a run of another organization is refused as an attack.
 */
async function findRun(db: Db, id: string, organizationId?: string): Promise<RunRow | null> {
  if (organizationId !== undefined) {
    return selectRun(db, sql`runs r`, sql`r.organization_id = ${organizationId} and r.id = ${id}`)
  }
  const open = await selectRun(db, sql`runs r`, sql`r.id = ${id} and r.state <> 'done'`)
  return open ?? selectRun(db, ofAnyOrganization(id), sql`true`)
}

/**
 * The run of this id, as `r`, that is finished: an agent sends its result again when the response was lost. No index
 * has the ids of finished runs alone, because every run would write its entry: each organization is looked up, in 2 µs.
 */
function ofAnyOrganization(id: string): SQL {
  return sql`organizations o cross join lateral (
    select * from runs d where d.organization_id = o.id and d.id = ${id} offset 0) r`
}

async function selectRun(db: Db, from: SQL, where: SQL): Promise<RunRow | null> {
  const [row] = await db.execute<RunRow>(sql`
    select r.id, coalesce(r.run_id, r.id) as run_id, r.cause, r.values_digest is not null as has_values, r.attempt, r.state,
      r.organization_id, r.service_id, r.agent_id, w.id is not null as has_holder, w.key_id as holder_key, r.started_at,
      r.leased_version, s.save_response_bodies as saves_bodies, case when s.version = r.leased_version then s.script else v.script end as script, now() as now
    from ${from} join services s on (s.organization_id, s.id) = (r.organization_id, r.service_id)
      left join workers w on w.id = r.worker_id
      left join script_versions v on (v.organization_id, v.service_id) = (r.organization_id, r.service_id) and v.version = r.leased_version
    where ${where}`)
  return row ?? null
}
