import { randomUUID } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#db/client.ts'
import { incidents } from '#db/schema/alerts.ts'
import { projects, services, workspaces } from '#db/schema/resources.ts'
import { results, serviceStates } from '#db/schema/results.ts'
import { runBatches } from '#db/schema/run-requests.ts'
import { grants, silences, variables } from '#db/schema/scoped.ts'
import { webhookBindings, webhooks } from '#db/schema/webhooks.ts'
import { createIdAt, timestampOfId } from '#server/results/ids.ts'
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
import { createWaitingRun } from '../runs/waiting.ts'

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
  const organizationId = side.id
  const now = new Date()
  const nodes = Object.fromEntries(NODES.map((node) => [node, newTarget(kindOf(node), side)])) as Record<Node, Target>
  const rows = (kind: TreeKind) =>
    NODES.filter((node) => kindOf(node) === kind).map((node) => ({
      node,
      id: nodes[node].id,
      organizationId,
      name: node,
      parentId: PARENTS[node] ? nodes[PARENTS[node]].id : '',
    }))
  await db.insert(workspaces).values(rows('workspace').map((row) => ({ ...row, name: unique(row.node) })))
  await db.insert(projects).values(rows('project').map((row) => ({ ...row, workspaceId: row.parentId })))
  await db.insert(services).values(
    rows('service').map((row) => ({
      ...row,
      projectId: row.parentId,
      script: SCRIPT,
      isActive: true,
      version: nodes[row.node].version,
    })),
  )
  await db.insert(runBatches).values(
    rows('project').map(({ node, parentId: workspaceId, id: projectId }) => ({
      id: nodes[node].batchId,
      organizationId,
      workspaceId,
      projectId,
    })),
  )
  await db.insert(serviceStates).values(
    rows('service').map((row) => ({
      serviceId: row.id,
      organizationId,
      lastStatus: 'success' as const,
      lastRunAt: now,
      probesTotal: PROBES[row.node] ?? 0,
    })),
  )
  await db.insert(results).values(
    rows('service').map(({ id, node }) => {
      const { resultId, stepId } = nodes[node]
      const service = { id, organizationId }
      return resultRow(service, timestampOfId(resultId) as Date, { id: resultId, steps: [step({ id: stepId })] })
    }),
  )
  for (const { id, node } of rows('service')) await createWaitingRun(db, { id, organizationId }, nodes[node].runId)
  await db
    .insert(incidents)
    .values(rows('service').map(({ id, node }) => incidentRow({ id, organizationId }, { id: nodes[node].incidentId })))

  const hanging = NODES.map((node) => ({ node, organizationId, [`${kindOf(node)}Id`]: nodes[node].id }))
  const organizationVariableId = uuidv7()
  const metric = { organizationId, type: 'metric' as const, value: '1' }
  await db
    .insert(variables)
    .values([
      { ...metric, id: organizationVariableId, key: uniqueKey() },
      ...hanging.map(({ node, ...scope }) => ({ ...metric, ...scope, id: nodes[node].variableId, key: uniqueKey() })),
    ])
  await db
    .insert(webhookBindings)
    .values(
      hanging.map(({ node, ...scope }) => ({ ...scope, id: nodes[node].bindingId, webhookId: side.boundWebhookId })),
    )

  const held = side === world.a ? PRINCIPALS.filter((principal) => GRANTS[principal]) : []
  await db.insert(grants).values([
    ...hanging.map(({ node: _, ...scope }) => ({
      ...scope,
      id: uuidv7(),
      membershipId: side.grantee.membershipId,
      level: 1 as const,
    })),
    ...held.map((principal) => {
      const { node, level } = GRANTS[principal] as { node: Node; level: 1 | 2 }
      const holder =
        principal === 'throughGroup'
          ? { groupId: world.groupId }
          : { membershipId: world.members[principal].membershipId }
      return { id: uuidv7(), organizationId, [`${kindOf(node)}Id`]: nodes[node].id, level, ...holder }
    }),
  ])

  const own = Object.values(world.members).filter((member) => member.organizationId === organizationId)
  const ids = new Map([...own, side.grantee].map((member) => [member.membershipId, uuidv7()]))
  await db
    .insert(silences)
    .values([...ids].map(([membershipId, id]) => ({ id, organizationId, membershipId, channel: 'all' as const })))
  return { nodes, silences: ids, organizationVariableId }
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
    resultId: createIdAt(now),
    runId: uuidv7(),
    stepId: uuidv7(),
    version: 2,
    granteeId: side.grantee.userId,
    webhookId: side.looseWebhookId,
  }
}
