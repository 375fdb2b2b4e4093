import { alignColumns, replaceControlCharacters, type Styler } from '#server/cli/output/terminal-text.ts'
import type { AssertionRecord, CallRecord, ProbeResult } from '#server/language/lace/result.ts'
import type { Json } from '#server/language/lace/values/json.ts'
import { failureOf } from '#server/results/results/failure.ts'
import { actualText } from '#server/schemas/results/assertion-text.ts'

const PHASES = ['dns', 'connect', 'tls', 'ttfb', 'transfer'] as const
const MAX_VALUE_LENGTH = 120

/** Returns why a run failed, in one line; null for a run that passed. */
export function failureLine(result: ProbeResult): string | null {
  const steps = result.calls.map((call) => ({
    stepNum: call.index + 1,
    method: call.request?.method ?? '',
    requestUrl: call.request?.url ?? null,
    template: '',
    statusCode: call.response?.status ?? null,
    outcome: call.outcome,
    error: call.error,
    assertionResults: call.assertions,
  }))
  const failure = failureOf({ status: result.outcome, raw: result, steps })
  return failure && replaceControlCharacters(failure.summary)
}

/**
 * Formats a result: why it failed, a table of the calls with their phases, then the assertions, warnings and error of
 * each call.
 */
export function formatResult(result: ProbeResult, style: Styler): string {
  const reason = failureLine(result)
  const lines = reason === null ? [] : [style(['bold', 'red'], reason), '']
  lines.push(...callTable(result.calls, style), '')
  for (const call of result.calls) lines.push(...callDetails(call, style))
  for (const warning of result.validationWarnings ?? [])
    lines.push(style('yellow', `! ${warning.code}: ${warning.detail}`))
  lines.push(...namedValues('stored for the run', result.runVars, style))
  lines.push(...namedValues('written back', result.actions.variables ?? {}, style))
  if (result.error !== undefined) lines.push(style('red', result.error))
  const colour = result.outcome === 'success' ? 'green' : 'red'
  lines.push(`${style(['bold', colour], result.outcome)} in ${result.elapsedMs} ms`)
  return lines.filter((line, index) => line !== '' || (index > 0 && lines[index - 1] !== '')).join('\n')
}

function callTable(calls: CallRecord[], style: Styler): string[] {
  if (calls.length === 0) return []
  const header = ['', 'call', 'status', 'total', ...PHASES, 'size']
  const rows = calls.map((call) => [
    String(call.index + 1),
    call.request ? `${call.request.method.toUpperCase()} ${replaceControlCharacters(call.request.url)}` : 'skipped',
    call.response ? String(call.response.status) : call.outcome,
    ...times(call),
    call.response ? size(call.response.sizeBytes) : '',
  ])
  const [first, ...rest] = alignColumns([header, ...rows])
  return [style('dim', first!), ...rest.map((line, index) => style(COLOURS[calls[index]!.outcome], line))]
}

const COLOURS = { success: 'reset', failure: 'red', timeout: 'red', skipped: 'dim' } as const

function times({ response }: CallRecord): string[] {
  if (!response) return Array(PHASES.length + 1).fill('')
  return [response.responseTimeMs, ...PHASES.map((phase) => response[`${phase}Ms`])].map((ms) => `${ms} ms`)
}

function size(bytes: number): string {
  return bytes < 10_000 ? `${bytes} B` : `${Math.round(bytes / 1024)} KiB`
}

function callDetails(call: CallRecord, style: Styler): string[] {
  const lines = call.redirects.map((url) => style('dim', `  → ${replaceControlCharacters(url)}`))
  lines.push(...call.assertions.map((assertion) => `  ${showAssertion(assertion, style)}`))
  lines.push(...call.warnings.map((warning) => style('yellow', `  ! ${replaceControlCharacters(warning)}`)))
  if (call.error !== null) lines.push(style('red', `  ✘ ${replaceControlCharacters(call.error)}`))
  if (call.error?.startsWith('blocked_probe_target')) {
    lines.push(style('dim', '    --allow-network CIDR lets the script reach a private network'))
  }
  if (call.response?.bodyPath) lines.push(style('dim', `  body: ${call.response.bodyPath}`))
  return lines.length > 0 ? [style('bold', `call ${call.index + 1}`), ...lines, ''] : []
}

const SIGNS = { passed: ['green', '✔'], failed: ['red', '✘'], indeterminate: ['yellow', '?'] } as const

function showAssertion(assertion: AssertionRecord, style: Styler): string {
  const [colour, sign] = SIGNS[assertion.outcome]
  const text =
    assertion.method === 'assert'
      ? `assert ${assertion.kind} ${replaceControlCharacters(assertion.expression)}`
      : `${assertion.method} ${assertion.scope} ${assertion.op} ${show(assertion.expected)}`
  if (assertion.outcome === 'passed') return `${style(colour, sign)} ${text}`
  const actual =
    assertion.method === 'assert'
      ? replaceControlCharacters(actualText(assertion, MAX_VALUE_LENGTH))
      : show(assertion.actual)
  return `${style(colour, sign)} ${text}${style('dim', `, got ${actual}`)}`
}

function namedValues(title: string, values: Record<string, Json>, style: Styler): string[] {
  const entries = Object.entries(values)
  if (entries.length === 0) return []
  return [
    style('bold', title),
    ...entries.map(([name, value]) => `  ${replaceControlCharacters(name)} = ${show(value)}`),
    '',
  ]
}

function show(value: Json): string {
  const text = replaceControlCharacters(JSON.stringify(value))
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text
}
