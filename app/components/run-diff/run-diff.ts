import { describeFailedAssertion } from '#server/schemas/results/assertion-text.ts'
import type { Result, ResultStep } from '#server/schemas/results/results.ts'
import { statusText } from '#server/schemas/status/status-text.ts'
import { bytesText, millisecondsText } from '../numbers.ts'
import { PHASES } from '../runs/phases.ts'
import type { StepPair } from './pair-steps.ts'

/** Times differ from run to run. One is worth a row if it differs by both of these. */
const TIME_MIN_MS = 100
const TIME_MIN_SHARE = 0.25
export const TIME_RULE = 'Times are listed where they differ by at least 100 ms and by a quarter of the earlier one.'

/** Headers that are different in every response. They are named, and their values are not listed. */
const PER_RESPONSE =
  /^(date|age|expires|content-length|(x-)?(request|correlation|trace)-id|traceparent|cf-ray|x-amz(n|-cf)?-[a-z-]*id2?|x-amzn-trace-id|x-runtime|x-response-time|server-timing|x-timer|report-to|nel)$/

/** A value that differs between two runs, as both are shown. */
export type Difference = { label: string; before: string; after: string }
export type HeaderChange = { name: string; before: string | null; after: string | null }

export type StepDifference = {
  values: Difference[]
  headers: HeaderChange[]
  /** The names of those that are different in every response. */
  perResponse: string[]
  /** What is the same, in words. */
  same: string[]
}

/** Compares a step that both runs have, except its bodies, which are loaded apart. */
export function stepDifference({ before, after }: Record<'before' | 'after', ResultStep>): StepDifference {
  const changed = changedHeaders(before.headers, after.headers)
  const headers = changed.filter(({ name }) => !PER_RESPONSE.test(name))
  const times = [{ key: 'responseTimeMs', label: 'Response time' } as const, ...PHASES]
  const isMeasured = before.responseTimeMs !== null && after.responseTimeMs !== null
  const hasBodies = before.hasBody && after.hasBody
  const slower = times.flatMap(({ key, label }) => timeDifference(label, before[key], after[key]))
  const values = [
    ...difference('Request', requestText(before), requestText(after)),
    ...difference('Outcome', statusText(before.outcome), statusText(after.outcome)),
    ...difference('Status', String(before.statusCode ?? '–'), String(after.statusCode ?? '–')),
    ...difference('Error', before.error ?? '–', after.error ?? '–'),
    ...difference('Failed', failedText(before), failedText(after)),
    ...slower,
    ...(hasBodies ? [] : difference('Size', bytesText(before.responseSizeBytes), bytesText(after.responseSizeBytes))),
  ]
  const kept = Object.keys(after.headers).length - changed.filter((header) => header.after !== null).length
  const same = [
    before.statusCode !== null && before.statusCode === after.statusCode && `status ${after.statusCode}`,
    kept > 0 && (kept === 1 ? '1 header' : `${kept} headers`),
    isMeasured && slower.length === 0 && 'times',
  ].filter((text) => text !== false)
  return {
    values,
    headers,
    perResponse: changed.map(({ name }) => name).filter((name) => PER_RESPONSE.test(name)),
    same,
  }
}

/** Compares two runs apart from their steps. */
export function runDifferences(before: Result, after: Result): { values: Difference[]; same: string[] } {
  const [earlier, later] = [before.scriptVersion, after.scriptVersion]
  // Two versions that are known are compared apart.
  const isKnown = earlier !== null && later !== null
  return {
    values: [
      ...difference('Agent', before.agentSlug, after.agentSlug),
      ...(isKnown ? [] : difference('Script version', String(earlier ?? '–'), String(later ?? '–'))),
      ...timeDifference('Duration', before.runDurationMs, after.runDurationMs),
    ],
    same: [
      before.status === after.status && `status ${statusText(after.status)}`,
      before.agentSlug === after.agentSlug && `agent ${after.agentSlug}`,
      isKnown && earlier === later && `script version ${later}`,
    ].filter((text) => text !== false),
  }
}

/** Returns the headers whose value differs or that only one response has, by name. */
export function changedHeaders(before: ResultStep['headers'], after: ResultStep['headers']): HeaderChange[] {
  const [left, right] = [headersByName(before), headersByName(after)]
  return [...new Set([...left.keys(), ...right.keys()])]
    .sort()
    .map((name) => ({ name, before: left.get(name) ?? null, after: right.get(name) ?? null }))
    .filter((header) => header.before !== header.after)
}

/** Names are the same in any case. */
function headersByName(headers: ResultStep['headers']): Map<string, string> {
  return new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value].flat().join('\n')]))
}

function timeDifference(label: string, before: number | null, after: number | null): Difference[] {
  if (before === null || after === null) return []
  const delta = Math.abs(after - before)
  if (delta < TIME_MIN_MS || delta < before * TIME_MIN_SHARE) return []
  const sign = after < before ? '−' : '+'
  const text = `${millisecondsText(after)} (${sign}${millisecondsText(delta)})`
  return [{ label, before: millisecondsText(before), after: text }]
}

function difference(label: string, before: string, after: string): Difference[] {
  return before === after ? [] : [{ label, before, after }]
}

function requestText({ method, urlTemplate }: ResultStep): string {
  return `${method} ${urlTemplate}`
}

function failedText({ assertionResults }: ResultStep): string {
  const failed = assertionResults.filter(({ outcome }) => outcome === 'failed')
  return failed.map((one) => describeFailedAssertion(one)).join('\n') || '–'
}

/** Returns for example `Step 3: POST https://shop.example/orders`; of a step that only one run has, which run. */
export function stepTitle({ before, after }: StepPair): string {
  const step = (after ?? before) as ResultStep
  const number =
    before && after && before.stepNum !== after.stepNum ? `${before.stepNum} → ${after.stepNum}` : step.stepNum
  return `Step ${number}: ${requestText(step)}`
}

/** Whether both runs have the step, with the same outcome and the same status. */
export function isSameOutcome({ before, after }: StepPair): boolean {
  return before !== null && before.outcome === after?.outcome && before.statusCode === after.statusCode
}
