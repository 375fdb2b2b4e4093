import type { Command } from '../../client/commands/commands.ts'

/** The most commands that the palette shows for a search. */
const SHOWN = 12

/** Returns the commands that contain every word of the search, those that begin with it first. */
export function matchingCommands(commands: Command[], search: string): Command[] {
  const text = search.trim().toLowerCase()
  const words = text.split(/\s+/)
  const found = commands.filter(({ label, words: others = '' }) => {
    const within = `${label} ${others}`.toLowerCase()
    return words.every((word) => within.includes(word))
  })
  return found.sort((a, b) => closeness(a.label, text) - closeness(b.label, text)).slice(0, SHOWN)
}

/** 0 for a label that begins with the text, 1 for one with a word that does, 2 for others. */
export function closeness(label: string, text: string): 0 | 1 | 2 {
  const within = label.toLowerCase()
  if (within.startsWith(text)) return 0
  return within.includes(` ${text}`) ? 1 : 2
}
