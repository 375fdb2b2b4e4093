import { and, eq } from 'drizzle-orm'
import type { Db } from '#db/client.ts'
import { matchesId } from '#db/row-match.ts'
import { services } from '#db/schema/resources.ts'
import { agentStates, results } from '#db/schema/results.ts'
import { runRequests } from '#db/schema/run-requests.ts'
import type { Script } from '../lace/ast.ts'
import { validateScript } from '../lace/validator.ts'
import { log } from '../process/log.ts'
import type { RunRef } from '../record/finished-run.ts'
import { openRunValues } from '../schedule/run-values.ts'
import { SCHEDULE_DEFAULT } from '../schemas/services.ts'
import { dependsOnTrust, findTargets, findViolation } from '../scripts/policy.ts'
import { findStaleValue, withRunValues } from '../scripts/run-variables.ts'
import { SCRIPT_SCOPES } from '../scripts/script-scopes.ts'
import { NO_VARIABLES, readVariableScopes, type VariableScopes } from '../scripts/variable-scopes.ts'
import { readTrust, type TrustSettings } from '../scripts/verified-domains.ts'
import type { Vault } from '../vault.ts'
import { parseScript } from './script-cache.ts'

export type LoadedRun = {
  source: string
  /** 0 for a script that is not saved. */
  version: number
  /** Null when the script cannot be parsed; running its source then reports why. */
  ast: Script | null
  saveBodies: boolean
  /** Whether each request carries `traceparent`. */
  sendTraceparent: boolean
  variables: VariableScopes
  /** The previous result of the service on the same agent; null when it has been cleared. */
  prev: Record<string, unknown> | null
  /** Why the script is not run: variables that cannot be decrypted, or a restriction on unverified domains. */
  refusal: string | null
}

const UNDECRYPTABLE = 'the variables of the service cannot be decrypted: a secret key is missing'

/**
 * Reads the script, variables and previous result for a run. A run with values of its own has no previous result. Null when
 * the service is deleted or has no script.
 */
export async function loadRun(
  db: Db,
  vault: Vault,
  run: { organizationId: string; serviceId: string; agentId: string; run?: RunRef },
  settings: TrustSettings,
): Promise<LoadedRun | null> {
  const [read, prev] = await Promise.all([
    loadRunVariables(db, vault, run),
    run.run?.isApart ? null : readPrevious(db, run),
  ])
  const source = read?.service.script ?? null
  if (read === null || source === null) return null
  const { service, variables, refusal } = read
  const ast = parseScript(service.id, service.version, source)
  return {
    source,
    version: service.version,
    ast,
    saveBodies: service.saveResponseBodies,
    sendTraceparent: service.sendTraceparent,
    variables,
    prev,
    refusal: refusal ?? (ast && (await findRefusal(db, service, ast, variables, settings))),
  }
}

/** Reads the service of a run and the run's variables; `refusal` tells why they cannot be read. Null without the service. */
export async function loadRunVariables(
  db: Db,
  vault: Vault,
  run: { organizationId: string; serviceId: string; run?: RunRef },
): Promise<(Resolved & { service: typeof services.$inferSelect }) | null> {
  const [service] = await db
    .select()
    .from(services)
    .where(matchesId(services.id, run.organizationId, run.serviceId))
  if (!service) return null
  const stored = await readVariables(db, vault, service)
  return { service, ...(await resolveValues(db, vault, run, stored)) }
}

type Resolved = Pick<LoadedRun, 'variables' | 'refusal'>

/** Returns the variables of a run, with the run's values in place of the service's. Never falls back to the latter. */
async function resolveValues(
  db: Db,
  vault: Vault,
  { organizationId, run }: { organizationId: string; run?: RunRef },
  stored: VariableScopes | null,
): Promise<Resolved> {
  if (stored === null) return { variables: NO_VARIABLES, refusal: UNDECRYPTABLE }
  if (!run?.isApart) return { variables: stored, refusal: null }
  const [request] = await db
    .select()
    .from(runRequests)
    .where(matchesId(runRequests.id, organizationId, run.id))
  if (!request?.sealed) return { variables: stored, refusal: 'the values of the run are no longer stored' }
  try {
    const values = openRunValues(vault, request, request.sealed)
    const refusal = findStaleValue(values, stored)
    return { variables: refusal === null ? withRunValues(stored, values) : stored, refusal }
  } catch (error) {
    if (!isVaultError(error)) throw error
    log.error({ err: error, runId: run.id }, 'the values of a run cannot be decrypted')
    return { variables: stored, refusal: UNDECRYPTABLE }
  }
}

