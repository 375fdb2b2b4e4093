/** The parts of a stored run that contain its error. */
type StoredRun = { raw: Record<string, unknown> | null; steps: readonly { error: string | null }[] }

/**
 * Returns why a run failed if no assertion explains it: it could not be executed, or a step got no response. Null for a run
 * that passed or that failed by assertions only.
 */
export function runErrorOf({ raw, steps }: StoredRun): string | null {
  const whole = raw?.error
  return typeof whole === 'string' ? whole : (steps.find((step) => step.error !== null)?.error ?? null)
}

/** Returns the result in the language's published format, which has no top-level `error`. */
export function withoutRunError(raw: Record<string, unknown> | null): Record<string, unknown> | null {
  if (raw === null) return null
  const { error: _, ...result } = raw
  return result
}
