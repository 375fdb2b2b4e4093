'use client'

import { lazy, type MouseEventHandler, type ReactElement, type ReactNode, Suspense, useState } from 'react'

/** A line of a menu: an action, a link, a heading of what follows, or a line between. */
export type MenuEntry =
  | { label: ReactNode; icon?: ReactNode; end?: ReactNode; color?: string; disabled?: boolean; onSelect: () => void }
  | { label: ReactNode; icon?: ReactNode; href: string; download?: boolean }
  | { heading: ReactNode }
  | 'divider'

/** What a button must be given to open a menu. */
export type MenuTarget = {
  'aria-haspopup'?: 'menu'
  'aria-expanded'?: boolean
  onClick?: MouseEventHandler
}

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
        {children({})}
      </OpenedMenu>
    </Suspense>
  )
}
