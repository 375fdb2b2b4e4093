import { actualText, describeFailedAssertion, expectedText } from '../../schemas/results/assertion-text.ts'
import type { Schemas } from '../client/create-client.ts'
import type { FailedResult, FailureLine } from './report.ts'

/** Failed assertions of one result that are shown. */
const LINES_MAX = 20

type FailedOn = Pick<Schemas['RunResult'], 'agentSlug' | 'summary' | 'url'>
type Result = Pick<Schemas['Result'], 'failure' | 'steps'>

/** Returns what failed in a result: each failed assertion with expected and actual, else the error. */
export function describeFailure(result: FailedOn, details: Result | null): FailedResult {
  const failure = details?.failure ?? null
  const { step } = failure ?? {}
  return {
    agentSlug: result.agentSlug,
    url: result.url,
    summary: failure?.summary ?? result.summary,
    request: step ? `${step.method} ${step.url ?? ''}`.trim() : null,
    lines: details ? failureLines(details) : [],
    excerpt: failure?.excerpt ?? null,
  }
}

function failureLines({ failure, steps }: Result): FailureLine[] {
  const error = failure?.error ?? null
  const lines: FailureLine[] = error === null ? [] : [{ text: error, expected: null, actual: null }]
  const failed = steps.flatMap(({ assertionResults }) => assertionResults.filter(({ outcome }) => outcome === 'failed'))
  lines.push(...failed.slice(0, LINES_MAX).map(lineOf))
  if (failed.length > LINES_MAX) {
    lines.push({ text: `and ${failed.length - LINES_MAX} more failed assertions`, expected: null, actual: null })
  }
  return lines.length > 0 || !failure ? lines : [{ text: failure.cause, expected: null, actual: null }]
}

function lineOf(assertion: Schemas['AssertionResult']): FailureLine {
  return {
    text: describeFailedAssertion(assertion),
    expected: expectedText(assertion),
    actual: actualText(assertion),
  }
}
