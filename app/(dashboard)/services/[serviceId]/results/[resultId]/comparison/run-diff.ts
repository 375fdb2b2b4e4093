import type { ResultStep } from '#server/schemas/results/results.ts'
import { PHASES } from '../../../../../../components/runs/phases.ts'

/** A step of both runs, or of one of them. */
export type StepPair = { before: ResultStep | null; after: ResultStep | null }

/** Pairs the steps of two runs by method and URL template, in order: the script may have changed between them. */
export function pairSteps(before: ResultStep[], after: ResultStep[]): StepPair[] {
  const left = [...before]
  const pairs = after.map((step): StepPair => {
    const index = left.findIndex((other) => other.method === step.method && other.urlTemplate === step.urlTemplate)
    return { before: left.splice(index, index < 0 ? 0 : 1)[0] ?? null, after: step }
  })
  return [...pairs, ...left.map((step) => ({ before: step, after: null }))]
}

export type HeaderChange = { name: string; before: string | null; after: string | null }

/** Returns the headers whose value differs or that only one response has, by name. */
export function changedHeaders(before: ResultStep['headers'], after: ResultStep['headers']): HeaderChange[] {
  const [left, right] = [headersByName(before), headersByName(after)]
  return [...new Set([...left.keys(), ...right.keys()])]
    .sort()
    .map((name) => ({ name, before: left.get(name) ?? null, after: right.get(name) ?? null }))
    .filter((header) => header.before !== header.after)
}

/** Names are the same in any case. */
function headersByName(headers: ResultStep['headers']): Map<string, string> {
  return new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value].flat().join('\n')]))
}

export type Timing = { label: string; before: number | null; after: number | null }

/** Returns the response times of a step and its phases that at least one run measured. */
export function timingsOf({ before, after }: StepPair): Timing[] {
  const rows = [{ key: 'responseTimeMs', label: 'Response time' } as const, ...PHASES]
  return rows
    .map(({ key, label }) => ({ label, before: before?.[key] ?? null, after: after?.[key] ?? null }))
    .filter((row) => row.before !== null || row.after !== null)
}

/** Whether both runs have the step, with the same outcome and the same status. */
export function isSameOutcome({ before, after }: StepPair): boolean {
  return before !== null && before.outcome === after?.outcome && before.statusCode === after.statusCode
}

/** Returns the id in a text: an id itself, or the link of a result. Null if it has none. */
export function resultIdIn(text: string): string | null {
  return /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=\W*$|[?#])/i.exec(text.trim())?.[0]?.toLowerCase() ?? null
}
