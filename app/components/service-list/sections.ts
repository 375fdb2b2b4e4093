import type { BoardService, FailureGroup } from '#server/schemas/status/board.ts'
import { needsAttention } from '#server/schemas/status/states.ts'

/** A row of the table: a service, or services that fail for one cause. */
export type Block =
  | { kind: 'service'; service: BoardService }
  | { kind: 'cause'; cause: FailureGroup; services: BoardService[] }

/** Rows under one heading. A list in one order has one section without a title. */
export type Section = { key: string; kind: 'attention' | 'others' | 'project' | 'all'; blocks: Block[] }

export type Grouping = 'project' | 'attention' | 'none'

const ATTENTION = 'attention'

/**
 * Arranges the services of a page in the order in which they came. `project`: what needs attention, then the others by
 * project. `attention`: what needs attention, then the others. `none`: one list.
 */
export function sectionsOf(services: BoardService[], grouping: Grouping, hasCauses: boolean): Section[] {
  const blocks = (of: BoardService[]) => (hasCauses ? blocksOf(of) : of.map(alone))
  if (grouping === 'none') return [{ key: 'all', kind: 'all', blocks: blocks(services) }]
  const wrong = services.filter(({ state }) => needsAttention(state))
  const others = services.filter(({ state }) => !needsAttention(state))
  const attention: Section = { key: ATTENTION, kind: 'attention', blocks: blocks(wrong) }
  const rest: Section[] =
    grouping === 'attention'
      ? [{ key: 'others', kind: 'others', blocks: others.map(alone) }]
      : [...Map.groupBy(others, ({ projectId }) => projectId)].map(([key, own]) => ({
          key,
          kind: 'project',
          blocks: own.map(alone),
        }))
  return [attention, ...rest].filter(({ blocks }) => blocks.length > 0)
}

/** Services of one cause are one row, where the first of them stands. */
function blocksOf(services: BoardService[]): Block[] {
  const groups = Map.groupBy(services, ({ group, id }) => group?.key ?? id)
  return [...groups.values()].map((own): Block => {
    const [first] = own as [BoardService]
    return first.group && own.length > 1 ? { kind: 'cause', cause: first.group, services: own } : alone(first)
  })
}

function alone(service: BoardService): Block {
  return { kind: 'service', service }
}

export function servicesIn(block: Block): BoardService[] {
  return block.kind === 'service' ? [block.service] : block.services
}

export function servicesOf(sections: Section[]): BoardService[] {
  return sections.flatMap(({ blocks }) => blocks.flatMap(servicesIn))
}

/** Returns the same arrangement with the data of now: rows keep their places. A service that is not in it stays as it was. */
export function refreshed(sections: Section[], services: BoardService[]): Section[] {
  const now = new Map(services.map((service) => [service.id, service]))
  const latest = (service: BoardService) => now.get(service.id) ?? service
  return sections.map((section) => ({
    ...section,
    blocks: section.blocks.map((block) =>
      block.kind === 'service'
        ? { ...block, service: latest(block.service) }
        : { ...block, services: block.services.map(latest) },
    ),
  }))
}
