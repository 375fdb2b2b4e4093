import { v7 as uuidv7 } from 'uuid'
import { z } from 'zod'
import type { Tx } from '#db/client.ts'
import { and, eq, sql } from '#db/drizzle.cjs'
import { matchesId, matchesRow } from '#db/row-match.ts'
import { webhooks } from '#db/schema/webhooks.ts'
import { closeAlertsOfWebhook } from '../../alerts/alerts/open-alerts.ts'
import { webhookChanges } from '../../alerts/webhooks/changes.ts'
import {
  newSigningSecret,
  openWebhook,
  type PresetAccess,
  previousSecretAt,
  rotateSigningSecret,
  sealWebhook,
  type WebhookConfig,
} from '../../alerts/webhooks/config.ts'
import { presetProblem } from '../../alerts/webhooks/presets/problem.ts'
import { contentTypeOf, templateProblem } from '../../alerts/webhooks/templates.ts'
import { audit } from '../../audit.ts'
import type { ActorContext } from '../../context.ts'
import { ApiError, fieldInvalid, fieldRequired, notFound } from '../../errors.ts'
import { Id, Instant, Ok } from '../../schemas/conventions.ts'
import {
  ACCESS_FIELDS,
  isOptional,
  keysForNewAddress,
  PRESETS,
  type WebhookPreset,
} from '../../schemas/organization/webhook-presets.ts'
import { ConfiguredWebhook, CreatedWebhook, WebhookCreate, WebhookUpdate } from '../../schemas/organization/webhooks.ts'
import { BLOCK_REASON_TEXTS } from '../../scripts/policy.ts'
import { checkTarget, parseNetworks } from '../../scripts/target-addresses.ts'
import { orgSessionProcedure, router } from '../../trpc.ts'
import { insertBinding, requireBindingScope } from '../webhooks/bindings.ts'
import { getDelivery, listDeliveries, redeliver, sendTest } from './webhook-deliveries.ts'
import { overview, summary } from './webhook-overview.ts'

type Row = typeof webhooks.$inferSelect
const WebhookId = z.object({ id: Id })

/** Returns a webhook with its configuration, which lists omit. */
const get = orgSessionProcedure('webhooks', 'write')
  .meta({ api: { errors: ['insufficient_permissions', 'not_found'] } })
  .input(WebhookId)
  .output(ConfiguredWebhook)
  .query(async ({ ctx, input }) => {
    const [row] = await ctx.db
      .select()
      .from(webhooks)
      .where(matchesId(webhooks.id, ctx.actor.organizationId, input.id))
    if (!row) throw notFound('id')
    return present(row, openWebhook(ctx.vault, row), ctx.now())
  })

/** Creates a webhook with its bindings: without any, it alerts nobody. */
const create = orgSessionProcedure('webhooks', 'write')
  .meta({
    api: {
      errors: [
        'insufficient_permissions',
        'field_invalid',
        'field_required',
        'blocked_probe_target',
        'webhook_limit_reached',
        'already_exists',
        'binding_exists',
        'not_found',
      ],
    },
  })
  .input(WebhookCreate)
  .output(CreatedWebhook)
  .mutation(async ({ ctx, input }) => {
    const { preset } = input
    const config = changedConfig({ ...NEW_CONFIG, signingSecret: newSigningSecret() }, input)
    checkConfig(ctx, preset, input.method, config)
    checkTemplate(config)
    const scopes = await Promise.all(
      input.bindings.map((scope) => requireBindingScope(ctx, scope, 'write', 'bindings')),
    )
    return ctx.db.transaction(async (tx) => {
      const { organizationId } = ctx.actor
      const row = {
        id: uuidv7(),
        organizationId,
        name: input.name,
        label: input.label || null,
        preset,
        method: PRESETS[preset].method ?? input.method,
        createdAt: ctx.now(),
      }
      await requireWebhookLimit(tx, ctx)
      const sealed = sealWebhook(ctx.vault, row, config)
      await tx.insert(webhooks).values({ ...row, sealed })
      const host = URL.parse(config.url)?.host
      await audit(tx, ctx, auditEntry('create', row, { preset, ...(host && { host }) }))
      for (const scope of scopes) await insertBinding(tx, ctx, row, scope, true)
      return {
        ...present(row, config, ctx.now()),
        signingSecret: preset === 'json' ? config.signingSecret : null,
      }
    })
  })

const update = orgSessionProcedure('webhooks', 'write')
  .meta({
    api: {
      errors: [
        'insufficient_permissions',
        'field_invalid',
        'field_required',
        'blocked_probe_target',
        'not_found',
        'already_exists',
      ],
    },
  })
  .input(WebhookUpdate)
  .output(ConfiguredWebhook)
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const row = await lock(tx, ctx, input.id)
      const stored = openWebhook(ctx.vault, row)
      const preset = row.preset as WebhookPreset
      const config = changedConfig(stored, input)
      const changed = {
        name: input.name ?? row.name,
        label: input.label === undefined ? row.label : input.label || null,
        method: input.method ?? row.method,
      }
      checkConfig(ctx, preset, input.method ?? 'POST', config)
      for (const key of keysForNewAddress(preset, stored.url, config.url)) {
        if (input[key]) continue
        if (!isOptional(preset, key)) throw fieldRequired(key)
        delete config.access?.[key]
      }
      checkTemplate(config)
      await tx
        .update(webhooks)
        .set({ ...changed, sealed: sealWebhook(ctx.vault, row, config) })
        .where(matchesRow(webhooks.id, row))
      const details = webhookChanges({ plain: row, config: stored }, { plain: changed, config })
      await audit(tx, ctx, { ...auditEntry('update', { ...row, ...changed }), details })
      return present({ ...row, ...changed }, config, ctx.now())
    }),
  )

