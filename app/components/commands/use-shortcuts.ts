import { useEffect } from 'react'
import { commandStore } from '../../client/commands/commands.ts'

/** The time for the second key of a sequence. */
const SEQUENCE_MS = 3_000

/** Runs commands by their keys, and opens the palette by Ctrl or ⌘ with K. Neither while a dialog is open. */
export function useShortcuts(openPalette: () => void): void {
  useEffect(() => {
    let first = { key: '', at: 0 }
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || isDialogOpen()) return
      if (isPaletteKey(event)) {
        event.preventDefault()
        return openPalette()
      }
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return
      const { key, timeStamp } = event
      const withKeys = commandStore.current().filter(({ keys }) => keys !== undefined)
      const sequence = timeStamp - first.at < SEQUENCE_MS ? `${first.key} ${key}` : key
      const found = withKeys.find(({ keys }) => keys === sequence) ?? withKeys.find(({ keys }) => keys === key)
      const isFirst = !found && withKeys.some(({ keys }) => keys?.startsWith(`${key} `))
      first = isFirst ? { key, at: timeStamp } : { key: '', at: 0 }
      if (!found) return
      event.preventDefault()
      found.run()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [openPalette])
}

function isPaletteKey({ key, metaKey, ctrlKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'k' && (metaKey || ctrlKey) && !altKey && !shiftKey
}

function isDialogOpen(): boolean {
  return document.querySelector('dialog[open], [role="dialog"]') !== null
}

/** Fields, editors, and lists that find their entries by typing. */
function isTyping(target: EventTarget | null): boolean {
  const fields = 'input, textarea, select, [contenteditable="true"], [role="textbox"], [role="menu"], [role="listbox"]'
  return target instanceof Element && target.closest(fields) !== null
}
