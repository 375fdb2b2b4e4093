/** Returns the address of the change between two versions of a script. Null for the earlier one: the one before it. */
export function versionsHref(serviceId: string, before: number | null, after: number): string {
  return `/services/${serviceId}/script?compare=${before === null ? after : `${before}..${after}`}`
}

/** Reads what `versionsHref` writes after `compare=`; null for another text. */
export function comparedVersions(text: string | null): { before: number | null; after: number } | null {
  const [, first, second] = /^(\d{1,9})(?:\.\.(\d{1,9}))?$/.exec(text ?? '') ?? []
  if (!first) return null
  return second ? { before: Number(first), after: Number(second) } : { before: null, after: Number(first) }
}
