import { anyOf } from '#db/any-of.ts'
import type { Queryable } from '#db/client.ts'
import { and, eq, isNull, or } from '#db/drizzle.cjs'
import { projects, workspaces } from '#db/schema/resources.ts'
import { serviceStates } from '#db/schema/results.ts'
import { variables } from '#db/schema/scoped.ts'
import { shouldYield, yieldToEventLoop } from '../language/lace/event-loop.ts'
import type { RunValues } from '../schedule/run-values.ts'
import type { Vault } from '../vault.ts'
import { computeVariables } from './computed-variables.ts'
import { SCRIPT_SCOPES, type ScriptScope } from './script-scopes.ts'

/**
 * A variable's value in a script. A `variable` and a `secret` are strings. A `metric` that holds a number, a boolean or
 * null is of that type, so that a script can calculate with a number that it wrote back.
 */
export type ScriptValue = string | number | boolean | null

/** A `system` variable changes how a service's runs are treated, a `computed` one is read-only. */
export type VariableKind = 'variable' | 'secret' | 'metric' | 'system' | 'computed'

export type VariableScopes = {
  /** Values by scope and key, computed ones included. The objects have no prototype, so that any key is safe. */
  values: Record<ScriptScope, Record<string, ScriptValue>>
  /** The distinct values of the secrets, to be redacted from everything that a run records. */
  secrets: string[]
  /** Returns what kind of variable a name is, null for none. */
  kindOf: (scope: string, key: string) => VariableKind | null
  /** The secrets that may be sent to certain hosts only. */
  restrictedSecrets: RestrictedSecret[]
}

/** For a script without a service. */
export const NO_VARIABLES: VariableScopes = {
  values: { o: noKeys(), w: noKeys(), p: noKeys(), s: noKeys() },
  secrets: [],
  kindOf: () => null,
  restrictedSecrets: [],
}

/** For a script whose service is not created yet: the secrets that it will have, by scope and key (`s.token`). */
export function newSecretScopes(secrets: RunValues): VariableScopes {
  const values = { o: noKeys(), w: noKeys(), p: noKeys(), s: noKeys() }
  for (const [name, value] of Object.entries(secrets)) values[name.slice(0, 1) as 'p' | 's'][name.slice(2)] = value
  return {
    ...NO_VARIABLES,
    values,
    secrets: [...new Set(Object.values(secrets))],
    kindOf: (scope, key) => (Object.hasOwn(secrets, `${scope}.${key}`) ? 'secret' : null),
  }
}

/** `name` is the name in scripts without the `$`: `p.token`. */
export type RestrictedSecret = { name: string; value: string; allowedHosts: string[] }

export type ScopedService = { id: string; organizationId: string; projectId: string; name: string }

/**
 * Reads and decrypts every variable that the service's script can read.
 * @throws Error when a value is encrypted with a key that is no longer configured
 */
export async function readVariableScopes(db: Queryable, vault: Vault, service: ScopedService): Promise<VariableScopes> {
  return (await readVariableScopesOf(db, vault, [service])).get(service.id) as VariableScopes
}

