import { printString } from '../../language/lace/print/string.ts'

export const PROBE_METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const
export type ProbeMethod = (typeof PROBE_METHODS)[number]

/** The request of a script with one call. `body` is sent as JSON if it is JSON, else as text; empty for none. */
export type ProbeRequest = { method: ProbeMethod; url: string; body: string }

/** What a script with one call asserts. A `condition` is an expression that must be true. */
export type ProbeAssertion =
  | { kind: 'status'; value: number }
  | { kind: 'header'; name: string; value: string }
  | { kind: 'condition'; expression: string }
  | { kind: 'delay'; ms: number }

/**
 * Returns the script of one request with these assertions. Without any, the script asserts that a response arrives, because
 * a call needs at least one assertion.
 */
export function writeProbeScript(request: ProbeRequest, assertions: readonly ProbeAssertion[]): string {
  return `${[
    `${request.method}(${[printString(withoutVariables(request.url)), ...configOf(request)].join(', ')})`,
    ...expectLines(assertions),
    ...delayLines(assertions),
    ...conditionLines(assertions),
  ].join('\n')}\n`
}

/** In a script `$` names a variable. In a URL `%24` is the same character. */
function withoutVariables(url: string): string {
  return url.trim().replaceAll('$', '%24')
}

function configOf({ body }: ProbeRequest): string[] {
  if (body.trim() === '') return []
  const type = isJson(body) ? 'application/json' : 'text/plain'
  return [`{\n  headers: { "Content-Type": "${type}" },\n  body: ${printString(body)}\n}`]
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function expectLines(assertions: readonly ProbeAssertion[]): string[] {
  const scopes = assertions.flatMap((one) => (one.kind === 'status' ? `status: ${one.value}` : []))
  const headers = assertions.flatMap((one) =>
    one.kind === 'header' ? `${printString(one.name)}: ${printString(one.value)}` : [],
  )
  if (headers.length > 0) scopes.push(`headers: { ${headers.join(', ')} }`)
  const isEmpty = assertions.length === 0
  if (isEmpty) scopes.push('status: { value: 0, op: "gt" }')
  return scopes.length === 0 ? [] : [`.expect(${scopes.join(', ')})`]
}

/** A check: a slow response is recorded, but does not fail the run. */
function delayLines(assertions: readonly ProbeAssertion[]): string[] {
  const delay = assertions.find((one) => one.kind === 'delay')
  return delay ? [`.check(totalDelayMs: ${delay.ms})`] : []
}

function conditionLines(assertions: readonly ProbeAssertion[]): string[] {
  const conditions = assertions.flatMap((one) => (one.kind === 'condition' ? `    ${one.expression}` : []))
  return conditions.length === 0 ? [] : [`.assert({\n  expect: [\n${conditions.join(',\n')}\n  ]\n})`]
}
