import { anyOf } from '#db/any-of.ts'
import type { Db } from '#db/client.ts'
import { and, eq } from '#db/drizzle.cjs'
import { matchesId } from '#db/row-match.ts'
import { services } from '#db/schema/resources.ts'
import { results, serviceAgentStates } from '#db/schema/results.ts'
import { runRequests } from '#db/schema/run-requests.ts'
import type { Script } from '../../language/lace/ast.ts'
import { validateScript } from '../../language/lace/validator.ts'
import { log } from '../../process/log.ts'
import { openRunValues } from '../../schedule/run-values.ts'
import { SCHEDULE_DEFAULT } from '../../schemas/services.ts'
import { dependsOnTrust, findTargets, findViolation } from '../../scripts/policy.ts'
import { findStaleValue, withRunValues } from '../../scripts/run-variables.ts'
import { SCRIPT_SCOPES } from '../../scripts/script-scopes.ts'
import { isOfNetworks } from '../../scripts/target-addresses.ts'
import {
  NO_VARIABLES,
  newSecretScopes,
  readVariableScopes,
  readVariableScopesOf,
  type VariableScopes,
} from '../../scripts/variable-scopes.ts'
import { readTrust, readTrusts, type Trust, type TrustSettings } from '../../scripts/verified-domains.ts'
import type { Vault } from '../../vault.ts'
import type { RunRef } from '../record/finished-run.ts'
import { parseScript } from './script-cache.ts'
import { factsOf } from './script-facts.ts'

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

/** `organizationId` is that of the service: a service of another organization is not found. */
export type LoadableRun = {
  organizationId: string
  serviceId: string
  agentId: string
  run?: RunRef
  /** A remote agent judges itself what its networks let out: the networks of other agents do not stop its runs. */
  judgesNetworks?: true
}

type Service = typeof services.$inferSelect

/** Loads one run like `loadRuns`. */
export async function loadRun(
  db: Db,
  vault: Vault,
  run: LoadableRun,
  settings: TrustSettings,
): Promise<LoadedRun | null> {
  const [loaded] = await loadRuns(db, vault, [run], settings)
  return loaded ?? null
}

/**
 * Reads the script, variables and previous result for each of many runs. A run that was requested with values has no
 * previous result, and neither has one whose script does not read it. Null when the service is deleted or has no script.
 */
export async function loadRuns(
  db: Db,
  vault: Vault,
  runs: readonly LoadableRun[],
  settings: TrustSettings,
): Promise<(LoadedRun | null)[]> {
  const byId = await readServices(db, runs)
  const variables = await readVariablesOf(db, vault, [...byId.values()])
  const found = await Promise.all(
    runs.map(async (run) => {
      const service = byId.get(run.serviceId)
      if (!service || service.script === null) return null
      const ast = parseScript(service.id, service.version, service.script)
      const resolved = await resolveValues(db, vault, run, variables.get(service.id) ?? null)
      const isPrevRead = ast && factsOf(ast).usesPrev && !run.run?.hasValues
      const prev = isPrevRead ? await readPrevious(db, run) : null
      return { run, service, source: service.script, ast, resolved, prev }
    }),
  )
  const trustOf = await readTrustOf(
    db,
    found.flatMap((one) => (one?.ast && factsOf(one.ast).dependsOnTrust(one.service.schedule) ? one.service : [])),
    settings,
  )
  return found.map((one) => {
    if (one === null) return null
    const { run, service, source, ast, resolved, prev } = one
    const trust = trustOf(service)
    return {
      source,
      version: service.version,
      ast,
      saveBodies: service.saveResponseBodies,
      sendTraceparent: service.sendTraceparent,
      variables: resolved.variables,
      prev,
      refusal:
        resolved.refusal ??
        (ast && trust && judge(ast, service.schedule, resolved.variables, trust, run.judgesNetworks)),
    }
  })
}

