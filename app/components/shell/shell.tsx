'use client'

import { ActionIcon, Box, Group } from '@mantine/core'
import { usePathname, useSearchParams } from 'next/navigation'
import { type ReactNode, useEffect, useState } from 'react'
import { CommandCenter } from '../commands/command-center.tsx'
import { Menu, X } from '../icons.ts'
import { Brand } from '../layout/brand.tsx'
import { ColorSchemeToggle } from '../layout/color-scheme-toggle.tsx'
import { Link } from '../layout/link.tsx'
import { ConnectionNotice } from './connection-notice.tsx'
import { Navigation } from './navigation.tsx'
import { NewServiceLink } from './new-service-link.tsx'
import styles from './shell.module.css'
import { TabFailures } from './tab-failures.tsx'
import { TotpNotice } from './totp-notice.tsx'
import { UserMenu } from './user-menu.tsx'
import { ZoneSwitch } from './zone-switch.tsx'

/** The frame of the dashboard: header, navigation and the current page. The wall (`/?tv=1`) has the whole screen. */
export function Shell({ children }: { children: ReactNode }) {
  const isWall = useSearchParams().get('tv') === '1'
  if (usePathname() !== '/' || !isWall) return <Frame>{children}</Frame>
  return (
    <main id="main">
      {children}
      <TabFailures />
    </main>
  )
}

function Frame({ children }: { children: ReactNode }) {
  const [opened, setOpened] = useState(false)
  const pathname = usePathname()
  // biome-ignore lint/correctness/useExhaustiveDependencies: opening a page closes the menu on a phone
  useEffect(() => setOpened(false), [pathname])
  return (
    <>
      <a href="#main" className="skip-link">
        Skip to content
      </a>
      <Group component="header" className={styles.header} justify="space-between" wrap="nowrap">
        <Group gap="sm" wrap="nowrap">
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            hiddenFrom="sm"
            aria-label={opened ? 'Close menu' : 'Open menu'}
            aria-expanded={opened}
            onClick={() => setOpened(!opened)}
          >
            {opened ? <X size={20} aria-hidden /> : <Menu size={20} aria-hidden />}
          </ActionIcon>
          <Box
            component={Link}
            href="/"
            c="inherit"
            td="none"
            aria-label="Soundline, start page"
            className={styles.brand}
          >
            <Brand />
          </Box>
        </Group>
        <Group gap={4} wrap="nowrap">
          <CommandCenter />
          <ZoneSwitch />
          <ColorSchemeToggle />
          <UserMenu />
        </Group>
      </Group>
      <nav className={styles.navigation} data-opened={opened || undefined} aria-label="Main">
        <NewServiceLink />
        <Navigation />
      </nav>
      <main id="main" className={styles.main} tabIndex={-1}>
        <div className={styles.inner}>
          <TotpNotice />
          {children}
        </div>
      </main>
      <ConnectionNotice />
      <TabFailures />
    </>
  )
}
