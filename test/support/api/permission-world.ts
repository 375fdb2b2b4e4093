import { randomUUID } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#db/client.ts'
import type { PgTable } from '#db/drizzle.cjs'
import { insertRows } from '#db/rows.ts'
import { incidents } from '#db/schema/alerts.ts'
import { maintenances } from '#db/schema/maintenances.ts'
import { projects, services, workspaces } from '#db/schema/resources.ts'
import { results, serviceStates } from '#db/schema/results.ts'
import { runBatches } from '#db/schema/run-requests.ts'
import { runs } from '#db/schema/runs.ts'
import { grants, silences, variables } from '#db/schema/scoped.ts'
import { webhookBindings, webhooks } from '#db/schema/webhooks.ts'
import { createIdAt, timestampOfId } from '#server/results/results/ids.ts'
import {
  GRANTS,
  type Kind,
  NODES,
  type Node,
  PRINCIPALS,
  type Principal,
  SECTIONS,
  type Target,
  type TreeKind,
  uniqueKey,
} from '#test/support/api/permission-matrix.data.ts'
import {
  createGroup,
  createKey,
  createMember,
  createOrganization,
  type Key,
  type Member,
  unique,
} from '../factories.ts'
import { incidentRow } from '../runs/incidents.ts'
import { resultRow, step } from '../runs/results.ts'
import { SCRIPT } from '../runs/scripts.ts'
import { waitingRun } from '../runs/stored-runs.ts'

/** The members of the permission matrix, each with a key, in two organizations. */
export type World = {
  a: Side
  b: Side
  members: Record<Principal, Member>
  keys: Record<Principal, Key>
  /** The group of `throughGroup`. */
  groupId: string
}

type Side = { id: string; grantee: Member; boundWebhookId: string; looseWebhookId: string }

/** One set of resources in one organization. Runs of S count 1, of S2 10, of S3 100, of T 1000. */
export type Tree = {
  nodes: Record<Node, Target>
  /** By membership. */
  silences: Map<string, string>
  organizationVariableId: string
}

export const PROBES: Partial<Record<Node, number>> = { S: 1, S2: 10, S3: 100, T: 1_000 }

const PARENTS: Record<Node, Node | null> = {
  W: null,
  V: null,
  P: 'W',
  P2: 'W',
  Q: 'V',
  S: 'P',
  S2: 'P',
  S3: 'P2',
  T: 'Q',
}

/** The node of the other organization for each kind. */
export const OF_KIND: Record<TreeKind, Node> = { workspace: 'W', project: 'P', service: 'S' }

export async function makeWorld(db: Db): Promise<World> {
  const a = await createOrganization(db)
  const b = await createOrganization(db)
  const group = await createGroup(db, a, { sections: SECTIONS.throughGroup })
  const members = { owner: a.owner, readKey: a.owner, otherOwner: b.owner } as Record<Principal, Member>
  for (const principal of PRINCIPALS) {
    const own = principal === 'throughGroup' ? { groups: [group] } : { sections: SECTIONS[principal] }
    members[principal] ??= await createMember(db, a, own)
  }
  const keys = {} as Record<Principal, Key>
  for (const principal of PRINCIPALS) {
    keys[principal] = await createKey(db, members[principal], { access: principal === 'readKey' ? 'read' : 'write' })
  }
  return { a: await makeSide(db, a), b: await makeSide(db, b), members, keys, groupId: group.id }
}

async function makeSide(db: Db, organization: { id: string }): Promise<Side> {
  const [boundWebhookId, looseWebhookId] = [uuidv7(), uuidv7()]
  await db.insert(webhooks).values(
    [boundWebhookId, looseWebhookId].map((id) => ({
      id,
      organizationId: organization.id,
      name: unique('hook'),
      sealed: Buffer.alloc(64),
    })),
  )
  return { id: organization.id, grantee: await createMember(db, organization), boundWebhookId, looseWebhookId }
}

/** Creates new resources with the rows that belong to them, and the grants of the principals. */
export async function makeTree(db: Db, world: World, side: Side): Promise<Tree> {
  const [tree] = await makeTrees(db, world, side, 1)
  return tree as Tree
}

/** Creates several trees in as many statements as one takes: statements are most of the cost. */
export async function makeTrees(db: Db, world: World, side: Side, count: number): Promise<Tree[]> {
  const trees = Array.from({ length: count }, () => newTree(world, side))
  const insert = <T extends PgTable>(table: T, rowsOf: (tree: Tree) => T['$inferInsert'][]) =>
    insertRows(db, table, trees.flatMap(rowsOf))
  await insert(workspaces, (tree) => rowsOfKind(tree, side, 'workspace'))
  await insert(projects, (tree) => rowsOfKind(tree, side, 'project'))
  await insert(services, (tree) => rowsOfKind(tree, side, 'service'))
  await insert(runBatches, (tree) => batchRows(tree, side))
  const probed = trees.flatMap((tree) =>
    rowsOfKind(tree, side, 'service').map((row) => ({ ...row, target: tree.nodes[row.node] })),
  )
  await insertRows(
    db,
    serviceStates,
    probed.map(({ id: serviceId, organizationId, node }) => ({
      ...{ serviceId, organizationId, lastStatus: 'success' as const, lastRunAt: new Date() },
      probesTotal: PROBES[node] ?? 0,
    })),
  )
  await insertRows(
    db,
    results,
    probed.map(({ target: { resultId, stepId }, ...service }) => {
      const startedAt = timestampOfId(resultId) as Date
      return resultRow(service, startedAt, { id: resultId, steps: [step({ id: stepId })] })
    }),
  )
  await insertRows(
    db,
    runs,
    probed.map(({ target, ...service }) => waitingRun(service, target.runId)),
  )
  await insertRows(
    db,
    incidents,
    probed.map(({ target, ...service }) => incidentRow(service, { id: target.incidentId })),
  )
  await insert(variables, (tree) => variableRows(tree, side))
  await insert(webhookBindings, (tree) => bindingRows(tree, side))
  await insert(grants, (tree) => grantRows(tree, world, side))
  // Past ones, because an organization has a limited number of others.
  await insertRows(
    db,
    maintenances,
    probed.map(({ target, id: serviceId, organizationId }) => ({
      ...{ id: target.maintenanceId, organizationId, serviceId, mode: 'mute' as const },
      ...{ startsAt: new Date(0), endsAt: new Date(1), createdBy: side.grantee.membershipId, createdName: 'Grantee' },
    })),
  )
  await insert(silences, (tree) => silenceRows(tree, side))
  return trees
}

