import type { Kind, Mixed, Node, Principal, Target } from '#test/support/api/permission-matrix.data.ts'
import { absentTarget, OF_KIND, parentIdOf, type Tree, type World } from './permission-world.ts'

/** The resources of both organizations. */
export type Trees = { a: Tree; b: Tree }

/** Returns the target of a request by its name. */
export function targetOf(world: World, tree: Trees, principal: Principal, kind: Kind, name: string): Target {
  const absent = absentTarget(kind, world.a)
  if (name === 'absent' || kind === 'all') return absent
  if (kind === 'silence') return { ...absent, id: silenceOf(world, tree, principal, name) }
  const theirs = name === 'foreign'
  const { nodes, organizationVariableId } = theirs ? tree.b : tree.a
  if (kind === 'organizationVariable') return { ...absent, variableId: organizationVariableId }
  if (kind === 'binding') return { ...absent, id: nodes[theirs ? 'S' : (name as Node)].bindingId }
  if (kind === 'incident') {
    const target = nodes[theirs ? 'S' : (name as Node)]
    return { ...target, id: target.incidentId }
  }
  if (kind === 'maintenance') {
    const target = nodes[theirs ? 'S' : (name as Node)]
    return { ...target, id: target.maintenanceId }
  }
  if (kind === 'batch') {
    const target = nodes[theirs ? 'P' : (name as Node)]
    return { ...target, id: target.batchId }
  }
  if (name !== 'parent') return nodes[theirs ? OF_KIND[kind] : (name as Node)]
  return { ...nodes[OF_KIND[kind]], id: parentIdOf(tree.a, world.a, OF_KIND[kind]) }
}

function silenceOf(world: World, tree: Trees, principal: Principal, name: string): string {
  const mine = world.members[principal]
  const isInA = mine.organizationId === world.a.id
  const [own, other] = isInA ? [tree.a, tree.b] : [tree.b, tree.a]
  const [side, otherOwner] = isInA ? [world.a, world.members.otherOwner] : [world.b, world.members.owner]
  if (name === 'mine') return own.silences.get(mine.membershipId) as string
  if (name === 'another') return own.silences.get(side.grantee.membershipId) as string
  return other.silences.get(otherOwner.membershipId) as string
}

/** Returns a target with ids from several nodes. */
export function mixedTarget(world: World, shared: Trees, ids: Mixed['ids']): Target {
  const at = (from: string | undefined, read: (target: Target) => string, fallback: string) => {
    if (from === undefined) return fallback
    if (from === 'absent') return read(absentTarget('service', world.a))
    return read(shared.a.nodes[from as Node])
  }
  const base = shared.a.nodes[(ids.id ?? 'S') as Node]
  return {
    ...base,
    variableId: at(ids.varId, (target) => target.variableId, base.variableId),
    resultId: at(ids.resultId, (target) => target.resultId, base.resultId),
    runId: at(ids.runId, (target) => target.runId, base.runId),
    stepId: at(ids.stepId, (target) => target.stepId, base.stepId),
    granteeId: at(ids.principalId, (target) => target.granteeId, base.granteeId),
    webhookId: at(ids.webhookId, (target) => target.webhookId, base.webhookId),
  }
}
