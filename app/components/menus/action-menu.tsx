'use client'

import { lazy, type ReactElement, Suspense, useState } from 'react'
import type { MenuEntry, MenuTarget } from './menu-entry.ts'

type Props = {
  entries: MenuEntry[]
  /** In pixels; as wide as its entries when absent. */
  width?: number
  /** Renders the button that opens the menu. */
  children: (target: MenuTarget) => ReactElement
}

const OpenedMenu = lazy(async () => ({ default: (await import('./opened-menu.tsx')).OpenedMenu }))

/** A button with a menu. The code of menus is loaded when the first one opens. */
export function ActionMenu({ entries, width, children }: Props) {
  const [isUsed, setUsed] = useState(false)
  const closed = children({ 'aria-haspopup': 'menu', 'aria-expanded': false, onClick: () => setUsed(true) })
  if (!isUsed) return closed
  return (
    <Suspense fallback={closed}>
      <OpenedMenu entries={entries} width={width}>
        {children({ autoFocus: true })}
      </OpenedMenu>
    </Suspense>
  )
}
