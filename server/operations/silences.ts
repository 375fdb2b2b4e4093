import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Queryable, Tx } from '#db/client.ts'
import { and, asc, eq, type SQL, sql } from '#db/drizzle.cjs'
import { matchesRow } from '#db/row-match.ts'
import { projects, services, workspaces } from '#db/schema/resources.ts'
import { silences } from '#db/schema/scoped.ts'
import { reachesProject, reachesService, reachesWorkspace } from '../access.ts'
import { presentSilence } from '../alerts/alerts/silencing.ts'
import { audit, changedFields } from '../audit.ts'
import type { ActorContext } from '../context.ts'
import { ApiError, fieldInvalid, fieldRequired, notFound } from '../errors.ts'
import { readPage } from '../paging.ts'
import { requireResource } from '../resources.ts'
import { type ScopeRef, scopeIds } from '../row-scope.ts'
import { recurrenceProblem } from '../schedule/recurrence.ts'
import {
  QUIET_HOURS_MAX,
  SILENCE_CONFIG_MAX,
  SILENCES_MAX,
  Silence,
  SilenceChange,
  SilenceConfig,
  SilenceCreate,
  SilencePage,
} from '../schemas/alerts/silences.ts'
import { Ok, PageQuery, SilenceId } from '../schemas/conventions.ts'
import { RESOURCE_TYPES, type ResourceType } from '../schemas/scopes.ts'
import { memberProcedure, router } from '../trpc.ts'

const tags = ['Silences']
const SilenceRef = z.object({ id: SilenceId })

const list = memberProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/silences',
      operationId: 'listSilences',
      summary: "List the caller's silences",
      description: "The silences of the key's own member. Other members' silences are never shown.",
      tags,
    },
  })
  .input(PageQuery)
  .output(SilencePage)
  .query(({ ctx, input }) =>
    readPage(
      input,
      selectSilences(ctx.db, ctx).where(own(ctx)).orderBy(asc(silences.id)),
      () => ctx.db.$count(silences, own(ctx)),
      presentSilence,
    ),
  )

const create = memberProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/silences',
      operationId: 'createSilence',
      summary: 'Create a silence',
      description: `Suppresses notifications to the key's member, for one resource or for everything. A member has at most ${SILENCES_MAX} silences.`,
      tags,
    },
    needs: { on: RESOURCE_TYPES, level: 'visible' },
    api: { errors: ['field_invalid', 'field_required', 'silence_limit_reached'] },
  })
  .input(SilenceCreate)
  .use(async ({ ctx, input, next }) => {
    const until = checkParts(input)
    const scope = resourceTypeOf(input)
    const rule = checkCombination(
      { channel: input.channel, config: input.config ?? null, quietHours: input.quietHours ?? null },
      scope !== null,
    )
    return next({ ctx: { rule, until, target: await requireTarget(ctx, input, scope) } })
  })
  .output(Silence)
  .mutation(({ ctx }) => {
    // Not above: a repeated request with an `Idempotency-Key` gets its answer also after the silence.
    requireLater(ctx.until, ctx.now())
    return ctx.db.transaction(async (tx) => {
      const { ref, resourceName } = ctx.target
      await requireRoom(tx, ctx)
      const row = {
        id: uuidv7(),
        membershipId: ctx.actor.membershipId,
        ...scopeIds(ref),
        ...ctx.rule,
        createdAt: ctx.now(),
      }
      await tx.insert(silences).values(row)
      const created = { ...row, resourceName }
      await audit(tx, ctx, auditEntry('create', created))
      return presentSilence(created)
    })
  })

const get = memberProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/silences/{id}',
      operationId: 'getSilence',
      summary: 'Get a silence',
      description: "One silence of the key's own member.",
      tags,
    },
    needs: { on: ['silence'], level: 'write' },
  })
  .input(SilenceRef)
  .output(Silence)
  .query(async ({ ctx, input }) => presentSilence(await requireSilence(ctx.db, ctx, input.id)))

