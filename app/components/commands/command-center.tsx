'use client'

import { Button, Text } from '@mantine/core'
import { useCallback, useState } from 'react'
import { lazyDialog } from '../../client/lazy-dialog.ts'
import { Search } from '../icons.ts'
import styles from './commands.module.css'
import { useDashboardCommands } from './use-dashboard-commands.ts'
import { useShortcuts } from './use-shortcuts.ts'

const Palette = lazyDialog(async () => (await import('./palette.tsx')).Palette)
const ShortcutList = lazyDialog(async () => (await import('./shortcut-list.tsx')).ShortcutList)

/** The search button of the header, with the palette that it opens, and the keyboard shortcuts of the dashboard. */
export function CommandCenter() {
  const [open, setOpen] = useState<'palette' | 'shortcuts' | null>(null)
  const openPalette = useCallback(() => setOpen('palette'), [])
  const openShortcuts = useCallback(() => setOpen('shortcuts'), [])
  const close = () => setOpen(null)
  useShortcuts(openPalette)
  useDashboardCommands({ openPalette, openShortcuts })
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        px="xs"
        aria-haspopup="dialog"
        aria-label="Search"
        // Drawn by the style sheet, because it is no part of the button's name.
        data-keys="Ctrl K"
        className={styles.search}
        onClick={openPalette}
      >
        <Search size={16} aria-hidden />
        <Text size="sm" mx={8} visibleFrom="sm" component="span">
          Search
        </Text>
      </Button>
      {open === 'palette' && <Palette onClose={close} />}
      {open === 'shortcuts' && <ShortcutList onClose={close} />}
    </>
  )
}
