// Bounds the output of tools: a language model reads all of it, and pays for each character.

/** Tried one after the other, until the output fits. */
const LIMITS = [
  { characters: 4_000, entries: 50 },
  { characters: 500, entries: 20 },
  { characters: 100, entries: 5 },
]
const OUTPUT_MAX = 40_000

/** Returns the data with long strings and lists cut, so that its JSON has at most 40,000 characters. */
export function bounded(data: Record<string, unknown>): { data: Record<string, unknown>; json: string } {
  for (const limit of LIMITS) {
    const cut = shorten(data, limit) as Record<string, unknown>
    const json = JSON.stringify(cut)
    if (json.length <= OUTPUT_MAX) return { data: cut, json }
  }
  const note = { isTooLarge: true, note: 'The output is too large. Ask for a smaller part of it.' }
  return { data: note, json: JSON.stringify(note) }
}

type Limit = (typeof LIMITS)[number]

function shorten(value: unknown, limit: Limit): unknown {
  if (typeof value === 'string') return shortenText(value, limit.characters)
  if (Array.isArray(value)) {
    const kept = value.slice(0, limit.entries).map((entry) => shorten(entry, limit))
    return value.length > kept.length ? [...kept, `… ${value.length - kept.length} more`] : kept
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  const kept = entries.slice(0, limit.entries).map(([key, child]): [string, unknown] => [key, shorten(child, limit)])
  if (entries.length > kept.length) kept.push(['…', `${entries.length - kept.length} more`])
  return Object.fromEntries(kept)
}

export function shortenText(text: string, characters: number): string {
  return text.length <= characters
    ? text
    : `${text.slice(0, characters)}… (${text.length - characters} more characters)`
}
