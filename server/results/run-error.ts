/** A stored run, as far as its error is concerned. */
type StoredRun = { raw: Record<string, unknown> | null; steps: readonly { error: string | null }[] }

/**
 * Why a run failed where no assertion says it: it could not be carried out, or a step got no response. Null when
 * assertions say it all, and for a run that passed.
 */
export function runErrorOf({ raw, steps }: StoredRun): string | null {
  const whole = raw?.error
  return typeof whole === 'string' ? whole : (steps.find((step) => step.error !== null)?.error ?? null)
}

/** The result in the language's published format, which has no top-level `error`. */
export function withoutRunError(raw: Record<string, unknown> | null): Record<string, unknown> | null {
  if (raw === null) return null
  const { error: _, ...result } = raw
  return result
}
