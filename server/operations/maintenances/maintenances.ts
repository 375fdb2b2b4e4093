import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Tx } from '#db/client.ts'
import { and, eq, sql } from '#db/drizzle.cjs'
import { matchesRow } from '#db/row-match.ts'
import { maintenances } from '#db/schema/maintenances.ts'
import { audit, changedFields } from '../../audit.ts'
import type { ActorContext } from '../../context.ts'
import { ApiError, fieldInvalid, fieldRequired } from '../../errors.ts'
import { readPage } from '../../paging.ts'
import { requireResource } from '../../resources.ts'
import { type ScopeRef, scopeIds } from '../../row-scope.ts'
import { parseRecurrence } from '../../schedule/recurrence.ts'
import { MaintenanceId, Ok } from '../../schemas/conventions.ts'
import {
  MAINTENANCES_MAX,
  Maintenance,
  MaintenanceChange,
  MaintenanceCreate,
  MaintenancePage,
  MaintenanceQuery,
} from '../../schemas/maintenances/maintenances.ts'
import { RESOURCE_TYPES } from '../../schemas/scopes.ts'
import { memberProcedure, router } from '../../trpc.ts'
import {
  concerns,
  inOrder,
  type MaintenanceRow,
  presentMaintenance,
  requireMaintenance,
  selectMaintenances,
  stateIs,
} from './rows.ts'
import { changedEnd, checkChange, checkTimes, endedNow, lastHeld, timesOf } from './times.ts'
import { windows } from './windows.ts'

const tags = ['Maintenances']
const MaintenanceRef = z.object({ id: MaintenanceId })

const list = memberProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/maintenances',
      operationId: 'listMaintenances',
      summary: 'List the maintenances: what is on, next and past',
      description:
        'The maintenances of workspaces, projects and services that the caller can read. Active ones come first, then ' +
        'upcoming ones by their start, then past ones, the latest first. At most one of `serviceId`, `projectId` and ' +
        '`workspaceId` may be given.',
      tags,
    },
    needs: { on: RESOURCE_TYPES, level: 'read' },
  })
  .input(MaintenanceQuery)
  .output(MaintenancePage)
  .query(async ({ ctx, input }) => {
    const now = ctx.now()
    const where = and(await concerns(ctx, input), stateIs(input.state, now))
    const selected = selectMaintenances(ctx.db, ctx, 'read', where)
    return readPage(
      input,
      selectMaintenances(ctx.db, ctx, 'read', where).orderBy(...inOrder(now)),
      () => ctx.db.$count(selected.as('counted')),
      (row) => presentMaintenance(row, now),
    )
  })

const create = memberProcedure
  .meta({
    openapi: {
      method: 'POST',
      path: '/maintenances',
      operationId: 'createMaintenance',
      summary: 'Start or plan a maintenance',
      description:
        'While a maintenance is on, the services of its workspace, project or service wake nobody: their results count for no ' +
        'state, incident or uptime. An incident that is open stays open. What still fails in the first run after the end is ' +
        `an incident then. An organization has at most ${MAINTENANCES_MAX} that are on or planned.`,
      tags,
    },
    needs: { on: RESOURCE_TYPES, level: 'write' },
    api: { errors: ['field_invalid', 'field_required', 'maintenance_limit_reached'] },
  })
  .input(MaintenanceCreate)
  .use(async ({ ctx, input, next }) => {
    const [type, other] = RESOURCE_TYPES.filter((each) => input[`${each}Id`] != null)
    if (!type) throw fieldRequired('projectId')
    if (other) throw fieldInvalid(`${other}Id`, `must not be given with ${type}Id: give one of them`)
    if (type === 'service' && input.label) throw fieldInvalid('label', 'must not be given with serviceId')
    checkTimes(input)
    const { id } = await requireResource(ctx, type, input[`${type}Id`] as string, 'write', `${type}Id`)
    const scope: ScopeRef = { organizationId: ctx.actor.organizationId, scope: type, resourceId: id }
    return next({ ctx: { scope } })
  })
  .output(Maintenance)
  .mutation(async ({ ctx, input }) => {
    const { actor, scope } = ctx
    const now = ctx.now()
    const zone = input.timezone ?? actor.timezone
    // Not above: a repeated request with an `Idempotency-Key` gets its answer also after the end.
    const times = await timesOf(input, now, zone)
    const rule = input.rule ?? null
    return ctx.db.transaction(async (tx) => {
      await requireRoom(tx, ctx)
      const row = {
        id: uuidv7(),
        ...scopeIds(scope),
        label: input.label || null,
        mode: input.mode,
        ...times,
        previousStartsAt: null,
        previousEndsAt: null,
        rule,
        timezone: rule === null ? null : (parseRecurrence(rule, 'serviceWindow').timezone ?? zone),
        note: input.note || null,
        createdBy: actor.membershipId,
        createdName: actor.displayName,
        createdAt: now,
        endedAt: null,
        endedBy: null,
        endedName: null,
        deletedAt: null,
      }
      await tx.insert(maintenances).values(row)
      const created = await requireMaintenance(tx, ctx, row.id, 'read')
      await audit(tx, ctx, { ...auditEntry('create', created), details: detailsOf(created) })
      return presentMaintenance(created, now)
    })
  })

