'use client'

import { useState } from 'react'
import type { BoardService } from '#server/schemas/status/board.ts'
import { refreshed, type Section, servicesOf } from './sections.ts'

type Held = { of: string; ids: string[]; sections: Section[] }

/**
 * Holds what a member selects. While something is selected, rows keep their places, and only their cells change. `of`
 * names the list, such as its filters and page: another one begins without a selection.
 */
export function useSelection(of: string, arranged: Section[], services: BoardService[]) {
  const [held, setHeld] = useState<Held | null>(null)
  const current = held?.of === of ? held : null
  const sections = current ? refreshed(current.sections, services) : arranged
  const selected = current?.ids ?? []
  return {
    sections,
    selected,
    services: servicesOf(sections).filter(({ id }) => selected.includes(id)),
    select: (some: BoardService[], isSelected: boolean) => {
      const ids = some.map(({ id }) => id)
      const next = isSelected ? [...new Set([...selected, ...ids])] : selected.filter((id) => !ids.includes(id))
      setHeld(next.length === 0 ? null : { of, ids: next, sections })
    },
    clear: () => setHeld(null),
  }
}