const update = memberProcedure
  .meta({
    openapi: {
      method: 'PATCH',
      path: '/silences/{id}',
      operationId: 'updateSilence',
      summary: 'Change a silence',
      description: 'Omitted fields keep their values; null clears `config` or `quietHours`.',
      tags,
    },
    needs: { on: ['silence'], level: 'write' },
    api: { errors: ['field_invalid', 'field_required'] },
  })
  .input(SilenceRef.extend(SilenceChange.shape))
  .output(Silence)
  .mutation(({ ctx, input }) => {
    requireLater(checkParts(input), ctx.now())
    return ctx.db.transaction(async (tx) => {
      const row = await requireSilence(tx, ctx, input.id, true)
      const rule = checkCombination(
        {
          channel: input.channel ?? row.channel,
          config: input.config === undefined ? row.config : input.config,
          quietHours: input.quietHours === undefined ? row.quietHours : input.quietHours,
        },
        hasResource(row),
      )
      await tx.update(silences).set(rule).where(matchesRow(silences.id, row))
      await audit(tx, ctx, { ...auditEntry('update', row), details: changedFields(row, rule) })
      return presentSilence({ ...row, ...rule })
    })
  })

const remove = memberProcedure
  .meta({
    openapi: {
      method: 'DELETE',
      path: '/silences/{id}',
      operationId: 'deleteSilence',
      summary: 'Delete a silence',
      description: 'From then on, notifications that it suppressed are sent.',
      tags,
    },
    needs: { on: ['silence'], level: 'write' },
  })
  .input(SilenceRef)
  .output(Ok)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const row = await requireSilence(tx, ctx, input.id, true)
      await tx.delete(silences).where(matchesRow(silences.id, row))
      await audit(tx, ctx, auditEntry('delete', row))
      return { ok: true as const }
    }),
  )

export const silencesRouter = router({ list, create, get, update, remove })

/** Returns the member's silence as the API shows it, null when it no longer exists. */
export async function findSilence(ctx: ActorContext, id: string): Promise<Silence | null> {
  const [row] = await selectSilences(ctx.db, ctx).where(and(own(ctx), eq(silences.id, id)))
  return row ? presentSilence(row) : null
}

type Rule = { channel: 'email' | 'all' | 'quiet-hours'; config: string | null; quietHours: string | null }

/**
 * Checks each given part of a silence. Returns when the silence ends, if `config` says so.
 * @throws ApiError `field_invalid` naming the part
 */
function checkParts({ channel, config, quietHours }: z.output<typeof SilenceChange>): string | undefined {
  if (channel === 'webhook') throw fieldInvalid('channel', 'must not be webhook: pause the webhook binding instead')
  requireLength('config', config, SILENCE_CONFIG_MAX)
  requireLength('quietHours', quietHours, QUIET_HOURS_MAX)
  const until = typeof config === 'string' ? parseConfig(config).until : undefined
  if (typeof quietHours === 'string') {
    const problem = recurrenceProblem(quietHours, 'quietHours')
    if (problem) throw fieldInvalid('quietHours', problem)
  }
  return until
}

function requireLater(until: string | undefined, now: Date): void {
  if (until !== undefined && Date.parse(until) <= now.getTime()) throw fieldInvalid('config', 'until: has passed')
}

function requireLength(field: string, text: string | null | undefined, max: number): void {
  if (text && text.length > max) throw fieldInvalid(field, `must be at most ${max} characters long`, { max })
}

/**
 * Checks whether the parts of a silence fit together.
 * @throws ApiError `field_invalid` or `field_required` naming the part
 */
function checkCombination(
  rule: { channel: string; config: string | null; quietHours: string | null },
  hasResource: boolean,
): Rule {
  const { channel, config, quietHours } = rule
  if (channel === 'quiet-hours') {
    if (hasResource)
      throw fieldInvalid('channel', 'must not be quiet-hours with a resource: quiet hours cover the whole organization')
    if (quietHours === null) throw fieldRequired('quietHours')
  }
  return { channel: channel as Rule['channel'], config, quietHours }
}

