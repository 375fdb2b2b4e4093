import type { Queryable } from '#db/client.ts'
import { and, asc, eq, sql } from '#db/drizzle.cjs'
import { matchesId, matchesRow } from '#db/row-match.ts'
import { webhookBindings, webhooks } from '#db/schema/webhooks.ts'
import { closeUncoveredAlerts } from '../../alerts/alerts/open-alerts.ts'
import { audit } from '../../audit.ts'
import type { ActorContext } from '../../context.ts'
import { notFound } from '../../errors.ts'
import { readPage } from '../../paging.ts'
import { belongsToScope } from '../../row-scope.ts'
import { Ok, PageQuery } from '../../schemas/conventions.ts'
import { RESOURCE_TYPES } from '../../schemas/scopes.ts'
import {
  BindingChange,
  BindingCreate,
  BindingRef,
  BindingScopeRef,
  WebhookBinding,
  WebhookBindingPage,
  WebhookPage,
} from '../../schemas/webhooks.ts'
import { orgProcedure, router } from '../../trpc.ts'
import { insertBinding, listInherited, listOfWebhook, requireBindingScope } from './bindings.ts'

const tags = ['Webhooks']

const list = orgProcedure('webhooks', 'read')
  .meta({
    openapi: {
      method: 'GET',
      path: '/webhooks',
      operationId: 'listWebhooks',
      summary: 'List the webhooks',
      description: 'Webhooks are created and edited in the dashboard only.',
      tags,
    },
    api: { errors: ['insufficient_permissions'] },
  })
  .input(PageQuery)
  .output(WebhookPage)
  .query(({ ctx, input }) => {
    const own = eq(webhooks.organizationId, ctx.actor.organizationId)
    return readPage(
      input,
      ctx.db
        .select({
          id: webhooks.id,
          name: webhooks.name,
          label: webhooks.label,
          method: webhooks.method,
          bindingCount: sql<number>`(
            select count(*)::int from webhook_bindings b
            where (b.organization_id, b.webhook_id) = (${webhooks}.organization_id, ${webhooks}.id))`,
          createdAt: webhooks.createdAt,
        })
        .from(webhooks)
        .where(own)
        .orderBy(asc(webhooks.createdAt), asc(webhooks.id)),
      () => ctx.db.$count(webhooks, own),
      (row) => ({ ...row, createdAt: row.createdAt.toISOString() }),
    )
  })

const listBindings = orgProcedure('webhooks', 'read')
  .meta({
    openapi: {
      method: 'GET',
      path: '/webhooks/bindings',
      operationId: 'listWebhookBindings',
      summary: 'List the webhooks bound to a resource or the organization',
      description:
        'Lists the bindings of this scope itself, oldest first. For the organization, read on Webhooks is enough.',
      tags,
    },
    needs: { section: ['webhooks', 'read'], on: RESOURCE_TYPES, level: 'read' },
    api: { errors: ['insufficient_permissions'] },
  })
  .input(BindingScopeRef.extend(PageQuery.shape))
  .output(WebhookBindingPage)
  .query(async ({ ctx, input }) => {
    const { ref } = await requireBindingScope(ctx, input, 'read')
    const here = belongsToScope(webhookBindings, ref)
    return readPage(
      input,
      selectBindings(ctx.db).where(here).orderBy(asc(webhookBindings.createdAt), asc(webhookBindings.id)),
      () => ctx.db.$count(webhookBindings, here),
      present,
    )
  })

const bind = orgProcedure('webhooks', 'write')
  .meta({
    openapi: {
      method: 'POST',
      path: '/webhooks/bindings',
      operationId: 'createWebhookBinding',
      summary: 'Bind a webhook to a resource or the organization',
      description:
        'The webhook gets the events of the resource and everything in it. For the organization, write on Webhooks and read ' +
        'on Workspaces are enough.',
      tags,
    },
    needs: { section: ['webhooks', 'write'], on: RESOURCE_TYPES, level: 'write' },
    api: {
      errors: ['field_required', 'insufficient_permissions', 'binding_exists'],
      query: ['resourceType', 'resourceId'],
      requiredFields: ['webhookId'],
    },
  })
  .input(BindingCreate)
  .use(async ({ ctx, input, next }) => {
    return next({ ctx: { scope: await requireBindingScope(ctx, input, 'write') } })
  })
  .output(WebhookBinding)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const own = and(eq(webhooks.organizationId, ctx.actor.organizationId), eq(webhooks.id, input.webhookId))
      const [webhook] = await tx.select({ id: webhooks.id, name: webhooks.name }).from(webhooks).where(own)
      if (!webhook) throw notFound('webhookId')
      const row = await insertBinding(tx, ctx, webhook, ctx.scope, input.enabled)
      return present({ ...row, webhookName: webhook.name })
    }),
  )

