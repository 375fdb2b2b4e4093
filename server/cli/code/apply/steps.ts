import type { Change, Plan, ServiceChange } from '../plan/changes.ts'

// The order of steps: what others need comes first. Services are switched on last, when all that they need is there.

export type Step = {
  change: Change
  /** The part of the change: a service is changed in several requests. */
  part: 'container' | 'off' | 'service' | 'agents' | 'variable' | 'webhook' | 'delete' | 'on'
}

export function stepsOf({ changes, undescribed }: Plan, options: { prune: boolean }): Step[] {
  const made = changes.flatMap(partsOf)
  const removed = options.prune ? undescribed.map(removalOf) : []
  return [...made, ...removed].toSorted((a, b) => rank(a) - rank(b))
}

function partsOf(change: Change): Step[] {
  switch (change.kind) {
    case 'workspace':
    case 'project':
      return [{ change, part: 'container' }]
    case 'service':
      return servicePartsOf(change)
    default:
      return [{ change, part: change.kind }]
  }
}

function servicePartsOf(change: ServiceChange): Step[] {
  const { isActive, agents, ...rest } = change.fields
  const steps: Step[] = []
  if (isActive?.to === false && change.op === 'update') steps.push({ change, part: 'off' })
  if (change.op === 'create' || Object.keys(rest).length > 0) steps.push({ change, part: 'service' })
  if (agents) steps.push({ change, part: 'agents' })
  if (isActive?.to === true) steps.push({ change, part: 'on' })
  return steps
}

/** A variable whose type changes is deleted and created. */
function removalOf(change: Change): Step {
  return { change, part: change.op === 'replace' ? 'variable' : 'delete' }
}

const DEPTH_OF = { webhook: 0, variable: 1, service: 2, project: 3, workspace: 4 }

function rank({ change, part }: Step): number {
  const { path, op, kind } = change
  switch (part) {
    case 'off':
      return 0
    case 'container':
      return 10 + path.length
    case 'variable':
      return path.length < 3 ? 20 + path.length : 40
    case 'service':
      // A new service may take the name that another gives up. A changed script may name variables that are new.
      return op === 'create' ? 31 : change.fields.name ? 30 : 41
    case 'agents':
      return 42
    case 'webhook':
      return 43
    case 'delete':
      return 50 + DEPTH_OF[kind]
    case 'on':
      return 60
  }
}
