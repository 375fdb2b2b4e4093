import { structuredPatch } from 'diff'
import type { StepBody } from '#server/schemas/results/results.ts'
import { readJson } from '../../../../../../components/run-steps/body-data.ts'

/** Comparing longer texts, or texts with more differences, would block the page. */
const TEXT_MAX = 200_000
const EDITS_MAX = 1_000
const TIMEOUT_MS = 200
const LINES_MAX = 1_000
const CONTEXT = 3

export type DiffLine = { kind: 'same' | 'removed' | 'added' | 'gap'; text: string }

export type LineDiff =
  | { kind: 'same' }
  | { kind: 'lines'; lines: DiffLine[]; isCut: boolean }
  | { kind: 'too-large' | 'too-different' | 'binary' }

/** Compares two bodies line by line. JSON is indented before, so that each value has its own line. */
export function diffBodies(before: StepBody, after: StepBody): LineDiff {
  if (before.content === after.content && before.encoding === after.encoding) return { kind: 'same' }
  if (before.encoding !== null || after.encoding !== null) return { kind: 'binary' }
  if (Math.max(before.content.length, after.content.length) > TEXT_MAX) return { kind: 'too-large' }
  const patch = structuredPatch('', '', indented(before.content), indented(after.content), '', '', {
    context: CONTEXT,
    maxEditLength: EDITS_MAX,
    timeout: TIMEOUT_MS,
  })
  if (!patch) return { kind: 'too-different' }
  const lines = patch.hunks.flatMap(({ lines, oldStart, newStart }, index): DiffLine[] => [
    ...(index === 0 && oldStart === 1 && newStart === 1 ? [] : [{ kind: 'gap' as const, text: `Line ${newStart}` }]),
    ...lines.filter((line) => !line.startsWith('\\')).map(readLine),
  ])
  return { kind: 'lines', lines: lines.slice(0, LINES_MAX), isCut: lines.length > LINES_MAX }
}

const KINDS: Record<string, DiffLine['kind']> = { '-': 'removed', '+': 'added' }

function readLine(line: string): DiffLine {
  return { kind: KINDS[line.charAt(0)] ?? 'same', text: line.slice(1) }
}

function indented(text: string): string {
  const json = readJson(text)
  return json === undefined ? text : JSON.stringify(json, null, 2)
}
