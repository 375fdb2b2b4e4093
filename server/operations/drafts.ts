import { z } from 'zod'
import { audit } from '../audit.ts'
import type { ActorContext } from '../context.ts'
import { ApiError, fieldInvalid, notFound } from '../errors.ts'
import { rateLimitKey, requireWithinLimit } from '../http/rate-limits.ts'
import { requireService } from '../resources.ts'
import type { RunValues } from '../schedule/run-values.ts'
import { Id } from '../schemas/conventions.ts'
import { DraftRun, DraftStart, DraftValidation } from '../schemas/new-service/drafts.ts'
import type { NewSecret } from '../schemas/new-service/secrets.ts'
import { SCHEDULE_DEFAULT } from '../schemas/services.ts'
import { type ScriptContext, unverifiedHostsOf, validateForEnable, validationOf } from '../scripts/validation.ts'
import { newSecretScopes } from '../scripts/variable-scopes.ts'
import { readTrust } from '../scripts/verified-domains.ts'
import { findDraft, presentDraft, startDraft } from '../services/draft-runs.ts'
import { readScriptContext } from '../services/lock-service.ts'
import { hasPlaces } from '../services/service-places.ts'
import type { ServiceRow } from '../services/view.ts'
import { memberProcedure, router } from '../trpc.ts'
import { SCRIPT_ERRORS } from './services/scripts.ts'

// Draft runs execute a script that is not saved. They do not change results, metrics, alerts or variables.

/** Draft runs that a person may start in an hour, in all their organizations. */
const PER_HOUR = 120

const start = memberProcedure
  .meta({ api: { errors: ['insufficient_permissions', ...SCRIPT_ERRORS, 'rate_limited', 'busy'] } })
  .input(DraftStart)
  .output(DraftRun)
  .mutation(async ({ ctx, input }) => {
    const service = await requirePlace(ctx, input.serviceId)
    await requireWithinLimit(ctx.db, rateLimitKey('draft', ctx.actor.userId), {
      max: PER_HOUR,
      windowSeconds: 3_600,
    })
    validateForEnable(await contextOf(ctx, service, input))
    const secrets = secretsOf(service, input.secrets)
    return ctx.db.transaction(async (tx) => {
      const row = await startDraft(tx, ctx, { serviceId: service?.id ?? null, script: input.script, secrets })
      await audit(tx, ctx, {
        action: 'service.draft_run',
        entityType: service ? 'service' : 'draft',
        entityId: service?.id ?? row.id,
        entityName: service?.name ?? null,
        details: { characters: input.script.length },
      })
      return presentDraft(row, true, ctx.now())
    })
  })

/** Checks a script as `start` does, for the members who may start it. */
const validate = memberProcedure
  .input(DraftStart)
  .output(DraftValidation)
  .query(async ({ ctx, input }) => {
    const service = await requirePlace(ctx, input.serviceId)
    const context = await contextOf(ctx, service, input)
    const unverifiedHosts = unverifiedHostsOf(context)
    const { targetHosts, refusal } = validationOf(() => validateForEnable(context))
    if (!refusal) return { isValid: true, targetHosts, unverifiedHosts, refusal: null }
    const { api, details = null } = refusal
    return { isValid: false, targetHosts: [], unverifiedHosts, refusal: { error: api, details } }
  })

const get = memberProcedure
  .input(z.object({ id: Id }))
  .output(DraftRun)
  .query(async ({ ctx, input }) => {
    const draft = await findDraft(ctx.db, ctx, input.id)
    // The member may have lost access to the service since the start.
    if (draft?.serviceId) await requireService(ctx, draft.serviceId, 'read')
    if (!draft) throw notFound()
    return draft
  })

export const draftsRouter = router({ start, validate, get })

/** Returns the service of a draft; null for a draft without one, which a member may run who can create services. */
async function requirePlace(ctx: ActorContext, serviceId: string | undefined): Promise<ServiceRow | null> {
  if (serviceId !== undefined) return requireService(ctx, serviceId, 'write')
  if (!(await hasPlaces(ctx.db, ctx))) throw new ApiError('insufficient_permissions')
  return null
}

/**
 * What is checked of a draft. Responses show no host that depends on a variable: keys never reveal values, and write on
 * a service excludes the scopes above it.
 */
async function contextOf(
  ctx: ActorContext,
  service: ServiceRow | null,
  { script, secrets }: z.output<typeof DraftStart>,
): Promise<ScriptContext> {
  if (service) {
    const context = await readScriptContext(ctx.db, ctx, { ...service, script })
    return { ...context, hidden: ['variable', 'secret', 'metric'] }
  }
  const trust = await readTrust(ctx.db, { organizationId: ctx.actor.organizationId }, ctx.settings)
  return {
    script,
    schedule: SCHEDULE_DEFAULT,
    isActive: true,
    scopes: newSecretScopes(secretsOf(service, secrets)),
    trust,
  }
}

/** By the names that the script has for them. @throws ApiError `field_invalid` for a service, whose variables are stored */
function secretsOf(service: ServiceRow | null, secrets: NewSecret[] = []): RunValues {
  if (service && secrets.length > 0) throw fieldInvalid('secrets', 'must be empty with a service: store its variables')
  return Object.fromEntries(
    secrets.map(({ scope, key, value }) => [`${scope === 'service' ? 's' : 'p'}.${key}`, value]),
  )
}
