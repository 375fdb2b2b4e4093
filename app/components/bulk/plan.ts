import { LABELS_MAX } from '#server/schemas/conventions.ts'
import type { BoardService } from '#server/schemas/status/board.ts'

// What a bulk change will do, before it is sent. The server judges each service again.

/** A selected service. One that is not from a list may lack the names of its place. */
export type Selected = Pick<BoardService, 'id' | 'name' | 'projectId'> & Partial<BoardService>

export type Change = { name: string; from: string | null; to: string }
export type LeftOut = { name: string; reason: string }
export type Plan = { changes: Change[]; leftOut: LeftOut[] }

/** What happens to one service: from what to what, or why nothing. */
export type Judgement = { from: string | null; to: string } | { reason: string }

export function planOf(services: Selected[], judge: (service: Selected) => Judgement): Plan {
  const plan: Plan = { changes: [], leftOut: [] }
  for (const service of services) {
    const judged = judge(service)
    if ('reason' in judged) plan.leftOut.push({ name: service.name, ...judged })
    else plan.changes.push({ name: service.name, ...judged })
  }
  return plan
}

export type LabelChange = { mode: 'add' | 'remove' | 'set'; labels: string[] }

/** Returns the labels after a change, in their order. */
function labelsAfter(labels: string[], { mode, labels: given }: LabelChange): string[] {
  if (mode === 'set') return given
  if (mode === 'remove') return labels.filter((label) => !given.includes(label))
  return [...new Set([...labels, ...given])]
}

const SAME_LABELS = { add: 'has them already', remove: 'has none of them', set: 'has exactly these already' }

export function judgeLabels(change: LabelChange): (service: Selected) => Judgement {
  return ({ labels = [] }) => {
    const next = labelsAfter(labels, change)
    if (next.join('\n') === labels.join('\n')) {
      return { reason: SAME_LABELS[change.mode] }
    }
    if (next.length > LABELS_MAX) return { reason: `would have more than ${LABELS_MAX} labels` }
    return { from: listText(labels, 'no label'), to: listText(next, 'no label') }
  }
}

export function judgeSwitch(isActive: boolean): (service: Selected) => Judgement {
  return (service) =>
    service.isActive === isActive
      ? { reason: isActive ? 'is on already' : 'is off already' }
      : { from: isActive ? 'off' : 'on', to: isActive ? 'on' : 'off' }
}

/** A time zone of '' keeps that of each service. */
export function judgeSchedule(schedule: string, timezone: string): (service: Selected) => Judgement {
  return (service) => {
    const zone = timezone === '' ? (service.timezone ?? null) : timezone === 'UTC' ? null : timezone
    if (service.schedule === schedule && (service.timezone ?? null) === zone) return { reason: 'has it already' }
    return { from: scheduleText(service.schedule ?? '', service.timezone ?? null), to: scheduleText(schedule, zone) }
  }
}

export function judgeAgents(slugs: string[]): (service: Selected) => Judgement {
  const wanted = [...slugs].sort()
  return ({ agents = [] }) =>
    [...agents].sort().join() === wanted.join()
      ? { reason: 'has them already' }
      : { from: listText(agents, 'any shared agent'), to: listText(wanted, 'any shared agent') }
}

export function judgeMove(project: { id: string; place: string }): (service: Selected) => Judgement {
  return (service) =>
    service.projectId === project.id ? { reason: 'is there already' } : { from: placeOf(service), to: project.place }
}

export function judgeAcknowledgement({ incident }: Selected): Judgement {
  if (!incident) return { reason: 'has no open incident' }
  if (incident.acknowledgedAt) return { reason: `is acknowledged by ${incident.acknowledgedBy}` }
  return { from: 'not acknowledged', to: 'acknowledged by you' }
}

export function judgeRemoval(service: Selected): Judgement {
  return { from: placeOf(service), to: 'Recently deleted' }
}

function placeOf({ workspaceName, projectName }: Selected): string | null {
  return workspaceName && projectName ? `${workspaceName} / ${projectName}` : null
}

function scheduleText(schedule: string, timezone: string | null): string {
  return timezone ? `${schedule} ${timezone}` : schedule
}

function listText(words: string[], none: string): string {
  return words.length === 0 ? none : words.join(', ')
}

/** Names of several services in one line, such as `Cart, Login and 3 more`. */
export function namesText(names: string[]): string {
  const shown = 5
  if (names.length <= shown) return names.join(', ')
  return `${names.slice(0, shown).join(', ')} and ${names.length - shown} more`
}

export function countText(count: number): string {
  return count === 1 ? '1 service' : `${count} services`
}
