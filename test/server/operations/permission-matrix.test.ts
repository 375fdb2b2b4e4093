import { desc, eq, notInArray, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { auditEntries } from '#db/schema/audit.ts'
import { memberships } from '#db/schema/organizations.ts'
import { silences } from '#db/schema/scoped.ts'
import { createRouteTable, type Route } from '#server/rest/route.ts'
import { appRouter } from '#server/router.ts'
import { testApi } from '#test/support/api/api.ts'
import type { Answer } from '#test/support/api/contract.ts'
import { mixedTarget, type Trees, targetOf } from '#test/support/api/permission-targets.ts'
import {
  absentTarget,
  kindOf,
  makeTree,
  makeWorld,
  OF_KIND,
  PROBES,
  type World,
} from '#test/support/api/permission-world.ts'
import {
  type Kind,
  type Level,
  MIXED,
  NODES,
  type Node,
  PRINCIPALS,
  type Principal,
  REACH,
  ROWS,
  type Row,
  SECTIONS,
  TARGETS,
  type Target,
  type TreeKind,
} from '../../support/api/permission-matrix.data.ts'

// Every operation, by every kind of member, on every kind of target. The expectations come only from the tables of
// permission-matrix.data.ts.

const api = testApi({ settings: { VARIABLES_PER_SCOPE_MAX: '10000' } })
const routes = new Map(createRouteTable(appRouter).routes.map((route) => [operationIdOf(route), route]))
const HEIGHT: Record<Level, number> = { none: 0, visible: 1, read: 2, write: 3 }

const SHARED_AGENT = 'everywhere'

let world: World
/** The trees of requests that must change nothing. */
let shared: Trees

beforeAll(async () => {
  await api.create.agent({ slug: SHARED_AGENT })
  world = await makeWorld(api.db)
  shared = { a: await makeTree(api.db, world, world.a), b: await makeTree(api.db, world, world.b) }
})

test('the matrix lists exactly the operations of the public API', () => {
  expect([...routes.keys()].sort()).toEqual(Object.keys(ROWS).sort())
  expect(PRINCIPALS.length).toBeGreaterThanOrEqual(12)
})

describe('by target', () => {
  test.each(Object.keys(ROWS))('%s', async (operationId) => {
    const route = routeOf(operationId)
    const row = ROWS[operationId] as Row
    await demote()
    await dropSilences()
    const problems: string[] = []
    for (const kind of Array.isArray(row.on) ? row.on : [row.on]) {
      for (const principal of PRINCIPALS) {
        const absent = await call(principal, route, row, absentTarget(kind, world.a))
        for (const name of TARGETS[kind]) {
          const problem = await tryCell({ route, row, kind, principal, name, absent })
          if (problem) problems.push(`${principal} on ${kind} ${name}: ${problem}`)
        }
      }
    }
    expect(problems).toEqual([])
  })
})

describe('ids that do not belong together', () => {
  test.each(MIXED.map((mixed) => ({ ...mixed, title: `${mixed.operationId} with ${mixed.what}` })))(
    '$title',
    async (mixed) => {
      const route = routeOf(mixed.operationId)
      const row = ROWS[mixed.operationId] as Row
      const target = mixedTarget(world, shared, mixed.ids)
      const before = await latestAudit()
      for (const principal of PRINCIPALS) {
        const refused = refusalOf(principal, route, row)
        const answer = await call(principal, route, row, target, mixed.principalType)
        expect([principal, answer.status, codeOf(answer)]).toEqual([principal, ...(refused ?? [404, 'not_found'])])
      }
      expect(await latestAudit()).toEqual(before)
    },
  )

  test("another organization's agent is none of the caller's", async () => {
    const [agent] = await api.db.execute<{ slug: string }>(
      sql`insert into agents (id, slug, label, organization_id) values (gen_random_uuid(), 'theirs', 'Theirs', ${world.b.id}) returning slug`,
    )
    const path = `/services/${shared.a.nodes.S.id}/agents`
    const answer = await api.call(world.keys.owner, 'PUT', path, { body: { slugs: [agent?.slug, 'nobodys'] } })
    expect(answer).toMatchObject({ status: 400, body: { error: 'field_invalid' } })
    expect((answer.body.details as { unknown: string[] }).unknown.sort()).toEqual(['nobodys', 'theirs'])
  })
})

type Cell = { route: Route; row: Row; kind: Kind; principal: Principal; name: string; absent: Answer }

/** Returns what is wrong with the response, or null. */
async function tryCell({ route, row, kind, principal, name, absent }: Cell): Promise<string | null> {
  const refused = refusalOf(principal, route, row) ?? (reaches(principal, kind, name, row.level) ? null : NOT_FOUND)
  const changes = route.method !== 'GET'
  // An allowed request changes its target, so each gets a new tree.
  const tree = refused || !changes ? shared : await freshTree(principal)
  const before = changes ? await latestAudit() : null
  const answer = await call(principal, route, row, targetOf(world, tree, principal, kind, name))

  if (refused) {
    if (answer.status !== refused[0] || codeOf(answer) !== refused[1]) return `${told(answer)} for ${refused.join(' ')}`
    if (refused === NOT_FOUND && fingerprint(answer) !== fingerprint(absent)) {
      return `tells it from an absent one: ${fingerprint(answer)} and ${fingerprint(absent)}`
    }
    return changes && (await latestAudit())?.id !== before?.id ? 'refused, and yet something was done' : null
  }
  const expected = row.shows === 'metrics' ? [200] : route.api.noContent ? [200, 204] : [route.api.status ?? 200]
  if (!expected.includes(answer.status)) return `${told(answer)} for ${expected.join(' or ')}`
  if (changes) {
    const after = await latestAudit()
    if (after?.id === before?.id || after?.keyId !== world.keys[principal].id) return 'done without an audit entry'
  }
  return row.shows ? showsWrong(row.shows, answer, tree, principal, placeOf(kind, name)) : null
}

/** Creates a tree in the principal's organization, the only one that a principal may change. */
async function freshTree(principal: Principal): Promise<Trees> {
  if (principal === 'otherOwner') return { ...shared, b: await makeTree(api.db, world, world.b) }
  return { ...shared, a: await makeTree(api.db, world, world.a) }
}

const NOT_FOUND: [number, string] = [404, 'not_found']

/** Returns the refusal that is decided before the target is read. */
function refusalOf(principal: Principal, route: Route, row: Row): [number, string] | null {
  if (principal === 'readKey' && route.method !== 'GET') return [403, 'api_key_read_only']
  if (!row.section) return null
  const [section, needed] = row.section
  const held = SECTIONS[principal][section]
  return held === 'write' || held === needed ? null : [403, 'insufficient_permissions']
}

function reaches(principal: Principal, kind: Kind, name: string, needed: Level): boolean {
  return HEIGHT[levelOn(principal, kind, name)] >= HEIGHT[needed]
}

function levelOn(principal: Principal, kind: Kind, name: string): Level {
  if (name === 'absent' || name === 'parent') return 'none'
  if (kind === 'silence') return name === 'mine' ? 'write' : 'none'
  if (principal === 'otherOwner') return name === 'foreign' ? 'write' : 'none'
  if (name === 'foreign') return 'none'
  if (kind === 'binding' || kind === 'organizationVariable') return 'write'
  return kind === 'all' ? 'none' : REACH[principal][name as Node]
}

function call(
  principal: Principal,
  route: Route,
  row: Row,
  target: Target,
  principalType: 'user' | 'group' = 'user',
): Promise<Answer> {
  const params: Record<string, string> = {
    id: target.id,
    varId: target.variableId,
    resultId: target.resultId,
    runId: target.runId,
    stepId: target.stepId,
    resourceType: target.kind,
    resourceId: target.id,
    principalType,
    principalId: target.granteeId,
    slug: SHARED_AGENT,
  }
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] as string)
  const body = row.body?.(target)
  return api.call(world.keys[principal], route.method, path, {
    query: row.query?.(target),
    body: body && route.name === 'access.set' ? { ...body, principalType } : body,
  })
}

