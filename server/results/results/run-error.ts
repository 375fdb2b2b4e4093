/** Returns the result in the language's published format, which has no top-level `error`. */
export function withoutRunError(raw: Record<string, unknown> | null): Record<string, unknown> | null {
  if (raw === null) return null
  const { error: _, ...result } = raw
  return result
}
