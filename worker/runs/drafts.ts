import { uuids } from '#db/any-of.ts'
import type { Db } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import type { StoredDraftResult } from '#db/schema/drafts.ts'
import { offsetClock } from '#server/language/lace/executor/clock.ts'
import { notification } from '#server/live/announce.ts'
import { GRACE_MS } from '#server/process/lifecycle.ts'
import { log } from '#server/process/log.ts'
import type { WorkerIdentity } from '#server/runs/probes/leases.ts'
import { type Draft, loadDraft } from '#server/runs/probes/load.ts'
import { topics } from '#server/schemas/live/topics.ts'
import type { TrustSettings } from '#server/scripts/verified-domains.ts'
import type { Vault } from '#server/vault.ts'
import type { RunTransports } from '../http/shared-transport.ts'
import { captureDraftBodies } from '../probe/draft-bodies.ts'
import { type ExecuteOptions, executeRun } from '../probe/execute.ts'

/** Draft runs that a worker executes at the same time, in addition to its runs. */
const DRAFTS_MAX = 4
/** Of these, draft runs of one organization: none can block the others. */
const DRAFTS_PER_ORGANIZATION = 2

export type DraftRunner = {
  /** Starts queued draft runs of the agent: one tick. */
  pick: () => Promise<void>
  /** Resolves when those in flight have ended. After `GRACE_MS` they are stopped and queued again. */
  drain: () => Promise<void>
}

type ClaimedDraft = Draft & { clockAheadMs: number }

type DraftOptions = Omit<ExecuteOptions, 'transport' | 'bodies' | 'load'> & {
  vault: Vault
  /** Decides which domains a script may target without restrictions. */
  trust: TrustSettings
  transportOf: RunTransports
}

/** Executes draft runs as the prober executes runs, but stores nothing except the result that the draft run shows. */
export function createDraftRunner(db: Db, worker: WorkerIdentity, options: DraftOptions): DraftRunner {
  const inFlight = new Map<Promise<void>, { organizationId: string }>()
  const stopping = new AbortController()

  const execute = async (draft: ClaimedDraft): Promise<StoredDraftResult | null> => {
    const { id, organizationId, serviceId, agentId } = draft
    const shared = options.transportOf({ organizationId }, performance.now() + options.runTimeoutMs)
    const bodies = captureDraftBodies()
    try {
      const run = { id, attempt: 1, organizationId, serviceId: serviceId ?? id, agentId, agentSlug: worker.agentSlug }
      const finished = await executeRun(
        run,
        {
          ...options,
          transport: shared.transport,
          bodies: bodies.target,
          clock: offsetClock(draft.clockAheadMs),
          load: () => loadDraft(db, options.vault, draft, options.trust),
        },
        stopping.signal,
      )
      if (finished === null) return null
      const { status, startedAt, runDurationMs, raw, steps } = finished.result
      const { agentSlug } = worker
      return { status, startedAt: startedAt.toISOString(), runDurationMs, agentSlug, raw, ...bodies.attach(steps) }
    } finally {
      shared.release()
    }
  }

  const perform = async (draft: ClaimedDraft): Promise<void> => {
    try {
      await finishDraft(db, draft, await execute(draft))
    } catch (error) {
      if (stopping.signal.aborted) await requeueDraft(db, draft)
      // The draft run stays `running` until it counts as lost.
      else log.error({ err: error, draftId: draft.id }, 'a draft run could not be executed or stored')
    }
  }

  return {
    async pick() {
      const claimed = await claimDrafts(db, worker, [...inFlight.values()])
      for (const draft of claimed) {
        const ended: Promise<void> = perform(draft)
          .catch((error) => log.error({ err: error, draftId: draft.id }, 'a draft run could not be queued again'))
          .finally(() => inFlight.delete(ended))
        inFlight.set(ended, draft)
      }
    },
    async drain() {
      const grace = setTimeout(() => stopping.abort(), GRACE_MS)
      await Promise.all(inFlight.keys())
      clearTimeout(grace)
    },
  }
}

/**
 * Claims queued draft runs of the agent: the oldest of each organization before their next. `inFlight` are those that the
 * worker executes already. One that waited for a minute counts as lost and is left.
 */
async function claimDrafts(
  db: Db,
  worker: WorkerIdentity,
  inFlight: { organizationId: string }[],
): Promise<ClaimedDraft[]> {
  const max = DRAFTS_MAX - inFlight.length
  if (max <= 0) return []
  const executing = uuids(inFlight.map(({ organizationId }) => organizationId))
  const rows = await db.execute<{
    id: string
    organization_id: string
    service_id: string | null
    script: string
    sealed: Buffer | null
    now_ms: number
  }>(sql`
    with ranked as (
      select q.organization_id, q.id, row_number() over (partition by q.organization_id order by q.created_at)
        + (select count(*) from unnest(${executing}) e (id) where e.id = q.organization_id) as place
      from draft_runs q
      where q.agent_id = ${worker.agentId} and q.state = 'queued' and q.created_at > now() - interval '1 minute'),
    free as (
      select q.organization_id, q.id
      from draft_runs q join ranked r on (r.organization_id, r.id) = (q.organization_id, q.id)
      where q.state = 'queued' and r.place <= ${DRAFTS_PER_ORGANIZATION}
      order by r.place, q.created_at limit ${max} for update of q skip locked)
    update draft_runs d set state = 'running', started_at = now() from free
    where (d.organization_id, d.id) = (free.organization_id, free.id)
    returning d.id, d.organization_id, d.service_id, d.script, d.sealed, (extract(epoch from now()) * 1000)::float8 as now_ms`)
  const localMs = Date.now()
  return rows.map((row) => ({
    id: row.id,
    organizationId: row.organization_id,
    serviceId: row.service_id,
    agentId: worker.agentId,
    script: row.script,
    sealed: row.sealed,
    clockAheadMs: row.now_ms - localMs,
  }))
}

async function finishDraft(
  db: Db,
  { id, organizationId }: ClaimedDraft,
  result: StoredDraftResult | null,
): Promise<void> {
  await db.execute(sql`
    update draft_runs set state = 'done', sealed = null, result = ${result === null ? null : JSON.stringify(result)}::jsonb
    where organization_id = ${organizationId} and id = ${id} and state = 'running'
    returning ${notification(organizationId, [topics.draft])}`)
}

async function requeueDraft(db: Db, { organizationId, id }: ClaimedDraft): Promise<void> {
  await db.execute(sql`
    update draft_runs set state = 'queued'
    where organization_id = ${organizationId} and id = ${id} and state = 'running'`)
}