/** Returns what a list or sum shows beyond the caller's reach or omits within it; null when it is right. */
function showsWrong(
  shows: NonNullable<Row['shows']>,
  answer: Answer,
  tree: Trees,
  principal: Principal,
  place: Node,
): string | null {
  const isB = principal === 'otherOwner'
  const { nodes } = isB ? tree.b : tree.a
  const sees = (node: Node) => isB || HEIGHT[REACH[principal][node]] >= HEIGHT.visible
  const shown = NODES.filter((node) => sees(node))
  if (shows === 'workspaces' || shows === 'projects' || shows === 'services') {
    const kind = shows.slice(0, -1) as TreeKind
    const inside = (node: Node) => kind === 'workspace' || isUnder(node, place)
    const expected = shown.filter((node) => kindOf(node) === kind && inside(node))
    const ids = new Set((answer.body as { items: { id: string }[] }).items.map((item) => item.id))
    const found = NODES.filter((node) => ids.has(nodes[node].id))
    return found.join() === expected.join() ? null : `lists ${found.join(' ')} for ${expected.join(' ')}`
  }
  const beneath = shown.filter((node) => kindOf(node) === 'service' && isUnder(node, place))
  if (shows === 'incidents') {
    const ids = new Set((answer.body as { items: { id: string }[] }).items.map((item) => item.id))
    const found = NODES.filter((node) => ids.has(nodes[node].incidentId))
    return found.join() === beneath.join() ? null : `lists ${found.join(' ')} for ${beneath.join(' ')}`
  }
  if (shows === 'toggled') {
    const { matched } = answer.body as { matched: number }
    return matched === beneath.length ? null : `matched ${matched} of ${beneath.length}`
  }
  const sum = beneath.reduce((total, node) => total + (PROBES[node] ?? 0), 0)
  const { probesTotal } = (answer.body as { counters: { probesTotal: number } }).counters
  return probesTotal === sum ? null : `sums ${probesTotal} for ${sum}`
}