/** Creates a new signing secret. For 24 hours messages are signed with both, so that receivers can change over. */
const rotateSecret = orgSessionProcedure('webhooks', 'write')
  .meta({ api: { errors: ['insufficient_permissions', 'not_found', 'field_invalid'] } })
  .input(WebhookId)
  .output(z.object({ signingSecret: z.string(), previousSecretUntil: Instant }))
  .mutation(({ ctx, input }) =>
    ctx.db.transaction(async (tx) => {
      const row = await lock(tx, ctx, input.id)
      if (row.preset !== 'json') {
        throw fieldInvalid('id', 'must be a generic webhook: the services of presets do not verify signatures')
      }
      const config = rotateSigningSecret(openWebhook(ctx.vault, row), ctx.now())
      const { signingSecret, previousSecret } = config
      const sealed = sealWebhook(ctx.vault, row, config)
      await tx.update(webhooks).set({ sealed }).where(matchesRow(webhooks.id, row))
      const previousSecretUntil = previousSecret.validUntil
      await audit(tx, ctx, auditEntry('rotate_secret', row, { previousSecretUntil }))
      return { signingSecret, previousSecretUntil }
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
      await closeAlertsOfWebhook(tx, row.organizationId, row.id)
      await tx.delete(webhooks).where(matchesRow(webhooks.id, row))
      await audit(tx, ctx, auditEntry('delete', row))
      return { ok: true as const }
    }),
  )

export const organizationWebhooksRouter = router({
  overview,
  summary,
  get,
  create,
  update,
  rotateSecret,
  remove,
  test: sendTest,
  deliveries: router({ list: listDeliveries, get: getDelivery, redeliver }),
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

const NEW_CONFIG = { url: '', headers: {}, body: null }

type GivenConfig = Partial<Pick<z.output<typeof WebhookCreate>, 'url' | 'headers' | 'body' | keyof PresetAccess>>

/** Returns the configuration with the given fields. A key or token that is null or omitted is kept. */
function changedConfig(config: WebhookConfig, given: GivenConfig): WebhookConfig {
  const access = ACCESS_FIELDS.flatMap((field) => (given[field] == null ? [] : [[field, given[field]]]))
  return {
    ...config,
    url: given.url === undefined ? config.url : (given.url ?? ''),
    headers: given.headers ?? config.headers,
    body: given.body === undefined ? config.body : given.body || null,
    access: { ...config.access, ...Object.fromEntries(access) },
  }
}

/**
 * Checks the configuration. Host names are not resolved here: their addresses are checked before every connection.
 * @throws ApiError `field_required`, `field_invalid` or `blocked_probe_target`, naming the field
 */
function checkConfig(ctx: ActorContext, preset: WebhookPreset, method: string, config: WebhookConfig): void {
  const problem = presetProblem(preset, method, config)
  if (problem)
    throw problem.reason === null ? fieldRequired(problem.field) : fieldInvalid(problem.field, problem.reason)
  checkWebhookUrl(ctx, preset, config.url)
}

/** @throws ApiError `field_invalid` naming the field */
function checkTemplate({ body, headers }: WebhookConfig): void {
  const reason = body === null ? null : templateProblem(body, contentTypeOf(headers))
  if (reason) throw fieldInvalid('body', reason)
}

/** The URLs of presets contain secrets or are sent secrets, so they need TLS, except in networks that are allowed. */
function checkWebhookUrl(ctx: ActorContext, preset: WebhookPreset, url: string): void {
  if (url === '') return
  const target = checkTarget(url, parseNetworks(ctx.settings.PROBE_ALLOWED_NETWORKS))
  const { reason } = target
  if (reason === 'address' || reason === 'internal_name')
    throw new ApiError('blocked_probe_target', { field: 'url', reason: BLOCK_REASON_TEXTS[reason] })
  if (reason) throw fieldInvalid('url', BLOCK_REASON_TEXTS[reason])
  if (preset !== 'json' && target.url?.protocol === 'http:' && target.verdict === 'public')
    throw fieldInvalid('url', 'must begin with https://')
}

type PlainColumns = Pick<Row, 'id' | 'name' | 'label' | 'preset' | 'method' | 'createdAt'>

function present(row: PlainColumns, config: WebhookConfig, now: Date): ConfiguredWebhook {
  const { id, name, label, preset, method, createdAt } = row
  const { url, headers, body, access } = config
  return {
    id,
    name,
    label,
    preset,
    method,
    createdAt: createdAt.toISOString(),
    url: shownUrl(preset, url),
    headers,
    body,
    chatId: access?.chatId ?? null,
    region: access?.region ?? null,
    accountSid: access?.accountSid ?? null,
    urgency: access?.urgency ?? null,
    roomId: access?.roomId ?? null,
    from: access?.from ?? null,
    to: access?.to ?? null,
    previousSecretUntil: previousSecretAt(config, now)?.validUntil ?? null,
  }
}

/** Returns only the origin of a URL that is a secret itself. */
function shownUrl(preset: string, url: string): string | null {
  if (url === '') return null
  return PRESETS[preset as WebhookPreset].secret.includes('url') ? `${new URL(url).origin}/…` : url
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
