import { type FocusEvent, type KeyboardEvent, useState } from 'react'

/**
 * Makes a list of links one stop of the Tab key: the link at `start`, or the one that had the focus last. The arrow keys,
 * Home and End move between the links.
 */
export function useArrowKeys(start: string | undefined) {
  const [last, setLast] = useState<{ href: string; from: string | undefined } | null>(null)
  return {
    /** Where the Tab key stops. Another page starts again at its own link. */
    tabStop: last?.from === start ? (last?.href ?? start) : start,
    onFocus: (event: FocusEvent<HTMLElement>) => {
      const href = event.target.closest('a')?.getAttribute('href')
      if (href) setLast({ href, from: start })
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const links = [...event.currentTarget.querySelectorAll('a')]
      const at = links.indexOf(document.activeElement as HTMLAnchorElement)
      const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[event.key]
      if (to === undefined) return
      event.preventDefault()
      links[Math.min(Math.max(to, 0), links.length - 1)]?.focus()
    },
  }
}
