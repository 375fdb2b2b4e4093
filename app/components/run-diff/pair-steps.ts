import type { ResultStep } from '#server/schemas/results/results.ts'

/** A step of both runs, or of one of them. */
export type StepPair = { before: ResultStep | null; after: ResultStep | null }

/** Each weight outweighs any number of lower ones: a script has at most some hundred steps. */
const SAME_ENDPOINT = 1_000_000
const SAME_ASSERTIONS = 1_000
const SIMILAR_PATH = 1
/** The share of the parts of a path that two addresses of one endpoint have in common. */
const SIMILARITY_MIN = 0.5

/**
 * Pairs the steps of two runs, of which the script may have changed in between, in the order of the later run. A step is
 * found by method and address, or else by what it asserts, or by a similar address, or as the only one in its place.
 */
export function pairSteps(before: ResultStep[], after: ResultStep[]): StepPair[] {
  return pairLone(pairMoved(align(before, after)))
}

/** Pairs the steps in their order so that the sum of the likenesses is the greatest. */
function align(before: ResultStep[], after: ResultStep[]): StepPair[] {
  // best[i][j] is the greatest sum of the steps from i and from j on.
  const best = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0))
  const at = (i: number, j: number) => best[i]?.[j] ?? 0
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const row = best[i] as number[]
      row[j] = Math.max(at(i + 1, j), at(i, j + 1), at(i + 1, j + 1) + likeness(before[i], after[j]))
    }
  }
  const pairs: StepPair[] = []
  let [i, j] = [0, 0]
  while (i < before.length || j < after.length) {
    const [left, right] = [before[i] ?? null, after[j] ?? null]
    const like = left && right ? likeness(left, right) : 0
    if (like > 0 && at(i, j) === at(i + 1, j + 1) + like) {
      pairs.push({ before: left, after: right })
      i++
      j++
    } else if (left && at(i, j) === at(i + 1, j)) {
      pairs.push({ before: left, after: null })
      i++
    } else {
      pairs.push({ before: null, after: right })
      j++
    }
  }
  return pairs
}

/** Where exactly one step of each run is left between two pairs, and its method is the same, the step was rewritten. */
function pairLone(pairs: StepPair[]): StepPair[] {
  const paired: StepPair[] = []
  let gap: StepPair[] = []
  const endGap = () => {
    const [first, second] = gap
    const [before, after] = [first?.before ?? second?.before ?? null, first?.after ?? second?.after ?? null]
    if (gap.length === 2 && before && before.method === after?.method) paired.push({ before, after })
    else paired.push(...gap)
    gap = []
  }
  for (const pair of pairs) {
    if (pair.before && pair.after) {
      endGap()
      paired.push(pair)
    } else gap.push(pair)
  }
  endGap()
  return paired
}

/** Pairs the steps that are left and that the script calls at another place. */
function pairMoved(pairs: StepPair[]): StepPair[] {
  const removed = new Set(pairs.flatMap(({ before, after }) => (before && !after ? [before] : [])))
  const found = pairs.map((pair) => {
    if (pair.before || !pair.after) return pair
    const { after } = pair
    const before = [...removed].find((one) => isSameEndpoint(one, after)) ?? null
    if (before) removed.delete(before)
    return { before, after }
  })
  return found.filter(({ before, after }) => after || (before && removed.has(before)))
}

function likeness(before: ResultStep | undefined, after: ResultStep | undefined): number {
  if (!before || !after || before.method !== after.method) return 0
  if (isSameEndpoint(before, after)) return SAME_ENDPOINT
  const similarity = similarityOf(before.urlTemplate, after.urlTemplate)
  const asserted = assertionsOf(before)
  const isSame = asserted !== '[]' && asserted === assertionsOf(after)
  return (isSame ? SAME_ASSERTIONS : 0) + (similarity >= SIMILARITY_MIN ? SIMILAR_PATH + similarity : 0)
}

function isSameEndpoint(one: ResultStep, other: ResultStep): boolean {
  return one.method === other.method && one.urlTemplate === other.urlTemplate
}

/** What a step asserts, whatever came of it. */
function assertionsOf({ assertionResults }: ResultStep): string {
  return JSON.stringify(
    assertionResults.map(({ method, scope, op, match, mode, expected, kind, expression }) => [
      ...[method, scope, op, match, mode],
      ...[expected, kind, expression],
    ]),
  )
}

/** Returns the share of the parts of two paths that both have in the same order, from 0 to 1. */
function similarityOf(one: string, other: string): number {
  const [left, right] = [pathParts(one), pathParts(other)]
  const rest = [...right]
  const common = left.filter((part) => {
    const place = rest.indexOf(part)
    if (place >= 0) rest.splice(0, place + 1)
    return place >= 0
  })
  return common.length / Math.max(left.length, right.length, 1)
}

/** The host is left out: most steps of a script call the same one. */
function pathParts(url: string): string[] {
  const path = url.replace(/^[a-z]+:\/\/[^/?#]*/i, '')
  return path.split(/[/?&#]/).filter((part) => part !== '')
}
