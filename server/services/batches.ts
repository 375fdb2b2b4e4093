import { setTimeout } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import type { Queryable, Tx } from '#db/client.ts'
import { databaseNow } from '#db/clock.ts'
import type { PgTable } from '#db/drizzle.cjs'
import {
  and,
  asc,
  eq,
  exists,
  inArray,
  isNotNull,
  isNull,
  not,
  notExists,
  notInArray,
  or,
  type SQL,
  sql,
} from '#db/drizzle.cjs'
import { matchesId, matchesRow } from '#db/row-match.ts'
import { projects, services, workspaces } from '#db/schema/resources.ts'
import { serviceStates } from '#db/schema/results.ts'
import { batchRuns, runBatches } from '#db/schema/run-requests.ts'
import { reachesProject, reachesService, reachesWorkspace } from '../access.ts'
import type { Actor, ActorContext } from '../context.ts'
import { ApiError, fieldInvalid, notFound, unavailable } from '../errors.ts'
import { type RunState, readRunStates } from '../runs/runs/read-runs.ts'
import { BATCH_SERVICES_MAX, type Batch, type BatchRequest, type BatchRun } from '../schemas/runs/batches.ts'
import { requestServiceRun } from './request-service-run.ts'

/** How long a batch waits for others of its organization, and when a refused one may come again. */
const TURN_MS = 15_000
const RETRY_SECONDS = 5

/** The workspace or the project whose services a batch runs. */
export type BatchScope = { workspaceId: string; projectId: string | null; within: SQL }

/**
 * Requests a run of each service in the scope that the caller may write and the request selects. Services that cannot
 * run are listed with the reason. Returns the batch's id.
 * @throws ApiError `field_invalid` when the request selects more services than a batch may have
 */
export async function requestBatch(
  tx: Tx,
  ctx: ActorContext,
  { workspaceId, projectId, within }: BatchScope,
  request: BatchRequest,
): Promise<string> {
  const rows = await lockSelected(tx, ctx, within, request)
  if (rows.length > BATCH_SERVICES_MAX) {
    throw fieldInvalid('label', `must select at most ${BATCH_SERVICES_MAX} services`, { max: BATCH_SERVICES_MAX })
  }
  const id = uuidv7()
  const { organizationId, membershipId } = ctx.actor
  const batch = { id, organizationId, workspaceId, projectId, note: request.note ?? null, membershipId }
  await tx.insert(runBatches).values(batch)
  const now = await databaseNow(tx)
  const requested: (typeof batchRuns.$inferInsert)[] = []
  for (const { id: serviceId, name: serviceName } of rows) {
    const outcome = await requestOne(tx, ctx, serviceId, request, { now, batchId: id })
    requested.push({ batchId: id, organizationId, serviceId, serviceName, ...outcome })
  }
  if (requested.length > 0) await tx.insert(batchRuns).values(requested)
  return id
}

/**
 * Calls `work` in a transaction that no other batch of the organization has at the same time: a batch takes long, and
 * several that lock the same services would each hold a connection. Waits for its turn without one.
 * @throws ApiError `service_unavailable` when the turn does not come
 */
export async function inTurn<T>({ db, actor }: ActorContext, work: (tx: Tx) => Promise<T>): Promise<T> {
  const until = performance.now() + TURN_MS
  for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, 500)) {
    try {
      // The transaction returns the output itself, because an Idempotency-Key stores what it returns.
      return await db.transaction(async (tx) => {
        const [row] = await tx.execute<{ locked: boolean }>(
          sql`select pg_try_advisory_xact_lock(hashtextextended(${`batches:${actor.organizationId}`}, 0)) as locked`,
        )
        if (!row?.locked) throw new NotInTurn()
        return work(tx)
      })
    } catch (error) {
      if (!(error instanceof NotInTurn)) throw error
    }
    if (performance.now() + pauseMs > until) throw unavailable(RETRY_SECONDS)
    await setTimeout(pauseMs)
  }
}

class NotInTurn extends Error {}

/** Locked in the order of their ids, so that two batches cannot deadlock, and no service is switched off meanwhile. */
function lockSelected(tx: Tx, { actor }: ActorContext, within: SQL, { label, state }: BatchRequest) {
  const ofLabel = label === undefined ? undefined : sql`${label} = any(${services.labels})`
  const ofState = state && hasState(tx, actor.organizationId, state)
  return tx
    .select({ id: services.id, name: services.name })
    .from(services)
    .where(and(within, reachesService(actor, 'write'), ofLabel, ofState))
    .orderBy(asc(services.id))
    .limit(BATCH_SERVICES_MAX + 1)
    .for('share', { of: services })
}

function hasState(tx: Tx, organizationId: string, state: NonNullable<BatchRequest['state']>): SQL {
  const latest = tx.select({ id: serviceStates.serviceId }).from(serviceStates)
  const own = eq(serviceStates.organizationId, organizationId)
  if (state === 'new') return notInArray(services.id, latest.where(and(own, isNotNull(serviceStates.lastStatus))))
  const statuses = state === 'failed' ? (['failure', 'timeout'] as const) : (['success'] as const)
  return inArray(services.id, latest.where(and(own, inArray(serviceStates.lastStatus, [...statuses]))))
}

