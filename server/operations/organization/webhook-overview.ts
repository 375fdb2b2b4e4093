import { z } from 'zod'
import { and, asc, eq, type SQL } from '#db/drizzle.cjs'
import { matchesRow } from '#db/row-match.ts'
import { webhookBindings, webhooks } from '#db/schema/webhooks.ts'
import type { ActorContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { readRows } from '../../paging.ts'
import { Id, type PageQuery } from '../../schemas/conventions.ts'
import { SearchedPage } from '../../schemas/organization/search.ts'
import { PRESETS, type WebhookPreset } from '../../schemas/organization/webhook-presets.ts'
import { BOUND_PLACES_SHOWN, WebhookOverview, WebhookOverviewPage } from '../../schemas/organization/webhooks.ts'
import { contains } from '../../services/places/contains.ts'
import { orgSessionProcedure } from '../../trpc.ts'
import { readFirstBindings } from '../webhooks/bindings.ts'

// Webhooks as the dashboard lists them: with their receiver and what they are bound to, without their configuration.

export const overview = orgSessionProcedure('webhooks', 'read')
  .meta({ api: { errors: ['insufficient_permissions'] } })
  .input(SearchedPage.prefault({}))
  .output(WebhookOverviewPage)
  .query(({ ctx, input }) => readOverview(ctx, input, contains(webhooks.name, input.q)))

export const summary = orgSessionProcedure('webhooks', 'read')
  .meta({ api: { errors: ['insufficient_permissions', 'not_found'] } })
  .input(z.object({ id: Id }))
  .output(WebhookOverview)
  .query(async ({ ctx, input }) => {
    const { items } = await readOverview(ctx, { page: 1, pageSize: 1 }, eq(webhooks.id, input.id))
    if (!items[0]) throw notFound('id')
    return items[0]
  })

async function readOverview(ctx: ActorContext, page: PageQuery, where: SQL | undefined) {
  const { db, actor } = ctx
  const found = and(eq(webhooks.organizationId, actor.organizationId), where)
  const { id, name, label, preset, method, createdAt } = webhooks
  const bindingCount = db.$count(webhookBindings, matchesRow(webhookBindings.webhookId, webhooks))
  const rows = await readRows(
    page,
    db
      .select({ id, name, label, preset, method, createdAt, bindingCount })
      .from(webhooks)
      .where(found)
      .orderBy(asc(createdAt), asc(id)),
    () => db.$count(webhooks, found),
  )
  const bindings = await readFirstBindings(
    ctx,
    rows.items.map((row) => row.id),
    BOUND_PLACES_SHOWN,
  )
  return {
    ...rows,
    items: rows.items.map(({ preset, method, ...row }) => ({
      ...row,
      receiver: preset === 'json' ? `${PRESETS.json.label}, ${method}` : PRESETS[preset as WebhookPreset].label,
      createdAt: row.createdAt.toISOString(),
      bindings: bindings.filter(({ webhookId }) => webhookId === row.id),
    })),
  }
}
