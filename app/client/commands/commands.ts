import { useEffect, useId } from 'react'

/** Something that a member can do from the command palette, and by its keys when it has some. */
export type Command = {
  id: string
  label: string
  group: 'This page' | 'Actions' | 'Pages'
  /** One key, or two in a row such as `g h`. As in `KeyboardEvent.key`. */
  keys?: string
  /** Other words that find it. */
  words?: string
  run: () => void
}

// One registry for the whole dashboard: the palette, the keyboard and the list of shortcuts read it.

const registered = new Map<string, Command[]>()
const listeners = new Set<() => void>()
let all: Command[] = []

/** Offers commands while the component is on the page. */
export function useCommands(commands: Command[]): void {
  const owner = useId()
  useEffect(() => {
    registered.set(owner, commands)
    changed()
    return () => {
      registered.delete(owner)
      changed()
    }
  }, [owner, commands])
}

export const commandStore = {
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
  current: () => all,
}

function changed(): void {
  all = [...registered.values()].flat()
  for (const listener of listeners) listener()
}
