'use client'

import { useEffect } from 'react'
import { titleWith } from '../../client/titles/titles.ts'
import { useOpenIncidents } from '../navigation/use-open-incidents.ts'

const FAILING_ICON = new URL('./failing.svg', import.meta.url).href

/** Shows in the tab of the browser, on every page, how many incidents are open: before its title and on its icon. */
export function TabFailures() {
  const total = useOpenIncidents()
  useEffect(() => {
    const show = () => {
      const title = titleWith(total, document.title)
      if (document.title !== title) document.title = title
      const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
      if (!icon) return
      icon.dataset.own ??= icon.href
      const href = total > 0 ? new URL(FAILING_ICON, document.baseURI).href : icon.dataset.own
      if (icon.href !== href) icon.href = href
    }
    show()
    // Each page brings its own title.
    const observer = new MutationObserver(show)
    observer.observe(document.head, { childList: true, subtree: true, characterData: true })
    return () => observer.disconnect()
  }, [total])
  return null
}
