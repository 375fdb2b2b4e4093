import { and, eq, isNull, or } from 'drizzle-orm'
import { anyOf } from '#db/any-of.ts'
import type { Queryable } from '#db/client.ts'
import { projects, workspaces } from '#db/schema/resources.ts'
import { serviceStates } from '#db/schema/results.ts'
import { variables } from '#db/schema/scoped.ts'
import type { Vault } from '../vault.ts'

/** How scripts name the scopes, outermost first: `$o.x`, `$w.x`, `$p.x`, `$s.x`. There is no fall-back between them. */
export const SCRIPT_SCOPES = ['o', 'w', 'p', 's'] as const
export type ScriptScope = (typeof SCRIPT_SCOPES)[number]

/**
 * What a script reads of a variable. A `variable` and a `secret` are the text they were given; a `metric` whose text is
 * a number, a truth value or null is that, so that a count written back can be counted on.
 */
export type ScriptValue = string | number | boolean | null

export type VariableScopes = {
  /** Per scope, the value of each key, computed ones included. Without prototypes: any key is only a key. */
  values: Record<ScriptScope, Record<string, ScriptValue>>
  /** Values of the secrets among them, each once: what must not be seen in anything a run leaves behind. */
  secrets: string[]
  /** Whether a variable is a secret. */
  isSecret: (scope: string, key: string) => boolean
  /** The secrets that may be sent to some hosts only. */
  bound: BoundSecret[]
}

/** `name` is how scripts name it, without the `$`: `p.token`. */
export type BoundSecret = { name: string; value: string; allowedHosts: string[] }

export type ScopedService = { id: string; organizationId: string; projectId: string; name: string }

/**
 * Every variable that the service's script can read, opened.
 * @throws when a value was sealed with a key that is gone
 */
export async function readVariableScopes(db: Queryable, vault: Vault, service: ScopedService): Promise<VariableScopes> {
  return (await readVariableScopesOf(db, vault, [service])).get(service.id) as VariableScopes
}

/** The same for many services of one organization, in three queries. */
export async function readVariableScopesOf(
  db: Queryable,
  vault: Vault,
  services: ScopedService[],
): Promise<Map<string, VariableScopes>> {
  const [first] = services
  if (!first) return new Map()
  const serviceIds = services.map((service) => service.id)
  const projectIds = [...new Set(services.map((service) => service.projectId))]
  const containers = await db
    .select({ id: projects.id, name: projects.name, workspaceId: workspaces.id, workspaceName: workspaces.name })
    .from(projects)
    .innerJoin(workspaces, eq(workspaces.id, projects.workspaceId))
    .where(anyOf(projects.id, projectIds))
  const workspaceIds = [...new Set(containers.map((container) => container.workspaceId))]
  const rows = await db
    .select()
    .from(variables)
    .where(
      and(
        eq(variables.organizationId, first.organizationId),
        or(
          and(isNull(variables.workspaceId), isNull(variables.projectId), isNull(variables.serviceId)),
          anyOf(variables.workspaceId, workspaceIds),
          anyOf(variables.projectId, projectIds),
          anyOf(variables.serviceId, serviceIds),
        ),
      ),
    )
  const states = await db.select().from(serviceStates).where(anyOf(serviceStates.serviceId, serviceIds))

  const owned = decryptAll(rows, vault)
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
          w: { name: container?.workspaceName ?? null },
          p: { name: container?.name ?? null },
          s: {
            name: service.name,
            lastStatus: state?.lastStatus ?? null,
            lastStatusSince: state?.lastStatusSince?.toISOString() ?? null,
            lastStatusConsecutive: state?.lastConsecutive ?? 0,
          },
        }),
      ]
    }),
  )
}

type DecryptedVariable = { key: string; value: ScriptValue; secret: string | null; allowedHosts: string[] }

/** Each variable opened once, by the id of what it hangs on. */
function decryptAll(rows: (typeof variables.$inferSelect)[], vault: Vault): Map<string, DecryptedVariable[]> {
  const owned = new Map<string, DecryptedVariable[]>()
  for (const row of rows) {
    const owner = row.serviceId ?? row.projectId ?? row.workspaceId ?? row.organizationId
    const text = row.sealed ? vault.open(row.sealed, 'variable', row.organizationId, row.id) : (row.value ?? '')
    const opened: DecryptedVariable = {
      key: row.key,
      value: row.type === 'metric' ? metricValue(text) : text,
      secret: row.type === 'secret' ? text : null,
      allowedHosts: row.allowedHosts,
    }
    const list = owned.get(owner)
    if (list) list.push(opened)
    else owned.set(owner, [opened])
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
  const secretNames = new Set<string>()
  const bound: BoundSecret[] = []
  for (const scope of SCRIPT_SCOPES) {
    values[scope] = Object.create(null) as Record<string, ScriptValue>
    for (const { key, value, secret, allowedHosts } of owned.get(owners[scope] ?? '') ?? []) {
      values[scope][key] = value
      if (secret === null) continue
      secretNames.add(`${scope}.${key}`)
      if (secret !== '') secrets.add(secret)
      if (allowedHosts.length > 0) bound.push({ name: `${scope}.${key}`, value: secret, allowedHosts })
    }
    Object.assign(values[scope], computed[scope])
  }
  return { values, secrets: [...secrets], isSecret: (scope, key) => secretNames.has(`${scope}.${key}`), bound }
}

/** Only what a number is written back as counts as one: `007`, `1e3` and ids too long for a number stay texts. */
function metricValue(text: string): ScriptValue {
  if (text === 'true' || text === 'false') return text === 'true'
  if (text === 'null') return null
  const number = Number(text)
  return text !== '' && Number.isFinite(number) && String(number) === text ? number : text
}
