import type { Terminal } from '../../cli.ts'
import { showDuration } from '../../output/duration.ts'
import { replaceControlCharacters } from '../../output/terminal-text.ts'
import { exitCodeOf, type FailedResult, type ItemVerdict, type RunItem, type RunReport, summarize } from '../report.ts'
import type { Reporter } from './reporter.ts'

const SIGNS: Record<ItemVerdict, ['green' | 'red' | 'yellow' | 'dim', string]> = {
  passed: ['green', '✔'],
  failed: ['red', '✘'],
  skipped: ['yellow', '○'],
  unknown: ['yellow', '?'],
  pending: ['dim', '·'],
}

/** One line for each run as soon as it has ended, with what failed below it, and the counts at the end. */
export function listReporter(terminal: Terminal, write: (text: string) => void): Reporter {
  const shown = new Set<string>()
  const showEnded = (items: RunItem[]) => {
    for (const item of items.filter(({ verdict, serviceId }) => verdict !== 'pending' && !shown.has(serviceId))) {
      shown.add(item.serviceId)
      write(`${itemLines(item, terminal).join('\n')}\n`)
    }
  }
  return {
    changed: ({ items }) => showEnded(items),
    finished: (report) => {
      showEnded(report.items)
      write(`${closingLines(report, terminal).join('\n')}\n`)
    },
  }
}

/** Returns the line of a run: its sign, name, time, and why it has not passed. */
export function itemLine(item: RunItem, { style }: Terminal): string {
  const [colour, sign] = SIGNS[item.verdict]
  const time = item.durationMs === null ? '' : style('dim', ` ${showDuration(item.durationMs)}`)
  const reason = item.verdict === 'passed' || item.reason === null ? '' : `: ${clean(item.reason)}`
  const state = item.verdict === 'pending' ? style('dim', ` ${item.state}`) : ''
  return `${style(colour, sign)} ${clean(item.serviceName)}${time}${state}${reason}`
}

function itemLines(item: RunItem, terminal: Terminal): string[] {
  const lines = [itemLine(item, terminal)]
  for (const failure of item.failures) lines.push(...failureLines(failure, item.failures.length > 1, terminal))
  if (item.failures.length === 0 && item.verdict !== 'passed' && item.url) lines.push(`    ${item.url}`)
  return lines
}

function failureLines(failure: FailedResult, hasAgents: boolean, { style }: Terminal): string[] {
  const lines = hasAgents ? [`    ${style('bold', clean(failure.agentSlug))}`] : []
  if (failure.request !== null) lines.push(`    ${clean(failure.request)}`)
  for (const { text, expected, actual } of failure.lines) {
    lines.push(`    ${style('red', '✘')} ${clean(text)}`)
    if (expected !== null) lines.push(`        expected  ${clean(expected)}`)
    if (actual !== null) lines.push(`        actual    ${clean(actual)}`)
  }
  return [...lines, `    ${failure.url}`]
}

function closingLines(report: RunReport, { style }: Terminal): string[] {
  const colour = (['green', 'red', 'yellow'] as const)[exitCodeOf(report) as 0 | 1 | 2]
  const line = `${style(['bold', colour], summarize(report.items))} in ${showDuration(report.durationMs)}`
  return report.url === null ? [line] : [line, report.url]
}

const clean = replaceControlCharacters