/** Returns services by id. */
async function readServices(db: Db, runs: readonly LoadableRun[]): Promise<Map<string, Service>> {
  const organizationOf = new Map(runs.map((run) => [run.serviceId, run.organizationId]))
  const rows = await db
    .select()
    .from(services)
    .where(
      and(
        anyOf(services.organizationId, [...new Set(organizationOf.values())]),
        anyOf(services.id, [...organizationOf.keys()]),
      ),
    )
  const own = rows.filter((row) => organizationOf.get(row.id) === row.organizationId)
  return new Map(own.map((row) => [row.id, row]))
}

/** Returns the variables of services by id; null for those that cannot be decrypted. */
async function readVariablesOf(db: Db, vault: Vault, of: Service[]): Promise<Map<string, VariableScopes | null>> {
  try {
    return await readVariableScopesOf(db, vault, of)
  } catch (error) {
    if (!isVaultError(error)) throw error
    // One service whose variables cannot be decrypted must not fail the others.
    const alone: [string, VariableScopes | null][] = []
    for (const service of of) alone.push([service.id, await readVariables(db, vault, service)])
    return new Map(alone)
  }
}

/** Reads what the organizations of these services trust, two statements for each. Null for other services. */
async function readTrustOf(
  db: Db,
  restricted: Service[],
  settings: TrustSettings,
): Promise<(service: Service) => Trust | null> {
  if (settings.TRUSTED_DOMAIN_MODE || restricted.length === 0) return () => null
  const trusts = new Map<string, Trust>()
  for (const [organizationId, own] of Map.groupBy(restricted, (service) => service.organizationId)) {
    const ids = own.map((service) => service.id)
    const trustOf = await readTrusts(db, organizationId, ids, settings)
    for (const id of ids) trusts.set(id, trustOf(id))
  }
  return ({ id }) => trusts.get(id) ?? null
}

/**
 * Reads the service of a run and the run's variables; `refusal` is the reason why they cannot be read. Null without the
 * service.
 */
export async function loadRunVariables(
  db: Db,
  vault: Vault,
  run: Omit<LoadableRun, 'agentId'>,
): Promise<Resolved | null> {
  const [service] = await db
    .select()
    .from(services)
    .where(and(eq(services.organizationId, run.organizationId), eq(services.id, run.serviceId)))
  if (!service) return null
  return resolveValues(db, vault, run, await readVariables(db, vault, service))
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
  if (!run?.hasValues) return { variables: stored, refusal: null }
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

/**
 * A script that is not saved. `serviceId` is null for one that has no service yet; `sealed` are the secrets that the
 * service will have, null without any.
 */
export type Draft = {
  id: string
  organizationId: string
  serviceId: string | null
  agentId: string
  script: string
  sealed: Buffer | null
}

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
    const variables = draft.sealed ? newSecretScopes(openRunValues(vault, draft, draft.sealed)) : NO_VARIABLES
    return { ...loaded, variables, prev: null, refusal: await judged(SCHEDULE_DEFAULT, variables) }
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
  return judge(ast, service.schedule, scopes, await readTrust(db, service, settings))
}

/** Returns why a script may not run, null if it may. */
function judge(
  ast: Script,
  schedule: string,
  scopes: VariableScopes,
  trust: Trust,
  judgesNetworks = false,
): string | null {
  const { targets, blocked } = findTargets(ast, { scopes, trust, isActive: true })
  const refused = blocked && judgesNetworks && isOfNetworks(blocked.by) ? null : blocked
  const violation = refused ?? findViolation(ast, targets, schedule)
  return violation && `${violation.code}: ${violation.details.reason}`
}

async function readPrevious(db: Db, run: LoadableRun): Promise<LoadedRun['prev']> {
  const [latest] = await db
    .select()
    .from(serviceAgentStates)
    .where(
      and(
        eq(serviceAgentStates.organizationId, run.organizationId),
        eq(serviceAgentStates.serviceId, run.serviceId),
        eq(serviceAgentStates.agentId, run.agentId),
      ),
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
