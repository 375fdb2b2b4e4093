import { and, asc, eq, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Tx } from '#db/client.ts'
import { webhooks } from '#db/schema/webhooks.ts'
import { audit } from '../../audit.ts'
import type { ActorContext } from '../../context.ts'
import { ApiError, fieldInvalid, notFound } from '../../errors.ts'
import { readPage } from '../../paging.ts'
import { Id, Ok, PageQuery } from '../../schemas/conventions.ts'
import {
  ConfiguredWebhook,
  ConfiguredWebhookPage,
  CreatedWebhook,
  WebhookCreate,
  WebhookUpdate,
} from '../../schemas/organization/webhooks.ts'
import { BLOCK_REASON_TEXTS } from '../../scripts/policy.ts'
import { checkTarget, parseNetworks } from '../../scripts/target-addresses.ts'
import { orgSessionProcedure, router } from '../../trpc.ts'
import { newSigningSecret, openWebhook, sealWebhook, type WebhookConfig } from '../../webhooks/config.ts'
import { contentTypeOf, templateProblem } from '../../webhooks/templates.ts'
import { listDeliveries, redeliver, sendTest } from './webhook-deliveries.ts'

type Row = typeof webhooks.$inferSelect
const WebhookId = z.object({ id: Id })

/** Lists the webhooks with their configuration, which the list of the public API omits. */
const list = orgSessionProcedure('webhooks', 'write')
  .meta({ api: { errors: ['insufficient_permissions'] } })
  .input(PageQuery.prefault({}))
  .output(ConfiguredWebhookPage)
  .query(({ ctx, input }) => {
    const own = eq(webhooks.organizationId, ctx.actor.organizationId)
    return readPage(
      input,
      ctx.db.select().from(webhooks).where(own).orderBy(asc(webhooks.createdAt), asc(webhooks.id)),
      () => ctx.db.$count(webhooks, own),
      (row) => present(row, openWebhook(ctx.vault, row)),
    )
  })

const create = orgSessionProcedure('webhooks', 'write')
  .meta({
    api: {
      errors: [
        'insufficient_permissions',
        'field_invalid',
        'blocked_probe_target',
        'webhook_limit_reached',
        'already_exists',
      ],
    },
  })
  .input(WebhookCreate)
  .output(CreatedWebhook)
  .mutation(({ ctx, input }) => {
    const { url, headers } = input
    const config = { url, headers, body: input.body || null, signingSecret: newSigningSecret() }
    checkConfig(ctx, config)
    return ctx.db.transaction(async (tx) => {
      const { organizationId } = ctx.actor
      const row = {
        id: uuidv7(),
        organizationId,
        name: input.name,
        label: input.label || null,
        method: input.method,
        createdAt: ctx.now(),
      }
      await requireWebhookLimit(tx, ctx)
      const sealed = sealWebhook(ctx.vault, row, config)
      await tx.insert(webhooks).values({ ...row, sealed })
      await audit(tx, ctx, auditEntry('create', row, { host: new URL(url).host }))
      return { ...present(row, config), signingSecret: config.signingSecret }
    })
  })

const update = orgSessionProcedure('webhooks', 'write')
  .meta({
    api: {
      errors: ['insufficient_permissions', 'field_invalid', 'blocked_probe_target', 'not_found', 'already_exists'],
    },
  })
  .input(WebhookUpdate)
  .output(ConfiguredWebhook)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const row = await lock(tx, ctx, input.id)
      const previous = openWebhook(ctx.vault, row)
      const config = {
        url: input.url ?? previous.url,
        headers: input.headers ?? previous.headers,
        body: input.body === undefined ? previous.body : input.body || null,
        signingSecret: previous.signingSecret,
      }
      checkConfig(ctx, config)
      const changed = {
        name: input.name ?? row.name,
        label: input.label === undefined ? row.label : input.label || null,
        method: input.method ?? row.method,
      }
      await tx
        .update(webhooks)
        .set({ ...changed, sealed: sealWebhook(ctx.vault, row, config) })
        .where(eq(webhooks.id, row.id))
      const { id: _, ...given } = input
      await audit(tx, ctx, auditEntry('update', { ...row, ...changed }, { changed: Object.keys(given).sort() }))
      return present({ ...row, ...changed }, config)
    }),
  )

