import type { StoredStep } from '#db/schema/results.ts'

// What failed in a run, in one line and in parts: for mails, webhooks, incidents, results, the API and the command line.

/** The contract's shape of a failed assertion, which `lastFailure` and webhooks contain. */
export type FailedAssertion = {
  stepNum: number
  method: string
  scope?: string | null
  op?: string | null
  expected?: unknown
  actual?: unknown
  expression?: string | null
  actualLhs?: unknown
  actualRhs?: unknown
}

export type RunFailure = {
  /** The cause with its request: `GET https://shop.example/cart: status 500, expected 200 (2 more failed)`. */
  summary: string
  /** The cause alone: `status 500, expected 200`. */
  cause: string
  status: 'failure' | 'timeout'
  /** The first failing step; null when the run failed as a whole. */
  step: { stepNum: number; method: string; url: string | null; statusCode: number | null } | null
  /** The first failed assertion of that step, or null. */
  assertion: FailedAssertion | null
  /** Why there was no response, or why the run could not be executed; null when only assertions failed. */
  error: string | null
  /** The phase of the request in which a timeout fell, such as `connecting`; null otherwise. */
  phase: string | null
  /** How many more assertions and steps failed. */
  moreFailed: number
  /** The first 500 characters of the step's text body, without secrets; null without one. */
  excerpt: string | null
}

/** The parts of a run, stored or not, that explain its failure. */
export type FailedRun = {
  status: string
  raw: Record<string, unknown> | null
  steps: readonly Pick<
    StoredStep,
    'stepNum' | 'method' | 'requestUrl' | 'template' | 'statusCode' | 'outcome' | 'error' | 'assertionResults'
  >[]
}

const OPERATORS: Record<string, string> = { eq: '', neq: 'not ', lt: '< ', lte: '≤ ', gt: '> ', gte: '≥ ' }
const VALUE_MAX = 120
const URL_MAX = 200
/** The transport names the phase in the error of a timeout. */
const TIMEOUT_PHASE = /within \d+ ms \(([^)]+)\)/

/** Returns what failed, or null for a run that passed or was skipped. Pure: it reads only its arguments. */
export function failureOf(run: FailedRun, excerpt: string | null = null): RunFailure | null {
  if (run.status !== 'failure' && run.status !== 'timeout') return null
  const failing = run.steps.filter((step) => step.outcome === 'failure' || step.outcome === 'timeout')
  const [first] = failing
  const failedAssertions = run.steps.flatMap(failedAssertionsOf)
  const assertion = first ? (failedAssertionsOf(first)[0] ?? null) : (failedAssertions[0] ?? null)
  const whole = run.raw?.error
  const error = typeof whole === 'string' ? whole : (first?.error ?? null)
  const cause = error ?? (assertion ? describeAssertion(assertion) : 'the run failed')
  const failedInAll = failedAssertions.length + failing.filter((step) => step.error !== null).length
  const moreFailed = Math.max(0, failedInAll - 1)
  const step = first
    ? {
        stepNum: first.stepNum,
        method: first.method,
        url: first.requestUrl ?? first.template,
        statusCode: first.statusCode,
      }
    : null
  const request = step ? `${step.method} ${shorten(step.url ?? '', URL_MAX)}: ` : ''
  const more = moreFailed > 0 ? ` (${moreFailed} more failed)` : ''
  return {
    summary: `${request}${cause}${more}`,
    cause,
    status: run.status,
    step,
    assertion,
    error,
    phase: error === null ? null : (TIMEOUT_PHASE.exec(error)?.[1] ?? null),
    moreFailed,
    excerpt,
  }
}

/** Returns an assertion in words: `status 500, expected 200`, or the condition with both operands. */
export function describeAssertion(assertion: FailedAssertion): string {
  if (assertion.expression) {
    return `${shorten(assertion.expression, VALUE_MAX)} is false (${valueText(assertion.actualLhs)} and ${valueText(assertion.actualRhs)})`
  }
  return `${assertion.scope ?? 'value'} ${valueText(assertion.actual)}, expected ${expectedText(assertion)}`
}

/** Returns what an assertion of an expect scope demands, such as `200` or `< 500`. */
export function expectedText({ op, expected }: FailedAssertion): string {
  const operator = OPERATORS[op ?? 'eq'] ?? `${op} `
  return `${operator}${valueText(expected)}`
}

function failedAssertionsOf({ stepNum, assertionResults }: FailedRun['steps'][number]): FailedAssertion[] {
  return (assertionResults as (FailedAssertion & { outcome: string })[])
    .filter(({ outcome }) => outcome === 'failed')
    .map(({ outcome: _, ...assertion }) => ({ ...assertion, stepNum }))
}

/** Returns a value as JSON, cut at a limit; `nothing` without a value. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null) return 'nothing'
  return shorten(JSON.stringify(value), VALUE_MAX)
}

function shorten(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}…` : text
}