function parseConfig(text: string): SilenceConfig {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw fieldInvalid('config', 'must be JSON')
  }
  const { data, error } = SilenceConfig.safeParse(value)
  if (data) return data
  const { path = [], message = '' } = error.issues[0] ?? {}
  throw fieldInvalid('config', `${path.length > 0 ? `${path.join('.')}: ` : ''}${message}`)
}

type Target = Pick<z.output<typeof SilenceCreate>, 'workspaceId' | 'projectId' | 'serviceId'>

/**
 * Returns the type of the resource that the input names, null when it names no resource.
 * @throws ApiError `field_invalid` when it names more than one
 */
function resourceTypeOf(input: Target): ResourceType | null {
  const named = RESOURCE_TYPES.filter((type) => input[`${type}Id`])
  if (named.length > 1)
    throw fieldInvalid(`${named[1]}Id`, `must not be given with ${named[0]}Id: a silence applies to one resource`)
  return named[0] ?? null
}

/** @throws ApiError `not_found` for a resource that the caller cannot see */
async function requireTarget(
  ctx: ActorContext,
  input: Target,
  scope: ResourceType | null,
): Promise<{ ref: ScopeRef; resourceName: string | null }> {
  const { organizationId } = ctx.actor
  if (scope === null)
    return { ref: { organizationId, scope: 'organization', resourceId: organizationId }, resourceName: null }
  const { id, name } = await requireResource(ctx, scope, input[`${scope}Id`] as string, 'visible', `${scope}Id`)
  return { ref: { organizationId, scope, resourceId: id }, resourceName: name }
}

type Row = typeof silences.$inferSelect & { resourceName: string | null }

/** Selects the resource's name too, null when the caller can no longer see the resource. */
function selectSilences(db: Queryable, ctx: ActorContext) {
  const { actor } = ctx
  return db
    .select({
      id: silences.id,
      organizationId: silences.organizationId,
      membershipId: silences.membershipId,
      workspaceId: silences.workspaceId,
      projectId: silences.projectId,
      serviceId: silences.serviceId,
      channel: silences.channel,
      config: silences.config,
      quietHours: silences.quietHours,
      createdAt: silences.createdAt,
      resourceName: sql<string | null>`coalesce(${workspaces.name}, ${projects.name}, ${services.name})`,
    })
    .from(silences)
    .leftJoin(workspaces, and(matchesRow(silences.workspaceId, workspaces), reachesWorkspace(actor, 'visible')))
    .leftJoin(projects, and(matchesRow(silences.projectId, projects), reachesProject(actor, 'visible')))
    .leftJoin(services, and(matchesRow(silences.serviceId, services), reachesService(actor, 'visible')))
}

/**
 * Counts under a lock, so that parallel requests cannot exceed the limit.
 * @throws ApiError `silence_limit_reached`
 */
async function requireRoom(tx: Tx, ctx: ActorContext): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`silences:${ctx.actor.membershipId}`}, 0))`)
  if ((await tx.$count(silences, own(ctx))) >= SILENCES_MAX) {
    throw new ApiError('silence_limit_reached', { max: SILENCES_MAX })
  }
}

/** @throws ApiError `not_found` when absent or another member's */
async function requireSilence(db: Queryable, ctx: ActorContext, id: string, lock = false): Promise<Row> {
  const query = selectSilences(db, ctx).where(and(own(ctx), eq(silences.id, id)))
  const [row] = await (lock ? query.for('update', { of: silences }) : query)
  if (!row) throw notFound('id')
  return row
}

function own(ctx: ActorContext): SQL {
  return and(
    eq(silences.organizationId, ctx.actor.organizationId),
    eq(silences.membershipId, ctx.actor.membershipId),
  ) as SQL
}

function hasResource(row: Row): boolean {
  return (row.workspaceId ?? row.projectId ?? row.serviceId) !== null
}

function auditEntry(verb: string, row: Row) {
  return {
    action: `silence.${verb}`,
    entityType: 'silence',
    entityId: row.id,
    entityName: hasResource(row) ? row.resourceName : 'everything',
    details: { channel: row.channel, quietHours: row.quietHours, config: row.config },
  }
}
