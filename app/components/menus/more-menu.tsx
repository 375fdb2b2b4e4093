'use client'

import { ActionIcon } from '@mantine/core'
import { EllipsisVertical } from 'lucide-react'
import { ActionMenu, type MenuEntry } from './action-menu.tsx'

/** A button that opens a menu of less common actions. */
export function MoreMenu({ label, entries }: { label: string; entries: MenuEntry[] }) {
  return (
    <ActionMenu entries={entries}>
      {(target) => (
        <ActionIcon variant="default" size={36} aria-label={label} {...target}>
          <EllipsisVertical size={17} aria-hidden />
        </ActionIcon>
      )}
    </ActionMenu>
  )
}
