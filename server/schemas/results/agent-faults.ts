// Why a run failed although its target may be well: Soundline itself could not finish or store it. Runs have these texts as
// their summaries; the command line then tells no verdict.

export const AGENT_ERROR = 'the run ended with an internal error of the agent'
export const NOT_STORABLE = 'the result could not be stored'

export function workerDeathText(attempts: number): string {
  return `the worker died in each of ${attempts} attempts to run the probe`
}

/** Returns whether this is the summary of such a run. */
export function isAgentFault(summary: string | null): boolean {
  if (summary === null) return false
  return summary === AGENT_ERROR || summary === NOT_STORABLE || /^the worker died in each of \d+ attempts/.test(summary)
}
