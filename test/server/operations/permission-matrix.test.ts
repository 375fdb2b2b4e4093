import { beforeAll, describe, expect, test } from 'vitest'
import { desc, eq, notInArray } from '#db/drizzle.cjs'
import { auditEntries } from '#db/schema/audit.ts'
import { memberships } from '#db/schema/organizations.ts'
import { silences } from '#db/schema/scoped.ts'
import { createRouteTable, type Route } from '#server/fronts/rest/route.ts'
import { appRouter } from '#server/router.ts'
import { testApi } from '#test/support/api/api.ts'
import type { Answer } from '#test/support/api/contract.ts'
import {
  codeOf,
  HEIGHT,
  JUDGED,
  NOT_FOUND,
  refusalWrong,
  showsWrong,
  statusWrong,
} from '#test/support/api/permission-answers.ts'
import { mixedTarget, type Trees, targetOf } from '#test/support/api/permission-targets.ts'
import {
  absentTarget,
  makeTree,
  makeTrees,
  makeWorld,
  OF_KIND,
  type Tree,
  type World,
} from '#test/support/api/permission-world.ts'
import {
  GRANTS,
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
} from '../../support/api/permission-matrix.data.ts'

// Every operation, by every kind of member, on every kind of target. The expectations come only from the tables of
// permission-matrix.data.ts.

const api = testApi({ settings: { VARIABLES_PER_SCOPE_MAX: '10000' } })
const routes = new Map(createRouteTable(appRouter).routes.map((route) => [route.operationId, route]))

/** An agent that every organization sees. */
let sharedAgentId: string

let world: World
/** The trees of requests that must change nothing. */
let shared: Trees
/** Trees for requests that change theirs, made before they are needed. */
const SPARE_TREES = 8
const spare: Record<keyof Trees, Tree[]> = { a: [], b: [] }
/** How often spare trees were made. */
let made = 0

beforeAll(async () => {
  sharedAgentId = (await api.create.agent()).id
  world = await makeWorld(api.db)
  shared = { a: await makeTree(api.db, world, world.a), b: await makeTree(api.db, world, world.b) }
  await analyze()
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
    await newAudit()
    const problems: string[] = []
    for (const kind of Array.isArray(row.on) ? row.on : [row.on]) {
      for (const principal of PRINCIPALS) {
        for (const problem of await tryCells({ route, row, kind, principal })) {
          problems.push(`${principal} on ${kind} ${problem}`)
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
})

type Cells = { route: Route; row: Row; kind: Kind; principal: Principal }

/** Returns what is wrong with the responses, by target. */
async function tryCells({ route, row, kind, principal }: Cells): Promise<string[]> {
  const changes = route.method !== 'GET'
  const problems: string[] = []
  const add = (name: string, problem: string | null) => problem && problems.push(`${name}: ${problem}`)
  const early = refusalOf(principal, route, row)
  // A refusal before the target is read is the same for every target.
  const names = early ? TARGETS[kind].slice(0, 1) : targetsOf(principal, kind)
  const refusals = names.flatMap((name) => {
    if (early) return { name, refused: early }
    const refused = row.shows === 'outcomes' ? JUDGED : NOT_FOUND
    return reaches(principal, kind, name, row.level) ? [] : { name, refused }
  })
  if (refusals.length > 0) {
    const absent = await call(principal, route, row, absentTarget(kind, world.a))
    for (const { name, refused } of refusals) {
      const target = targetOf(world, shared, principal, kind, name)
      const answer = name === 'absent' ? absent : await call(principal, route, row, target)
      add(name, refusalWrong(answer, refused, absent))
    }
    const refused = refusals.map(({ name }) => name).join(' or ')
    if (changes && (await newAudit())) add(refused, 'refused, and yet something was done')
  }
  for (const name of names) {
    if (refusals.some((refusal) => refusal.name === name)) continue
    // An allowed request changes its target, so each gets a new tree.
    const tree = changes ? await freshTree(principal) : shared
    const answer = await call(principal, route, row, targetOf(world, tree, principal, kind, name))
    const entry = changes ? await newAudit() : null
    const wrong = statusWrong(answer, route, row)
    if (wrong) add(name, wrong)
    else if (changes && entry?.keyId !== world.keys[principal].id) add(name, 'done without an audit entry')
    else if (row.shows) add(name, showsWrong(row.shows, answer, tree, principal, placeOf(kind, name)))
  }
  return problems
}

/** The targets that differ for the principal: without a grant, the resources of its organization are alike. */
function targetsOf(principal: Principal, kind: Kind): readonly string[] {
  const isGranted = GRANTS[principal] !== undefined
  const [first] = TARGETS[kind]
  return TARGETS[kind].filter((name) => isGranted || name === first || !(NODES as readonly string[]).includes(name))
}

/** Returns a new tree in the principal's organization, the only one that a principal may change. */
async function freshTree(principal: Principal): Promise<Trees> {
  const side = principal === 'otherOwner' ? 'b' : 'a'
  if (spare[side].length === 0) {
    spare[side] = await makeTrees(api.db, world, world[side], SPARE_TREES)
    if (++made % 20 === 0) await analyze()
  }
  return { ...shared, [side]: spare[side].pop() as Tree }
}

/** As autovacuum does: without statistics of the tables, PostgreSQL takes nearly twice the processor time. */
function analyze(): Promise<unknown> {
  return api.db.execute('analyze')
}

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
    ...(route.path.startsWith('/agents/') && { id: sharedAgentId }),
  }
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] as string)
  const body = row.body?.(target)
  return api.call(world.keys[principal], route.method, path, {
    query: row.query?.(target),
    body: body && route.name === 'access.set' ? { ...body, principalType } : body,
  })
}

/** Returns the node of a target's name; both organizations use the same names. */
function placeOf(kind: Kind, name: string): Node {
  if (kind === 'workspace' || kind === 'project' || kind === 'service')
    return name === 'foreign' ? OF_KIND[kind] : (name as Node)
  return 'W'
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
  const kept = [shared.a, shared.b, ...spare.a, ...spare.b].flatMap((tree) => [...tree.silences.values()])
  await api.db.delete(silences).where(notInArray(silences.id, kept))
}

type AuditEntry = { id: string; keyId: string | null }

let lastEntry: AuditEntry | undefined

/** Returns the latest audit entry if there is a new one since the last call. */
async function newAudit(): Promise<AuditEntry | null> {
  const before = lastEntry
  lastEntry = await latestAudit()
  return lastEntry && lastEntry.id !== before?.id ? lastEntry : null
}

/** Ids of entries ascend, and one request is sent at a time. Counting them would read the whole table. */
async function latestAudit(): Promise<AuditEntry | undefined> {
  const { id, keyId } = auditEntries
  const [latest] = await api.db.select({ id, keyId }).from(auditEntries).orderBy(desc(id)).limit(1)
  return latest
}

function routeOf(operationId: string): Route {
  const route = routes.get(operationId)
  if (!route) throw new Error(`The public API has no ${operationId}`)
  return route
}
