import { structuredPatch } from 'diff'
import type { Cli } from '../../cli.ts'
import { printLine } from '../../output/print.ts'
import { replaceControlCharacters, type Styler } from '../../output/terminal-text.ts'
import { type Change, type Field, type Plan, pathText } from './changes.ts'

const SIGNS = { create: '+', update: '~', replace: '±', delete: '-' }
const COLORS = { create: 'green', update: 'yellow', replace: 'yellow', delete: 'red' } as const
/** The most lines of one script's change. */
const DIFF_LINES_MAX = 200

/** Prints what `apply` would do, resource by resource. */
export function printPlan(cli: Cli, { changes, undescribed, hiddenValues }: Plan, options: { prune: boolean }): void {
  const { style } = cli.terminal
  for (const change of changes) printChange(cli, change)
  for (const change of undescribed) printChange(cli, change, options.prune ? '' : ' (only with --prune)')
  if (changes.length + undescribed.length > 0) printLine(cli, '')
  printLine(cli, summaryOf(changes, undescribed, options))
  if (hiddenValues > 0) {
    const text = `${hiddenValues} hidden ${hiddenValues === 1 ? 'value was' : 'values were'} not compared; --values sets them again.`
    printLine(cli, style('dim', text))
  }
}

function summaryOf(changes: Change[], undescribed: Change[], { prune }: { prune: boolean }): string {
  if (changes.length + undescribed.length === 0) return 'Nothing to change: the folder and the installation are equal.'
  const count = (op: Change['op']) => changes.filter((change) => change.op === op).length
  const deletions = undescribed.length === 0 || prune ? '' : ' (not described; only with --prune)'
  return `Plan: ${count('create')} to create, ${count('update')} to change, ${undescribed.length} to delete or replace${deletions}.`
}

function printChange(cli: Cli, change: Change, remark = ''): void {
  const { style } = cli.terminal
  printLine(cli, `${style(COLORS[change.op], `${SIGNS[change.op]} ${changeText(change)}`)}${remark}`)
  for (const [name, field] of Object.entries(change.fields)) {
    if (name === 'script') printScript(cli, field)
    else if (name !== 'name' || change.op !== 'create') printLine(cli, `    ${name}: ${fieldText(change, field)}`)
  }
}

/** `service Shop / Web / Checkout`, `secret token of Shop / Web`. */
export function changeText(change: Change): string {
  const place = pathText(change.path)
  if (change.kind === 'variable') return replaceControlCharacters(`${change.type} ${change.key} of ${place}`)
  if (change.kind === 'webhook') return replaceControlCharacters(`webhook ${change.name} of ${place}`)
  return `${change.kind} ${place}`
}

function fieldText({ op }: Change, { from, to }: Field): string {
  return op === 'create' ? text(to) : `${text(from)} → ${text(to)}`
}

function text(value: unknown): string {
  if (value === null || value === undefined || value === '') return 'none'
  if (Array.isArray(value)) return value.length === 0 ? 'any' : value.map(text).join(', ')
  return replaceControlCharacters(String(value))
}

function printScript(cli: Cli, { from, to }: Field): void {
  const [before, after] = [from, to].map((script) => (script as string | null) ?? '')
  if (from === null) {
    const lines = (after ?? '').trimEnd().split('\n').length
    printLine(cli, `    script: ${lines} ${lines === 1 ? 'line' : 'lines'}`)
    return
  }
  const { hunks } = structuredPatch('script', 'script', before ?? '', after ?? '', '', '', { context: 2 })
  const lines = hunks.flatMap((hunk) => [`@@ line ${hunk.newStart} @@`, ...hunk.lines])
  printLine(cli, '    script:')
  for (const line of lines.slice(0, DIFF_LINES_MAX)) printLine(cli, `      ${styled(line, cli.terminal.style)}`)
  if (lines.length > DIFF_LINES_MAX) printLine(cli, `      … ${lines.length - DIFF_LINES_MAX} more lines`)
}

function styled(line: string, style: Styler): string {
  const shown = replaceControlCharacters(line)
  if (line.startsWith('+')) return style('green', shown)
  if (line.startsWith('-')) return style('red', shown)
  return line.startsWith('@@') ? style('cyan', shown) : shown
}

/** What `--json` prints of a change. Values of variables are not in it, unless they are those of metrics. */
export function changeJson(change: Change): Record<string, unknown> {
  const { kind, op, path, fields } = change
  const key = change.kind === 'variable' ? { key: change.key, type: change.type } : {}
  const name = change.kind === 'webhook' ? { webhook: change.name } : {}
  return { op, kind, path, ...key, ...name, fields }
}
