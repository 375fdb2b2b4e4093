import { EXIT, type ExitCode } from '../exit-codes.ts'

// The state of the runs of a `run` command, for reporters and the exit code.

/** One failed assertion, or what failed instead of one. */
export type FailureLine = { text: string; expected: string | null; actual: string | null }

/** A result that failed, with what its page says. */
export type FailedResult = {
  agentSlug: string
  url: string
  summary: string | null
  /** The first failing request, such as `GET https://shop.example/cart`. */
  request: string | null
  lines: FailureLine[]
  /** The first characters of the response's body. */
  excerpt: string | null
}

/**
 * `pending` until the command knows more. `unknown` never becomes a verdict: the run was cancelled, vanished or did not end
 * in time, or no agent executed it. `skipped` is a service that has nothing to run, as it is switched off or has no script, or
 * a run that passed but that some of its agents did not execute.
 */
export type ItemVerdict = 'pending' | 'passed' | 'failed' | 'skipped' | 'unknown'

export type RunItem = {
  serviceId: string
  serviceName: string
  runId: string | null
  url: string | null
  state: string
  outcome: string | null
  verdict: ItemVerdict
  /** Why there is no verdict, or what failed. */
  reason: string | null
  durationMs: number | null
  failures: FailedResult[]
}

export type RunReport = {
  installation: string
  /** The page of the batch; null for single services. */
  url: string | null
  note: string | null
  startedAt: string
  durationMs: number
  allowsSkipped: boolean
  items: RunItem[]
}

export function newItem(service: { id: string; name: string }): RunItem {
  return {
    serviceId: service.id,
    serviceName: service.name,
    runId: null,
    url: null,
    state: 'queued',
    outcome: null,
    verdict: 'pending',
    reason: null,
    durationMs: null,
    failures: [],
  }
}

/** A failure is certain even if another run has no verdict. Without any run there is no verdict. */
export function exitCodeOf({ items, allowsSkipped }: Pick<RunReport, 'items' | 'allowsSkipped'>): ExitCode {
  const has = (...verdicts: ItemVerdict[]) => items.some(({ verdict }) => verdicts.includes(verdict))
  if (has('failed')) return EXIT.failed
  if (items.length === 0 || has('unknown', 'pending')) return EXIT.unknown
  return has('skipped') && !allowsSkipped ? EXIT.unknown : EXIT.ok
}

/** Returns the counts in words: `2 passed, 1 failed`. */
export function summarize(items: RunItem[]): string {
  const counts = VERDICTS.map(([verdict, word]) => [items.filter((item) => item.verdict === verdict).length, word])
  const parts = counts.filter(([count]) => count !== 0).map(([count, word]) => `${count} ${word}`)
  return parts.length === 0 ? 'no service matched' : parts.join(', ')
}

const VERDICTS: [ItemVerdict, string][] = [
  ['passed', 'passed'],
  ['failed', 'failed'],
  ['skipped', 'skipped'],
  ['unknown', 'without a verdict'],
  ['pending', 'pending'],
]