/** Replaces the signing secret. Every later attempt is signed with the new one. */
const rotateSecret = orgSessionProcedure('webhooks', 'write')
  .meta({ api: { errors: ['insufficient_permissions', 'not_found'] } })
  .input(WebhookId)
  .output(z.object({ signingSecret: z.string() }))
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const row = await lock(tx, ctx, input.id)
      const signingSecret = newSigningSecret()
      const sealed = sealWebhook(ctx.vault, row, { ...openWebhook(ctx.vault, row), signingSecret })
      await tx.update(webhooks).set({ sealed }).where(eq(webhooks.id, row.id))
      await audit(tx, ctx, auditEntry('rotate_secret', row))
      return { signingSecret }
    }),
  )

/** Deletes a webhook with its bindings and deliveries. */
const remove = orgSessionProcedure('webhooks', 'write')
  .meta({ api: { errors: ['insufficient_permissions', 'not_found'] } })
  .input(WebhookId)
  .output(Ok)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const row = await lock(tx, ctx, input.id)
      await tx.delete(webhooks).where(eq(webhooks.id, row.id))
      await audit(tx, ctx, auditEntry('delete', row))
      return { ok: true as const }
    }),
  )

export const organizationWebhooksRouter = router({
  list,
  create,
  update,
  rotateSecret,
  remove,
  test: sendTest,
  deliveries: router({ list: listDeliveries, redeliver }),
})

/** Counts under a lock, so that two parallel creations cannot exceed the limit. */
async function requireWebhookLimit(tx: Tx, ctx: ActorContext): Promise<void> {
  const { organizationId } = ctx.actor
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks:${organizationId}`}, 0))`)
  const max = ctx.settings.WEBHOOKS_PER_ORGANIZATION_MAX
  const count = await tx.$count(webhooks, eq(webhooks.organizationId, organizationId))
  if (count >= max) throw new ApiError('webhook_limit_reached', { max })
}

async function lock(tx: Tx, ctx: ActorContext, id: string): Promise<Row> {
  const own = and(eq(webhooks.organizationId, ctx.actor.organizationId), eq(webhooks.id, id))
  const [row] = await tx.select().from(webhooks).where(own).for('update')
  if (!row) throw notFound()
  return row
}

/**
 * Checks the configuration. Host names are not resolved here: their addresses are checked before every connection.
 * @throws ApiError `field_invalid` or `blocked_probe_target`, naming the field
 */
function checkConfig(ctx: ActorContext, { url, headers, body }: WebhookConfig): void {
  const { reason } = checkTarget(url, parseNetworks(ctx.settings.PROBE_ALLOWED_NETWORKS))
  if (reason === 'address' || reason === 'internal_name') throw new ApiError('blocked_probe_target', { field: 'url' })
  if (reason) throw fieldInvalid('url', BLOCK_REASON_TEXTS[reason])
  const problem = body === null ? null : templateProblem(body, contentTypeOf(headers))
  if (problem) throw fieldInvalid('body', problem)
}

type PlainColumns = Pick<Row, 'id' | 'name' | 'label' | 'method' | 'createdAt'>

function present(row: PlainColumns, { url, headers, body }: WebhookConfig): ConfiguredWebhook {
  const { id, name, label, method, createdAt } = row
  return { id, name, label, method, createdAt: createdAt.toISOString(), url, headers, body }
}

function auditEntry(verb: string, row: Pick<Row, 'id' | 'name' | 'method'>, details: Record<string, unknown> = {}) {
  return {
    action: `webhook.${verb}`,
    entityType: 'webhook',
    entityId: row.id,
    entityName: row.name,
    details: { method: row.method, ...details },
  }
}
