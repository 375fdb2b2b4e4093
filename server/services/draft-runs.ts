import { v7 as uuidv7 } from 'uuid'
import type { Queryable, Tx } from '#db/client.ts'
import { and, count, eq, ne, sql } from '#db/drizzle.cjs'
import { matchesRow } from '#db/row-match.ts'
import { draftRuns, type StoredDraftResult } from '#db/schema/drafts.ts'
import { memberships } from '#db/schema/organizations.ts'
import { agents } from '#db/schema/resources.ts'
import type { ActorContext } from '../context.ts'
import { ApiError } from '../errors.ts'
import { failureOf } from '../results/results/failure.ts'
import { withoutRunError } from '../results/results/run-error.ts'
import { presentSteps } from '../results/results/step-view.ts'
import { isWorkerAlive } from '../schedule/agent-liveness.ts'
import { eligibleAgents } from '../schedule/placement.ts'
import { type RunValues, sealRunValues } from '../schedule/run-values.ts'
import { isUsable } from '../schedule/usable-agents.ts'
import type { DraftResult, DraftRun } from '../schemas/new-service/drafts.ts'

/** Draft runs that may be queued or running at the same time. */
const OPEN_PER_PERSON = 2
const OPEN_PER_ORGANIZATION = 6
/** Workers take a queued draft run within this time or leave it. */
const QUEUE_SECONDS = 60
/** A worker that lives ends each draft run within its limit and this time. */
const GRACE_SECONDS = 30

type DraftRow = typeof draftRuns.$inferSelect

/**
 * Queues a draft run on a live agent. The caller has validated the script.
 * @throws ApiError `rate_limited` while too many are open, `busy` when no agent is live
 */
export async function startDraft(
  tx: Tx,
  ctx: ActorContext,
  { secrets, ...draft }: { serviceId: string | null; script: string; secrets: RunValues },
): Promise<DraftRow> {
  const { organizationId, membershipId } = ctx.actor
  await requireFewOpen(tx, ctx)
  const agentId = await liveAgent(tx, organizationId, draft.serviceId)
  if (agentId === null) {
    const reason = 'no worker of this installation is running for it at the moment; remote agents take no test runs'
    throw new ApiError('busy', { reason }, { 'Retry-After': '30' })
  }
  const id = uuidv7()
  const sealed = Object.keys(secrets).length > 0 ? sealRunValues(ctx.vault, { organizationId, id }, secrets) : null
  const [row] = await tx
    .insert(draftRuns)
    .values({ id, organizationId, membershipId, agentId, ...draft, sealed })
    .returning()
  return row as DraftRow
}

/** Counts under locks, so that parallel starts cannot exceed a limit. A person counts in all their organizations. */
async function requireFewOpen(tx: Tx, ctx: ActorContext): Promise<void> {
  const { organizationId, userId } = ctx.actor
  // The organization first, always: so no two starts wait for each other.
  for (const who of [organizationId, userId]) {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`drafts:${who}`}, 0))`)
  }
  const unfinished = and(ne(draftRuns.state, 'done'), isOpen(ctx))
  const ofOrganization = await tx.$count(draftRuns, and(eq(draftRuns.organizationId, organizationId), unfinished))
  const [own] = await tx
    .select({ count: count() })
    .from(memberships)
    .innerJoin(draftRuns, matchesRow(draftRuns.membershipId, memberships))
    .where(and(eq(memberships.userId, userId), unfinished))
  if (Number(own?.count) < OPEN_PER_PERSON && ofOrganization < OPEN_PER_ORGANIZATION) return
  const reason = `at most ${OPEN_PER_PERSON} test runs of a person and ${OPEN_PER_ORGANIZATION} of an organization run at the same time`
  throw new ApiError('rate_limited', { reason }, { 'Retry-After': '10' })
}

/** Whether an unfinished draft run can still end. */
function isOpen(ctx: ActorContext) {
  const runSeconds = ctx.settings.PROBE_RUN_TIMEOUT + GRACE_SECONDS
  return sql<boolean>`case ${draftRuns.state}
    when 'queued' then ${draftRuns.createdAt} > now() - make_interval(secs => ${QUEUE_SECONDS})
    else ${draftRuns.startedAt} > now() - make_interval(secs => ${runSeconds}) end`
}

/**
 * Any agent with a live in-house worker that the service may run on; without a service, any that the organization can use.
 * Remote agents take no draft runs.
 */
async function liveAgent(tx: Tx, organizationId: string, serviceId: string | null): Promise<string | null> {
  const usable = await agentsOf(tx, organizationId)
  const eligible =
    serviceId === null ? null : (await eligibleAgents(tx, [{ organizationId, id: serviceId }])).get(serviceId)
  const ids = eligible ? usable.filter((id) => eligible.some((agent) => agent.id === id)) : usable
  return ids[Math.floor(Math.random() * ids.length)] ?? null
}

async function agentsOf(tx: Tx, organizationId: string): Promise<string[]> {
  const rows = await tx
    .select({ id: agents.id })
    .from(agents)
    .where(
      and(
        isUsable(sql`agents`, sql`${organizationId}::uuid`),
        sql`exists (select 1 from workers w
          where w.agent_id = ${agents.id} and w.kind = 'worker' and ${isWorkerAlive(sql`w`)})`,
      ),
    )
  return rows.map((row) => row.id)
}

/** Returns a draft run of the calling member, or null. */
export async function findDraft(db: Queryable, ctx: ActorContext, id: string): Promise<DraftRun | null> {
  const { organizationId, membershipId } = ctx.actor
  const [found] = await db
    .select({ row: draftRuns, isOpen: isOpen(ctx) })
    .from(draftRuns)
    .where(
      and(eq(draftRuns.id, id), eq(draftRuns.organizationId, organizationId), eq(draftRuns.membershipId, membershipId)),
    )
  return found ? presentDraft(found.row, found.isOpen, ctx.now()) : null
}

export function presentDraft(row: DraftRow, isRunnable: boolean, now: Date): DraftRun {
  const { id, serviceId, state } = row
  return {
    id,
    serviceId,
    state: state === 'done' || isRunnable ? state : 'lost',
    createdAt: row.createdAt.toISOString(),
    result: row.result ? presentResult(row.result, now) : null,
  }
}

function presentResult(stored: StoredDraftResult, now: Date): DraftResult {
  const failure = failureOf(stored)
  const steps = presentSteps({ steps: stored.steps, startedAt: new Date(stored.startedAt) }, new Map(), now, 1)
  return {
    status: stored.status,
    startedAt: stored.startedAt,
    runDurationMs: stored.runDurationMs,
    agentSlug: stored.agentSlug,
    error: failure?.error ?? null,
    failure,
    rawResult: withoutRunError(stored.raw),
    steps,
    bodies: stored.bodies,
  }
}
