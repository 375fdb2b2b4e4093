// Why a run failed although its target may be well: Soundline itself could not finish or store it. These texts are the
// summaries of such runs; the command line then gives no verdict.

export const AGENT_ERROR = 'the run ended with an internal error of the agent'
/** A reason why a result is not recorded. */
export const INTERNAL_ERROR = 'an internal error occurred'
const NOT_RECORDED = 'Soundline could not record this result: '

/** Explains to members why a run has another result than its script produced. */
export function notRecordedText(reason: string): string {
  return NOT_RECORDED + reason
}

export function workerDeathText(attempts: number): string {
  return `the worker died in each of ${attempts} attempts to run the probe`
}

/** Returns whether this is the summary of such a run. */
export function isAgentFault(summary: string | null): boolean {
  if (summary === null) return false
  return (
    summary === AGENT_ERROR ||
    summary.startsWith(NOT_RECORDED) ||
    /^the worker died in each of \d+ attempts/.test(summary)
  )
}