const switchBinding = orgProcedure('webhooks', 'write')
  .meta({
    openapi: {
      method: 'PATCH',
      path: '/webhooks/bindings/{id}',
      operationId: 'updateWebhookBinding',
      summary: 'Pause or resume a webhook binding',
      description: 'A paused binding sends nothing.',
      tags,
    },
    api: { errors: ['field_required', 'insufficient_permissions'], requiredFields: ['enabled'] },
  })
  .input(BindingChange)
  .output(WebhookBinding)
  .mutation(({ ctx, input: { id, enabled } }) =>
    ctx.db.transaction(async (tx) => {
      const binding = await requireBinding(tx, ctx, id)
      await tx
        .update(webhookBindings)
        .set({ enabled })
        .where(matchesId(webhookBindings.id, ctx.actor.organizationId, binding.id))
      if (!enabled) await closeUncoveredAlerts(tx, ctx.actor.organizationId, binding.webhookId)
      await audit(tx, ctx, {
        action: enabled ? 'webhook.resume' : 'webhook.pause',
        entityType: 'webhook_binding',
        entityId: binding.id,
        entityName: binding.webhookName,
        ...(binding.enabled === enabled ? { details: { changed: false } } : {}),
      })
      return present({ ...binding, enabled })
    }),
  )

const unbind = orgProcedure('webhooks', 'write')
  .meta({
    openapi: {
      method: 'DELETE',
      path: '/webhooks/bindings/{id}',
      operationId: 'deleteWebhookBinding',
      summary: 'Unbind a webhook from a resource',
      description: 'The webhook itself stays.',
      tags,
    },
    api: { errors: ['insufficient_permissions'] },
  })
  .input(BindingRef)
  .output(Ok)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const binding = await requireBinding(tx, ctx, input.id)
      await tx.delete(webhookBindings).where(matchesId(webhookBindings.id, ctx.actor.organizationId, binding.id))
      await closeUncoveredAlerts(tx, ctx.actor.organizationId, binding.webhookId)
      await audit(tx, ctx, {
        action: 'webhook.unbind',
        entityType: 'webhook_binding',
        entityId: binding.id,
        entityName: binding.webhookName,
      })
      return { ok: true as const }
    }),
  )

export const webhooksRouter = router({
  list,
  bindings: router({
    list: listBindings,
    inherited: listInherited,
    ofWebhook: listOfWebhook,
    create: bind,
    update: switchBinding,
    remove: unbind,
  }),
})

type BindingRow = { id: string; webhookId: string; webhookName: string; enabled: boolean; createdAt: Date }

function selectBindings(db: Queryable) {
  return db
    .select({
      id: webhookBindings.id,
      webhookId: webhookBindings.webhookId,
      webhookName: webhooks.name,
      enabled: webhookBindings.enabled,
      createdAt: webhookBindings.createdAt,
    })
    .from(webhookBindings)
    .innerJoin(webhooks, matchesRow(webhookBindings.webhookId, webhooks))
}

async function requireBinding(tx: Queryable, ctx: ActorContext, id: string): Promise<BindingRow> {
  const [row] = await selectBindings(tx)
    .where(and(eq(webhookBindings.organizationId, ctx.actor.organizationId), eq(webhookBindings.id, id)))
    .for('update', { of: webhookBindings })
  if (!row) throw notFound('id')
  return row
}

function present(row: BindingRow): WebhookBinding {
  return {
    id: row.id,
    webhookId: row.webhookId,
    webhookName: row.webhookName,
    enabled: row.enabled,
    createdAt: row.createdAt.toISOString(),
  }
}