/** Like `readVariableScopes`, for many services in three queries. Returns them by service id. */
export async function readVariableScopesOf(
  db: Queryable,
  vault: Vault,
  services: ScopedService[],
): Promise<Map<string, VariableScopes>> {
  if (services.length === 0) return new Map()
  const organizationIds = [...new Set(services.map((service) => service.organizationId))]
  const serviceIds = services.map((service) => service.id)
  const projectIds = [...new Set(services.map((service) => service.projectId))]
  const containers = await db
    .select({ id: projects.id, name: projects.name, workspaceId: workspaces.id, workspaceName: workspaces.name })
    .from(projects)
    .innerJoin(
      workspaces,
      and(eq(workspaces.organizationId, projects.organizationId), eq(workspaces.id, projects.workspaceId)),
    )
    .where(and(anyOf(projects.organizationId, organizationIds), anyOf(projects.id, projectIds)))
  const workspaceIds = [...new Set(containers.map((container) => container.workspaceId))]
  const rows = await db
    .select()
    .from(variables)
    .where(
      and(
        anyOf(variables.organizationId, organizationIds),
        or(
          and(isNull(variables.workspaceId), isNull(variables.projectId), isNull(variables.serviceId)),
          anyOf(variables.workspaceId, workspaceIds),
          anyOf(variables.projectId, projectIds),
          anyOf(variables.serviceId, serviceIds),
        ),
      ),
    )
  const states = await db
    .select()
    .from(serviceStates)
    .where(and(anyOf(serviceStates.organizationId, organizationIds), anyOf(serviceStates.serviceId, serviceIds)))

  const owned = await decryptAll(rows, vault)
  const containerOf = new Map(containers.map((container) => [container.id, container]))
  const stateOf = new Map(states.map((state) => [state.serviceId, state]))
  return new Map(
    services.map((service) => {
      const container = containerOf.get(service.projectId)
      const state = stateOf.get(service.id)
      const owners = { o: service.organizationId, w: container?.workspaceId, p: service.projectId, s: service.id }
      return [
        service.id,
        assemble(owners, owned, {
          o: {},
          w: computeVariables('workspace', { name: container?.workspaceName ?? null }),
          p: computeVariables('project', { name: container?.name ?? null }),
          s: computeVariables('service', { name: service.name, state: state ?? null }),
        }),
      ]
    }),
  )
}

function noKeys(): Record<string, ScriptValue> {
  return Object.create(null) as Record<string, ScriptValue>
}

type DecryptedVariable = {
  key: string
  kind: VariableKind
  value: ScriptValue
  secret: string | null
  allowedHosts: string[]
}

/** Decrypts each variable once. Returns the variables by the id of their scope's resource. */
async function decryptAll(
  rows: (typeof variables.$inferSelect)[],
  vault: Vault,
): Promise<Map<string, DecryptedVariable[]>> {
  const owned = new Map<string, DecryptedVariable[]>()
  for (const row of rows) {
    if (shouldYield()) await yieldToEventLoop()
    const owner = row.serviceId ?? row.projectId ?? row.workspaceId ?? row.organizationId
    const text = row.sealed ? vault.open(row.sealed, 'variable', row.organizationId, row.id) : (row.value ?? '')
    const decrypted: DecryptedVariable = {
      key: row.key,
      kind: row.systemType === null ? row.type : 'system',
      value: row.type === 'metric' ? metricValue(text) : text,
      secret: row.type === 'secret' ? text : null,
      allowedHosts: row.allowedHosts,
    }
    const group = owned.get(owner)
    if (group) group.push(decrypted)
    else owned.set(owner, [decrypted])
  }
  return owned
}

function assemble(
  owners: Record<ScriptScope, string | undefined>,
  owned: Map<string, DecryptedVariable[]>,
  computed: Record<ScriptScope, Record<string, ScriptValue>>,
): VariableScopes {
  const values = Object.create(null) as VariableScopes['values']
  const secrets = new Set<string>()
  const kinds = new Map<string, VariableKind>()
  const restrictedSecrets: RestrictedSecret[] = []
  for (const scope of SCRIPT_SCOPES) {
    values[scope] = noKeys()
    for (const { key, kind, value, secret, allowedHosts } of owned.get(owners[scope] ?? '') ?? []) {
      values[scope][key] = value
      kinds.set(`${scope}.${key}`, kind)
      if (secret === null) continue
      if (secret !== '') secrets.add(secret)
      if (allowedHosts.length > 0) restrictedSecrets.push({ name: `${scope}.${key}`, value: secret, allowedHosts })
    }
    for (const [key, value] of Object.entries(computed[scope])) {
      values[scope][key] = value
      kinds.set(`${scope}.${key}`, 'computed')
    }
  }
  return {
    values,
    secrets: [...secrets],
    kindOf: (scope, key) => kinds.get(`${scope}.${key}`) ?? null,
    restrictedSecrets,
  }
}

/** Only a number in the form in which a script writes it back is a number: `007`, `1e3` and very long ids stay strings. */
export function metricValue(text: string): ScriptValue {
  if (text === 'true' || text === 'false') return text === 'true'
  if (text === 'null') return null
  const number = Number(text)
  return text !== '' && Number.isFinite(number) && String(number) === text ? number : text
}
