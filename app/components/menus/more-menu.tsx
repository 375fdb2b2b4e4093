'use client'

import { ActionIcon } from '@mantine/core'
import { EllipsisVertical } from '../icons.ts'
import { ActionMenu } from './action-menu.tsx'
import type { MenuEntry } from './menu-entry.ts'

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
