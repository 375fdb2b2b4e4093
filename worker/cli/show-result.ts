import type { AssertionRecord, CallRecord, ProbeResult } from '#server/lace/result.ts'
import type { Json } from '#server/lace/values/json.ts'
import { columns, harmless, type Paint } from './terminal-text.ts'

const PHASES = ['dns', 'connect', 'tls', 'ttfb', 'transfer'] as const
const LONGEST_VALUE = 120

/** A result for reading: a table of the calls with their phases, then what each was asserted, warned and failed of. */
export function showResult(result: ProbeResult, paint: Paint): string {
  const lines = [...table(result.calls, paint), '']
  for (const call of result.calls) lines.push(...details(call, paint))
  for (const warning of result.validationWarnings ?? [])
    lines.push(paint('yellow', `! ${warning.code}: ${warning.detail}`))
  lines.push(...named('stored for the run', result.runVars, paint))
  lines.push(...named('written back', result.actions.variables ?? {}, paint))
  if (result.error !== undefined) lines.push(paint('red', result.error))
  const colour = result.outcome === 'success' ? 'green' : 'red'
  lines.push(`${paint(['bold', colour], result.outcome)} in ${result.elapsedMs} ms`)
  return lines.filter((line, index) => line !== '' || (index > 0 && lines[index - 1] !== '')).join('\n')
}

function table(calls: CallRecord[], paint: Paint): string[] {
  if (calls.length === 0) return []
  const header = ['', 'call', 'status', 'total', ...PHASES, 'size']
  const rows = calls.map((call) => [
    String(call.index + 1),
    call.request ? `${call.request.method.toUpperCase()} ${harmless(call.request.url)}` : 'skipped',
    call.response ? String(call.response.status) : call.outcome,
    ...times(call),
    call.response ? size(call.response.sizeBytes) : '',
  ])
  const [first, ...rest] = columns([header, ...rows])
  return [paint('dim', first!), ...rest.map((line, index) => paint(COLOURS[calls[index]!.outcome], line))]
}

const COLOURS = { success: 'reset', failure: 'red', timeout: 'red', skipped: 'dim' } as const

function times({ response }: CallRecord): string[] {
  if (!response) return Array(PHASES.length + 1).fill('')
  return [response.responseTimeMs, ...PHASES.map((phase) => response[`${phase}Ms`])].map((ms) => `${ms} ms`)
}

function size(bytes: number): string {
  return bytes < 10_000 ? `${bytes} B` : `${Math.round(bytes / 1024)} KiB`
}

function details(call: CallRecord, paint: Paint): string[] {
  const lines = call.redirects.map((url) => paint('dim', `  → ${harmless(url)}`))
  lines.push(...call.assertions.map((assertion) => `  ${showAssertion(assertion, paint)}`))
  lines.push(...call.warnings.map((warning) => paint('yellow', `  ! ${harmless(warning)}`)))
  if (call.error !== null) lines.push(paint('red', `  ✘ ${harmless(call.error)}`))
  if (call.error?.startsWith('blocked_probe_target')) {
    lines.push(paint('dim', '    --allow-network CIDR opens a private network to the script'))
  }
  if (call.response?.bodyPath) lines.push(paint('dim', `  body: ${call.response.bodyPath}`))
  return lines.length > 0 ? [paint('bold', `call ${call.index + 1}`), ...lines, ''] : []
}

const SIGNS = { passed: ['green', '✔'], failed: ['red', '✘'], indeterminate: ['yellow', '?'] } as const

function showAssertion(assertion: AssertionRecord, paint: Paint): string {
  const [colour, sign] = SIGNS[assertion.outcome]
  const text =
    assertion.method === 'assert'
      ? `assert ${assertion.kind} ${harmless(assertion.expression)}`
      : `${assertion.method} ${assertion.scope} ${assertion.op} ${show(assertion.expected)}`
  if (assertion.outcome === 'passed') return `${paint(colour, sign)} ${text}`
  const found =
    assertion.method === 'assert'
      ? `${show(assertion.actualLhs)} and ${show(assertion.actualRhs)}`
      : show(assertion.actual)
  return `${paint(colour, sign)} ${text}${paint('dim', `, got ${found}`)}`
}

function named(title: string, values: Record<string, Json>, paint: Paint): string[] {
  const entries = Object.entries(values)
  if (entries.length === 0) return []
  return [paint('bold', title), ...entries.map(([name, value]) => `  ${harmless(name)} = ${show(value)}`), '']
}

function show(value: Json): string {
  const text = harmless(JSON.stringify(value))
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text
}
