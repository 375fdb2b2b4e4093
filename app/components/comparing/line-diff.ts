import { structuredPatch } from 'diff'
import type { StepBody } from '#server/schemas/results/results.ts'
import { readJson } from '../run-steps/body-data.ts'
import { DEPTH_MAX, indentedJson } from '../run-steps/indented-json.ts'
import { type JsonChange, jsonChanges } from './json-changes.ts'

/** What is compared of each body, and what is shown of the differences. */
const TEXT_MAX = 200_000
const EDITS_MAX = 1_000
const TIMEOUT_MS = 3_000
const LINES_MAX = 1_000
const LINE_MAX = 1_000
const BEFORE_DIFFERENCE = 40
const CONTEXT = 3

export type DiffLine = { kind: 'same' | 'removed' | 'added' | 'gap'; text: string }

/** The values of JSON bodies that differ; null for other bodies, and for those that are too long or too deep. */
type Values = { changes: JsonChange[]; leftOut: number } | null

/** `leftOut` says what was not compared or is not shown: a sentence each. */
export type LineDiff =
  | { kind: 'same' }
  | { kind: 'binary' }
  | { kind: 'too-different'; values: Values }
  | { kind: 'lines'; lines: DiffLine[]; leftOut: string[]; values: Values }

/** Compares two bodies line by line, and JSON by its values too. It is indented before, so that each value has its own line. */
export function diffBodies(before: StepBody, after: StepBody): LineDiff {
  if (before.content === after.content && before.encoding === after.encoding) return { kind: 'same' }
  if (before.encoding !== null || after.encoding !== null) return { kind: 'binary' }
  const [left, right] = [indented(before.content), indented(after.content)]
  const values = left.isDeep || right.isDeep ? null : changedValues(before.content, after.content)
  const patch = structuredPatch('', '', left.text, right.text, '', '', {
    context: CONTEXT,
    maxEditLength: EDITS_MAX,
    timeout: TIMEOUT_MS,
  })
  if (!patch) return { kind: 'too-different', values }
  const lines = patch.hunks.flatMap(({ lines, oldStart, newStart }, index): DiffLine[] => [
    ...(index === 0 && oldStart === 1 && newStart === 1 ? [] : [{ kind: 'gap' as const, text: `Line ${newStart}` }]),
    ...lines.filter((line) => !line.startsWith('\\')).map(readLine),
  ])
  const shown = lines.slice(0, LINES_MAX)
  const leftOut = [
    Math.max(before.content.length, after.content.length) > TEXT_MAX &&
      `Only the first ${number(TEXT_MAX)} characters of each body are compared.`,
    (left.isDeep || right.isDeep) && `Values more than ${DEPTH_MAX} levels deep are not broken into lines.`,
    lines.length === 0 && 'The compared parts are the same.',
    lines.length > LINES_MAX && `Only the first ${number(LINES_MAX)} lines of differences are shown.`,
    shown.some(({ text }) => text.length > LINE_MAX) && `Long lines are cut to ${number(LINE_MAX)} characters.`,
  ]
  return {
    kind: 'lines',
    lines: shown.map(cut),
    leftOut: leftOut.filter((sentence) => sentence !== false),
    values,
  }
}

function changedValues(before: string, after: string): Values {
  if (Math.max(before.length, after.length) > TEXT_MAX) return null
  const [left, right] = [readJson(before), readJson(after)]
  return left === undefined || right === undefined ? null : jsonChanges(left, right)
}

/** Of a long line that became another, the part from shortly before the first difference is shown. */
function cut({ kind, text }: DiffLine, index: number, lines: DiffLine[]): DiffLine {
  if (text.length <= LINE_MAX) return { kind, text }
  const [other, wanted] = kind === 'removed' ? [lines[index + 1], 'added'] : [lines[index - 1], 'removed']
  const isPair = kind !== 'same' && other?.kind === wanted
  let start = 0
  while (isPair && start < text.length && text[start] === other.text[start]) start++
  start = Math.max(0, start - BEFORE_DIFFERENCE)
  const shown = text.slice(start, start + LINE_MAX)
  return { kind, text: `${start > 0 ? '… ' : ''}${shown}${start + LINE_MAX < text.length ? ' …' : ''}` }
}

const KINDS: Record<string, DiffLine['kind']> = { '-': 'removed', '+': 'added' }

function readLine(line: string): DiffLine {
  return { kind: KINDS[line.charAt(0)] ?? 'same', text: line.slice(1) }
}

function indented(content: string): { text: string; isDeep: boolean } {
  const text = content.slice(0, TEXT_MAX)
  return readJson(content) === undefined ? { text, isDeep: false } : indentedJson(text)
}

function number(count: number): string {
  return count.toLocaleString('en')
}
