import { showDuration } from '../../output/duration.ts'
import { type FailedResult, type ItemVerdict, type RunItem, type RunReport, summarize } from '../report.ts'
import type { Reporter, Sink } from './reporter.ts'

const WORDS: Record<ItemVerdict, string> = {
  passed: '✅ passed',
  failed: '❌ failed',
  skipped: '⚪ skipped',
  unknown: '⚠️ no verdict',
  pending: '⚠️ no verdict',
}

/** Markdown as comments of pull requests and job summaries show it: a table, then what failed. */
export function markdownReporter(write: Sink): Reporter {
  return { finished: (report) => write(markdownText(report)) }
}

export function markdownText(report: RunReport): string {
  const { items, note, url, durationMs } = report
  const lines = [`### Soundline: ${summarize(items)}`, '']
  if (note !== null) lines.push(escapeMarkdown(note), '')
  if (items.length > 0) lines.push('| Service | Result | Time | Reason |', '| --- | --- | --- | --- |')
  lines.push(...items.map(row), '')
  for (const item of items.filter(({ failures }) => failures.length > 0)) lines.push(...details(item))
  lines.push(`${url === null ? '' : `${link('All runs', url)} · `}${showDuration(durationMs)}`, '')
  return lines.join('\n')
}

function row({ serviceName, url, verdict, durationMs, reason }: RunItem): string {
  const name = escapeMarkdown(serviceName)
  const cells = [
    url === null ? name : link(name, url),
    WORDS[verdict],
    durationMs === null ? '' : showDuration(durationMs),
    verdict === 'passed' ? '' : escapeMarkdown(reason ?? ''),
  ]
  return `| ${cells.join(' | ')} |`
}

function details({ serviceName, failures }: RunItem): string[] {
  return [`**${escapeMarkdown(serviceName)}**`, '', ...failures.flatMap(failureLines), '']
}

function failureLines({ agentSlug, request, lines, url }: FailedResult): string[] {
  const where = [agentSlug, request].filter((text) => text !== null).map(escapeMarkdown)
  return [`- ${where.join(': ')} (${link('result', url)})`, ...lines.map(({ text }) => `  - ${escapeMarkdown(text)}`)]
}

/** The text is Markdown already. */
function link(text: string, url: string): string {
  const safe = url.replace(/[\s|()<>]/g, (character) => `%${character.codePointAt(0)?.toString(16).padStart(2, '0')}`)
  return `[${text}](${safe})`
}

/** Names and values come from anywhere: they stay text, on one line. */
function escapeMarkdown(text: string): string {
  return text
    .replace(/[\x00-\x1f\x7f-\x9f]+/g, ' ')
    .replace(/[\\`*_{}[\]()#+!|~@:<>&]/g, (character) => `&#${character.codePointAt(0)};`)
}
