// The words for the statuses of runs and steps and for the states of services. The API keeps its own values.

const WORDS: Record<string, string> = {
  success: 'passed',
  failure: 'failed',
  timeout: 'timed out',
  pending: 'not run yet',
}

const ONGOING: Record<string, string> = { success: 'passing', failure: 'failing', timeout: 'timing out' }

/** Returns the word for a status or state: `passed` for `success`. Others, such as `skipped` and `failing`, are their own. */
export function statusText(status: string): string {
  return ownText(WORDS, status) ?? status
}

/** Returns the word for a status or state as a label: `Passed` for `success`. */
export function statusLabel(status: string): string {
  const text = statusText(status)
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Returns the word for what has this status run after run: `passing` for `success`. */
export function ongoingText(status: string): string {
  return ownText(ONGOING, status) ?? statusText(status)
}

function ownText(texts: Record<string, string>, name: string): string | undefined {
  return Object.hasOwn(texts, name) ? texts[name] : undefined
}