const get = memberProcedure
  .meta({
    openapi: {
      method: 'GET',
      path: '/maintenances/{id}',
      operationId: 'getMaintenance',
      summary: 'Get a maintenance',
      description: 'One maintenance with its state.',
      tags,
    },
    needs: { on: ['maintenance'], level: 'read' },
  })
  .input(MaintenanceRef)
  .output(Maintenance)
  .query(async ({ ctx, input }) => {
    return presentMaintenance(await requireMaintenance(ctx.db, ctx, input.id, 'read'), ctx.now())
  })

const update = memberProcedure
  .meta({
    openapi: {
      method: 'PATCH',
      path: '/maintenances/{id}',
      operationId: 'updateMaintenance',
      summary: 'Extend a maintenance, end it now, or change its note',
      description:
        'Omitted fields keep their values. To end it now, send `end`; to change its end, `endsAt` or `minutes`.',
      tags,
    },
    needs: { on: ['maintenance'], level: 'write' },
    api: { errors: ['field_invalid'] },
  })
  .input(MaintenanceRef.extend(MaintenanceChange.shape).meta({ example: { minutes: 30, note: 'deploy 42' } }))
  .output(Maintenance)
  .mutation(({ ctx, input }) => {
    checkChange(input)
    return ctx.db.transaction(async (tx) => {
      const row = await requireMaintenance(tx, ctx, input.id, 'write', true)
      const now = ctx.now()
      const endsAt = changedEnd(row, input, now)
      const ended = input.end ? await endedNow(row, now) : null
      const by = ended?.endedAt && { endedBy: ctx.actor.membershipId, endedName: ctx.actor.displayName }
      const changed = {
        ...(endsAt && { endsAt }),
        ...ended,
        ...by,
        ...(input.note !== undefined && { note: input.note || null }),
      }
      const shown = { ...row, ...changed }
      if (Object.keys(changed).length > 0) {
        await tx.update(maintenances).set(changed).where(matchesRow(maintenances.id, row))
      }
      const { endsAt: end, note } = shown
      await audit(tx, ctx, {
        ...auditEntry(ended ? 'end' : 'update', row),
        details: ended ? detailsOf(row) : changedFields(row, { endsAt: end, note }),
      })
      return presentMaintenance(shown, now)
    })
  })

const remove = memberProcedure
  .meta({
    openapi: {
      method: 'DELETE',
      path: '/maintenances/{id}',
      operationId: 'deleteMaintenance',
      summary: 'Delete a maintenance',
      description:
        'One that is on ends, one that recurs ends for good. To keep it among the past ones, end it instead.',
      tags,
    },
    needs: { on: ['maintenance'], level: 'write' },
  })
  .input(MaintenanceRef)
  .output(Ok)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const row = await requireMaintenance(tx, ctx, input.id, 'write', true)
      const now = ctx.now()
      const held = lastHeld(row, now)
      const one = matchesRow(maintenances.id, row)
      // A run that began while it was on may be stored later: it still finds that time.
      if (held)
        await tx
          .update(maintenances)
          .set({ ...held, endedAt: row.endedAt ?? now, deletedAt: now })
          .where(one)
      else await tx.delete(maintenances).where(one)
      await audit(tx, ctx, { ...auditEntry('delete', row), details: detailsOf(row) })
      return { ok: true as const }
    }),
  )

export const maintenancesRouter = router({ list, create, get, update, remove, windows })

/**
 * Counts under a lock, so that parallel requests cannot exceed the limit.
 * @throws ApiError `maintenance_limit_reached`
 */
async function requireRoom(tx: Tx, { actor: { organizationId } }: ActorContext): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`maintenances:${organizationId}`}, 0))`)
  const open = sql`(${maintenances.endsAt} > now() or (${maintenances.rule} is not null and ${maintenances.endedAt} is null))`
  const held = await tx.$count(maintenances, and(eq(maintenances.organizationId, organizationId), open))
  if (held >= MAINTENANCES_MAX) throw new ApiError('maintenance_limit_reached', { max: MAINTENANCES_MAX })
}

function auditEntry(verb: string, { id, resourceName }: MaintenanceRow) {
  return { action: `maintenance.${verb}`, entityType: 'maintenance', entityId: id, entityName: resourceName }
}

function detailsOf({ mode, startsAt, endsAt, rule, label, note }: MaintenanceRow) {
  return { mode, startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString(), rule, label, note }
}
