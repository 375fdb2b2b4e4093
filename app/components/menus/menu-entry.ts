import type { MouseEventHandler, ReactNode } from 'react'

/** A line of a menu: an action, a choice that leaves the menu open, a link, a heading of what follows, or a line between. */
export type MenuEntry =
  | { label: ReactNode; icon?: ReactNode; end?: ReactNode; color?: string; disabled?: boolean; onSelect: () => void }
  | { label: ReactNode; isChecked: boolean; onToggle: (isChecked: boolean) => void }
  | { label: ReactNode; icon?: ReactNode; end?: ReactNode; href: string; download?: boolean }
  | { heading: ReactNode }
  | 'divider'

/** What a button must be given to open a menu. */
export type MenuTarget = {
  'aria-haspopup'?: 'menu'
  'aria-expanded'?: boolean
  onClick?: MouseEventHandler
  /** The button that replaces the one which was pressed takes its focus. */
  autoFocus?: true
}
