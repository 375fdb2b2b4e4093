import type { StoredStep } from '#db/schema/results.ts'
import { type Json, jsonPrefix, shortenText } from '../../language/lace/values/json.ts'
import { describeFailedAssertion } from '../../schemas/results/assertion-text.ts'
import type { FailedAssertion, RunFailure } from '../../schemas/results/failures.ts'
import { summaryOf } from './failure-summary.ts'

// What failed in a run, in one line and in parts: for mails, webhooks, incidents, results, the API and the command line.

/** The parts of a step that explain its failure. */
export type ExplainedStep = Pick<
  StoredStep,
  | 'stepNum'
  | 'method'
  | 'requestUrl'
  | 'template'
  | 'statusCode'
  | 'outcome'
  | 'error'
  | 'timeoutPhase'
  | 'excerpt'
  | 'assertionResults'
>

/** The parts of a run, stored or not, that explain its failure. */
export type ExplainedRun = {
  status: string
  /** The language's result; its `error` says why the run failed as a whole. */
  raw: Record<string, unknown> | null
  steps: readonly ExplainedStep[]
}

/** The fields of the language's assertion records that this module reads. */
type AssertionRecord = FailedAssertion & { outcome: string; kind?: string; match?: string }

const VALUE_MAX = 120
const CAUSE_MAX = 500
const URL_MAX = 200
/** The failed assertions that are stored with the state of a service and with alerts. */
export const FAILED_ASSERTIONS_MAX = 20
/** Failures are stored with alerts and read with lists of services. */
const OPERAND_MAX = 1_024

/** Returns what failed, or null for a run that passed or was skipped. Pure: it reads only its arguments. Never throws. */
export function failureOf(run: ExplainedRun): RunFailure | null {
  const { status } = run
  if (status !== 'failure' && status !== 'timeout') return null
  try {
    return explain(run, status)
  } catch {
    return { ...UNKNOWN_FAILURE, status, summary: NOT_SHOWN, cause: NOT_SHOWN }
  }
}

function explain({ raw, steps }: ExplainedRun, status: 'failure' | 'timeout'): RunFailure {
  const step = steps.find(hasFailed) ?? null
  const record = step && firstCause(failedRecordsOf(step))
  const error = readable(raw?.error) ?? (step ? readable(step.error) : limitOf(status, steps))
  const cause = oneLine(error ?? (record ? describeFailedAssertion(record, VALUE_MAX) : 'the run failed'), CAUSE_MAX)
  const failedAssertions = steps.reduce((sum, one) => sum + failedRecordsOf(one).length, 0)
  const moreFailed = Math.max(0, failedAssertions - (error === null ? 1 : 0))
  return {
    summary: summaryOf(step && requestOf(step), cause, moreFailed),
    cause,
    status,
    step: step && {
      stepNum: step.stepNum,
      method: step.method.toUpperCase(),
      url: step.requestUrl ?? step.template,
      statusCode: step.statusCode,
    },
    assertion: step && record && error === null ? toFailedAssertion(step.stepNum, record) : null,
    error,
    phase: step?.timeoutPhase ?? null,
    moreFailed,
    excerpt: step?.excerpt ?? null,
  }
}

/** An agent may send an error without text. */
function readable(error: unknown): string | null {
  return typeof error === 'string' && oneLine(error, CAUSE_MAX).trim() !== '' ? error : null
}

/** Returns what the failed checks of a run say in one line, null when none failed. A run can pass in spite of them. */
export function failedChecksSummary({ steps }: Pick<ExplainedRun, 'steps'>): string | null {
  if (!steps.some(hasFailedRecord)) return null
  const failed = steps.flatMap((step) => failedRecordsOf(step).map((record) => ({ step, record })))
  const [first] = failed
  if (!first) return null
  const cause = oneLine(describeFailedAssertion(first.record, VALUE_MAX), CAUSE_MAX)
  return summaryOf(requestOf(first.step), cause, failed.length - 1)
}

function requestOf(step: ExplainedStep) {
  return { method: step.method.toUpperCase(), url: oneLine(step.requestUrl ?? step.template, URL_MAX) }
}

/** Returns the failed assertions of all steps in the contract's shape. Long operands are shortened. */
export function failedAssertionsOf(steps: readonly ExplainedStep[]): FailedAssertion[] {
  // Most runs have none.
  return steps
    .filter(hasFailedRecord)
    .flatMap((step) => failedRecordsOf(step).map((record) => toFailedAssertion(step.stepNum, record)))
}

/** A call whose timeout has the action `warn` ends as a timeout too, but without an error, and the run goes on. */
function hasFailed({ outcome, error }: ExplainedStep): boolean {
  return outcome === 'failure' || (outcome === 'timeout' && error !== null)
}

function hasFailedRecord({ assertionResults }: ExplainedStep): boolean {
  return (assertionResults as (AssertionRecord | null)[]).some((record) => record?.outcome === 'failed')
}

function failedRecordsOf({ assertionResults }: ExplainedStep): AssertionRecord[] {
  return (assertionResults as AssertionRecord[]).filter((record) => record?.outcome === 'failed')
}

/** Returns the assertion that failed the step. A `check` does so only when its schema cannot be used. */
function firstCause(failed: AssertionRecord[]): AssertionRecord | null {
  const isHard = ({ method, kind }: AssertionRecord) =>
    method === 'expect' || (method === 'assert' && kind === 'expect')
  return failed.find(isHard) ?? failed.find(({ scope }) => scope === 'body') ?? failed[0] ?? null
}

/** A run without a failing step passed its limit between two steps, or in a wait. */
function limitOf(status: string, steps: readonly ExplainedStep[]): string | null {
  if (status !== 'timeout') return null
  const last = steps.findLast(({ outcome }) => outcome !== 'skipped')
  return `the run exceeded its time limit${last ? ` after step ${last.stepNum}` : ''}`
}

function toFailedAssertion(stepNum: number, record: AssertionRecord): FailedAssertion {
  const { method, scope, op, expected, actual, expression, actualLhs, actualRhs } = record
  return method === 'assert'
    ? { stepNum, method, expression, actualLhs: shortenOperand(actualLhs), actualRhs: shortenOperand(actualRhs) }
    : { stepNum, method, scope, op, expected: shortenOperand(expected), actual: shortenOperand(actual) }
}

function shortenOperand(value: unknown): unknown {
  const text = typeof value === 'string' ? value : jsonPrefix(value as Json, OPERAND_MAX + 1)
  return text.length <= OPERAND_MAX ? value : shortenText(text, OPERAND_MAX)
}

/** Summaries are shown in subjects of mails and in terminals, where control characters could forge output. */
function oneLine(text: string, max: number): string {
  return shortenText(text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' '), max)
}

/** Returns a failure that names the agent that saw it, for services that several agents run. */
export function failureOn(failure: RunFailure, agentSlug: string): RunFailure {
  const [summary, cause] = [failure.summary, failure.cause].map((text) => `${text} (on ${agentSlug})`) as [
    string,
    string,
  ]
  return { ...failure, summary, cause }
}

/** Instead of a failure whose stored result is not readable. */
export const NOT_SHOWN = 'the run failed; Soundline cannot show its result'

/** A failure of which nothing else is known, because its result is no longer stored or was never explained. */
export const UNKNOWN_FAILURE: RunFailure = {
  summary: 'the run failed',
  cause: 'the run failed',
  status: 'failure',
  step: null,
  assertion: null,
  error: null,
  phase: null,
  moreFailed: 0,
  excerpt: null,
}