/** Returns the node of a target's name; both organizations use the same names. */
function placeOf(kind: Kind, name: string): Node {
  if (kind === 'workspace' || kind === 'project' || kind === 'service')
    return name === 'foreign' ? OF_KIND[kind] : (name as Node)
  return 'W'
}

function isUnder(node: Node, place: Node): boolean {
  const under: Record<Node, Node[]> = {
    W: ['P', 'P2', 'S', 'S2', 'S3'],
    V: ['Q', 'T'],
    P: ['S', 'S2'],
    P2: ['S3'],
    Q: ['T'],
    S: ['S'],
    S2: ['S2'],
    S3: ['S3'],
    T: ['T'],
  }
  return under[place].includes(node)
}

/** Gives the member every permission, sends a request that succeeds, and removes every permission. */
async function demote(): Promise<void> {
  const { membershipId } = world.members.demoted
  const set = (level: 0 | 2) =>
    api.db
      .update(memberships)
      .set({ users: level, settings: level, domains: level, webhooks: level, orgAdmin: level, workspaces: level })
      .where(eq(memberships.id, membershipId))
  await set(2)
  const answer = await api.call(world.keys.demoted, 'GET', `/services/${shared.a.nodes.S.id}`)
  expect(answer.status).toBe(200)
  await set(0)
}

/** Every tree has silences of the members, who may have a limited number of them. */
async function dropSilences(): Promise<void> {
  const kept = [...shared.a.silences.values(), ...shared.b.silences.values()]
  await api.db.delete(silences).where(notInArray(silences.id, kept))
}

/** Ids of entries ascend, and one request is sent at a time. Counting them would read the whole table. */
async function latestAudit(): Promise<{ id: string; keyId: string | null } | undefined> {
  const { id, keyId } = auditEntries
  const [latest] = await api.db.select({ id, keyId }).from(auditEntries).orderBy(desc(id)).limit(1)
  return latest
}

/** Returns everything that a caller could compare, without the parts that differ between any two responses. */
function fingerprint({ status, headers, body }: Answer): string {
  const differing = /^(x-request-id|x-ratelimit-.*|date)$/
  const kept = [...headers].filter(([name]) => !differing.test(name)).sort()
  return JSON.stringify([status, kept, body])
}

function told(answer: Answer): string {
  return `answered ${answer.status} ${codeOf(answer) ?? ''}`.trim()
}

function codeOf(answer: Answer): string | undefined {
  return (answer.body as { error?: string } | null)?.error
}

function routeOf(operationId: string): Route {
  const route = routes.get(operationId)
  if (!route) throw new Error(`The public API has no ${operationId}`)
  return route
}

function operationIdOf(route: Route): string {
  const { meta } = route.procedure._def as { meta?: { openapi?: { operationId?: string } } }
  return meta?.openapi?.operationId ?? route.name
}
