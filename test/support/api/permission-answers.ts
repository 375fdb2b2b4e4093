import type { Route } from '#server/fronts/rest/route.ts'
import type { Answer } from '#test/support/api/contract.ts'
import {
  type Level,
  NODES,
  type Node,
  type Principal,
  REACH,
  type Row,
  type TreeKind,
} from '#test/support/api/permission-matrix.data.ts'
import type { Trees } from './permission-targets.ts'
import { kindOf, PROBES } from './permission-world.ts'

// The problem with the responses of the permission matrix, or null.

export const NOT_FOUND: [number, string] = [404, 'not_found']
/** Of operations that judge each id alone: what is out of reach has the outcome `not_found`. */
export const JUDGED: [number, string] = [200, 'not_found']
export const HEIGHT: Record<Level, number> = { none: 0, visible: 1, read: 2, write: 3 }

export function refusalWrong(answer: Answer, refused: [number, string], absent: Answer): string | null {
  if (refused === JUDGED) return answer.status === 200 && isMissing(answer) ? null : `${told(answer)} for not_found`
  if (answer.status !== refused[0] || codeOf(answer) !== refused[1]) return `${told(answer)} for ${refused.join(' ')}`
  if (refused !== NOT_FOUND || fingerprint(answer) === fingerprint(absent)) return null
  return `tells it from an absent one: ${fingerprint(answer)} and ${fingerprint(absent)}`
}

export function statusWrong(answer: Answer, route: Route, row: Row): string | null {
  const expected = row.shows === 'metrics' ? [200] : route.api.noContent ? [200, 204] : [route.api.status ?? 200]
  return expected.includes(answer.status) ? null : `${told(answer)} for ${expected.join(' or ')}`
}

/** Returns what a list or sum shows beyond the caller's reach or omits within it; null when it is right. */
export function showsWrong(
  shows: NonNullable<Row['shows']>,
  answer: Answer,
  tree: Trees,
  principal: Principal,
  place: Node,
): string | null {
  if (shows === 'outcomes') return isMissing(answer) ? 'did nothing' : null
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

function isMissing({ body }: Answer): boolean {
  return (body as { incidents: { outcome: string }[] }).incidents.every(({ outcome }) => outcome === 'not_found')
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

/** Returns everything that a caller could compare, without the parts that differ between any two responses. */
function fingerprint({ status, headers, body }: Answer): string {
  const differing = /^(x-request-id|x-ratelimit-.*|date)$/
  const kept = [...headers].filter(([name]) => !differing.test(name)).sort()
  return JSON.stringify([status, kept, body])
}

function told(answer: Answer): string {
  return `answered ${answer.status} ${codeOf(answer) ?? ''}`.trim()
}

export function codeOf(answer: Answer): string | undefined {
  return (answer.body as { error?: string } | null)?.error
}