/** A script that is not saved. `serviceId` is null for one that has no service yet. */
export type Draft = { organizationId: string; serviceId: string | null; agentId: string; script: string }

/** Reads what a draft run depends on, as `loadRun` for a saved script. Null when its service is deleted. */
export async function loadDraft(
  db: Db,
  vault: Vault,
  draft: Draft,
  settings: TrustSettings,
): Promise<LoadedRun | null> {
  const { serviceId, organizationId, script } = draft
  const { ast } = validateScript(script, { scopes: SCRIPT_SCOPES })
  const judged = (schedule: string, variables: VariableScopes) =>
    ast && findRefusal(db, { organizationId, schedule }, ast, variables, settings)
  const loaded = { source: script, version: 0, ast, saveBodies: true, sendTraceparent: false }
  if (serviceId === null) {
    return { ...loaded, variables: NO_VARIABLES, prev: null, refusal: await judged(SCHEDULE_DEFAULT, NO_VARIABLES) }
  }
  const [service] = await db
    .select()
    .from(services)
    .where(matchesId(services.id, organizationId, serviceId))
  if (!service) return null
  const [variables, prev] = await Promise.all([
    readVariables(db, vault, service),
    readPrevious(db, { organizationId, serviceId, agentId: draft.agentId }),
  ])
  const ofService = { ...loaded, sendTraceparent: service.sendTraceparent, prev }
  if (variables === null) return { ...ofService, variables: NO_VARIABLES, refusal: UNDECRYPTABLE }
  return { ...ofService, variables, refusal: await judged(service.schedule, variables) }
}

/** Returns null when the variables cannot be decrypted. */
async function readVariables(db: Db, vault: Vault, service: Parameters<typeof readVariableScopes>[2]) {
  try {
    return await readVariableScopes(db, vault, service)
  } catch (error) {
    if (!isVaultError(error)) throw error
    log.error({ err: error, serviceId: service.id }, 'the variables of a service cannot be decrypted')
    return null
  }
}

/** Returns whether the vault failed, not the database. */
function isVaultError(error: unknown): boolean {
  const { message, code } = error as { message?: string; code?: string }
  return code === 'ERR_OSSL_BAD_DECRYPT' || /SECRET_KEYS|sealed value|authenticate data/.test(message ?? '')
}

/** Checked at every run, because variables, verified domains and the networks of remote agents may change at any time. */
async function findRefusal(
  db: Db,
  service: { id?: string; organizationId: string; schedule: string },
  ast: Script,
  scopes: VariableScopes,
  settings: TrustSettings,
): Promise<string | null> {
  if (settings.TRUSTED_DOMAIN_MODE || !dependsOnTrust(ast, service.schedule)) return null
  const trust = await readTrust(db, service, settings)
  const { targets, blocked } = findTargets(ast, { scopes, trust, isActive: true })
  const violation = blocked ?? findViolation(ast, targets, service.schedule)
  return violation && `${violation.code}: ${violation.details.reason}`
}

async function readPrevious(
  db: Db,
  run: { organizationId: string; serviceId: string; agentId: string },
): Promise<LoadedRun['prev']> {
  const [latest] = await db
    .select()
    .from(agentStates)
    .where(
      and(matchesId(agentStates.serviceId, run.organizationId, run.serviceId), eq(agentStates.agentId, run.agentId)),
    )
  if (!latest) return null
  const { organizationId, serviceId, startedAt, resultId } = latest
  const [row] = await db
    .select({ raw: results.raw })
    .from(results)
    .where(
      and(
        eq(results.organizationId, organizationId),
        eq(results.serviceId, serviceId),
        eq(results.startedAt, startedAt),
        eq(results.id, resultId),
      ),
    )
  return row?.raw ?? null
}