type Outcome = { runId: string | null; reason: string | null }

async function requestOne(
  tx: Tx,
  ctx: ActorContext,
  serviceId: string,
  request: BatchRequest,
  options: { now: Date; batchId: string },
): Promise<Outcome> {
  try {
    return { runId: (await requestServiceRun(tx, ctx, serviceId, request, options)).runId, reason: null }
  } catch (error) {
    if (error instanceof ApiError) return { runId: null, reason: error.api }
    throw error
  }
}

/**
 * Returns the batch with the services that the caller can read. The member who requested it also sees deleted ones.
 * @throws ApiError `not_found` when the caller cannot see the batch's project or workspace, or it is not stored
 */
export async function readBatch(db: Queryable, ctx: ActorContext, id: string): Promise<Batch> {
  const { actor } = ctx
  const isDeleted = notExists(one(db, services, matchesRow(batchRuns.serviceId, services)))
  const isReadable = exists(
    one(db, services, matchesRow(batchRuns.serviceId, services), reachesService(actor, 'visible')),
  )
  const rows = await db
    .select({ batch: runBatches, item: batchRuns, isDeleted: not(isReadable) as SQL<boolean> })
    .from(runBatches)
    .leftJoin(
      batchRuns,
      and(
        matchesRow(batchRuns.batchId, runBatches),
        or(isReadable, and(eq(runBatches.membershipId, actor.membershipId), isDeleted)),
      ),
    )
    .where(and(matchesId(runBatches.id, actor.organizationId, id), isPlaceVisible(db, actor)))
    .orderBy(asc(batchRuns.serviceName), asc(batchRuns.serviceId))
  const [first] = rows
  if (!first) throw notFound('id')
  const { batch } = first
  const items = rows.flatMap(({ item, isDeleted }) => (item === null ? [] : [{ item, isDeleted }]))
  const runIds = items.flatMap(({ item }) => item.runId ?? [])
  const scope = { organizationId: batch.organizationId, serviceIds: items.map(({ item }) => item.serviceId) }
  const states = runIds.length > 0 ? await readRunStates({ ...ctx, db }, scope, runIds) : new Map<string, RunState>()
  const runs = items.map(({ item, isDeleted }) => {
    const state = item.runId === null ? undefined : states.get(item.runId)
    return toBatchRun(ctx.origin, item, state, isDeleted)
  })
  return {
    id: batch.id,
    url: `${ctx.origin}/batches/${batch.id}`,
    state: stateOf(runs),
    requestedAt: batch.createdAt.toISOString(),
    createdAt: batch.createdAt.toISOString(),
    note: batch.note,
    ...countOutcomes(runs),
    runs,
  }
}

/** Whether the caller can see the project of a batch, or the workspace of one without a project. */
function isPlaceVisible(db: Queryable, actor: Actor): SQL {
  const ofWorkspace = one(
    db,
    workspaces,
    matchesRow(runBatches.workspaceId, workspaces),
    reachesWorkspace(actor, 'visible'),
  )
  const ofProject = one(db, projects, matchesRow(runBatches.projectId, projects), reachesProject(actor, 'visible'))
  return or(and(isNull(runBatches.projectId), exists(ofWorkspace)), exists(ofProject)) as SQL
}

function one(db: Queryable, table: PgTable, ...conditions: SQL[]) {
  return db
    .select({ found: sql`1` })
    .from(table)
    .where(and(...conditions))
}

function toBatchRun(
  origin: string,
  { serviceId, serviceName, runId, reason }: typeof batchRuns.$inferSelect,
  run: RunState | undefined,
  isDeleted: boolean,
): BatchRun {
  return {
    serviceId,
    serviceName,
    runId,
    url: runId === null || isDeleted ? null : `${origin}/services/${serviceId}/runs/${runId}`,
    state: run?.state ?? 'done',
    outcome: run ? run.outcome : 'skipped',
    summary: run?.summary ?? null,
    skippedAgents: run?.skippedAgents ?? [],
    reason: isDeleted ? 'service_deleted' : (reason ?? (run ? null : 'run_expired')),
  }
}

function stateOf(runs: BatchRun[]): Batch['state'] {
  if (runs.every(({ state }) => state === 'done')) return 'done'
  return runs.every(({ state, runId }) => state === 'queued' || runId === null) ? 'queued' : 'running'
}

function countOutcomes(runs: BatchRun[]) {
  const count = (outcome: string | null) => runs.filter((run) => run.outcome === outcome).length
  return {
    total: runs.length,
    passed: count('success'),
    incomplete: runs.filter((run) => run.outcome === 'success' && run.skippedAgents.length > 0).length,
    failed: count('failure'),
    timedOut: count('timeout'),
    skipped: count('skipped'),
    cancelled: count('cancelled'),
    pending: count(null),
  }
}