function newTree(world: World, side: Side): Tree {
  const own = Object.values(world.members).filter((member) => member.organizationId === side.id)
  return {
    nodes: Object.fromEntries(NODES.map((node) => [node, newTarget(kindOf(node), side)])) as Record<Node, Target>,
    silences: new Map([...own, side.grantee].map((member) => [member.membershipId, uuidv7()])),
    organizationVariableId: uuidv7(),
  }
}

/** The rows of the workspaces, projects or services of a tree. */
function rowsOfKind({ nodes }: Tree, side: Side, kind: TreeKind) {
  return NODES.filter((node) => kindOf(node) === kind).map((node) => {
    const parent = PARENTS[node]
    return {
      ...{ node, id: nodes[node].id, organizationId: side.id, name: parent ? node : unique(node) },
      ...{ workspaceId: parent ? nodes[parent].id : '', projectId: parent ? nodes[parent].id : '' },
      ...{ script: SCRIPT, isActive: true, version: nodes[node].version },
    }
  })
}

function batchRows(tree: Tree, side: Side) {
  return rowsOfKind(tree, side, 'project').map(({ node, organizationId, workspaceId, id: projectId }) => ({
    ...{ id: tree.nodes[node].batchId, organizationId, workspaceId, projectId },
  }))
}

function variableRows(tree: Tree, side: Side) {
  const metric = { organizationId: side.id, type: 'metric' as const, value: '1' }
  return [
    { ...metric, id: tree.organizationVariableId, key: uniqueKey() },
    ...NODES.map((node) => ({ ...metric, ...scopeOf(tree, node), id: tree.nodes[node].variableId, key: uniqueKey() })),
  ]
}

function bindingRows(tree: Tree, side: Side) {
  const hook = { organizationId: side.id, webhookId: side.boundWebhookId }
  return NODES.map((node) => ({ ...hook, ...scopeOf(tree, node), id: tree.nodes[node].bindingId }))
}

function grantRows(tree: Tree, world: World, side: Side) {
  const { grantee, id: organizationId } = side
  const held = side === world.a ? PRINCIPALS.filter((principal) => GRANTS[principal]) : []
  return [
    ...NODES.map((node) => ({
      ...{ id: uuidv7(), organizationId, membershipId: grantee.membershipId, level: 1 as const },
      ...scopeOf(tree, node),
    })),
    ...held.map((principal) => {
      const { node, level } = GRANTS[principal] as { node: Node; level: 1 | 2 }
      const { membershipId } = world.members[principal]
      const holder = principal === 'throughGroup' ? { groupId: world.groupId } : { membershipId }
      return { id: uuidv7(), organizationId, level, ...scopeOf(tree, node), ...holder }
    }),
  ]
}

function silenceRows(tree: Tree, side: Side) {
  const all = { organizationId: side.id, channel: 'all' as const }
  return [...tree.silences].map(([membershipId, id]) => ({ ...all, id, membershipId }))
}

/** The column that names the node as the scope of a row. */
function scopeOf(tree: Tree, node: Node): { workspaceId?: string; projectId?: string; serviceId?: string } {
  return { [`${kindOf(node)}Id`]: tree.nodes[node].id }
}

export function kindOf(node: Node): TreeKind {
  return node === 'W' || node === 'V' ? 'workspace' : /^[PQ]/.test(node) ? 'project' : 'service'
}

/** Returns the id of the containing resource, or of the organization for a workspace. */
export function parentIdOf(tree: Tree, side: Side, node: Node): string {
  const parent = PARENTS[node]
  return parent ? tree.nodes[parent].id : side.id
}

/** Ids that do not exist. */
export function absentTarget(kind: Kind, side: Side): Target {
  return { ...newTarget(kind, side), granteeId: randomUUID(), webhookId: randomUUID() }
}

function newTarget(kind: Kind, side: Side): Target {
  const now = new Date()
  return {
    kind,
    id: uuidv7(),
    variableId: uuidv7(),
    bindingId: uuidv7(),
    batchId: uuidv7(),
    incidentId: uuidv7(),
    maintenanceId: uuidv7(),
    resultId: createIdAt(now),
    runId: uuidv7(),
    stepId: uuidv7(),
    version: 2,
    granteeId: side.grantee.userId,
    webhookId: side.looseWebhookId,
  }
}
