'use client'

import { AppShell, Box, Burger, Container, Group, ScrollArea } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { usePathname } from 'next/navigation'
import { type ReactNode, useEffect } from 'react'
import { Brand } from '../layout/brand.tsx'
import { ColorSchemeToggle } from '../layout/color-scheme-toggle.tsx'
import { Link } from '../layout/link.tsx'
import { Navigation } from './navigation.tsx'
import { TotpNotice } from './totp-notice.tsx'
import { UserMenu } from './user-menu.tsx'
import { ZoneSwitch } from './zone-switch.tsx'

/** The frame of the dashboard: header, navigation and the current page. */
export function Shell({ children }: { children: ReactNode }) {
  const [opened, { toggle, close }] = useDisclosure(false)
  const pathname = usePathname()
  // biome-ignore lint/correctness/useExhaustiveDependencies: opening a page closes the menu on a phone
  useEffect(close, [pathname])
  return (
    <>
      <a href="#main" className="skip-link">
        Skip to content
      </a>
      <AppShell
        header={{ height: 56 }}
        navbar={{ width: 232, breakpoint: 'sm', collapsed: { mobile: !opened } }}
        padding="md"
        transitionDuration={120}
      >
        <AppShell.Header>
          <Group h="100%" px="md" justify="space-between" wrap="nowrap">
            <Group gap="sm" wrap="nowrap">
              <Burger
                opened={opened}
                onClick={toggle}
                hiddenFrom="sm"
                size="sm"
                aria-label={opened ? 'Close menu' : 'Open menu'}
                aria-expanded={opened}
              />
              <Box component={Link} href="/workspaces" c="inherit" td="none" aria-label="Soundline, start page">
                <Brand />
              </Box>
            </Group>
            <Group gap={4} wrap="nowrap">
              <ZoneSwitch />
              <ColorSchemeToggle />
              <UserMenu />
            </Group>
          </Group>
        </AppShell.Header>
        <AppShell.Navbar p="sm" aria-label="Main">
          <ScrollArea style={{ flex: 1 }} type="auto">
            <Navigation />
          </ScrollArea>
        </AppShell.Navbar>
        <AppShell.Main id="main" tabIndex={-1}>
          <Container size={1200} px={{ base: 0, sm: 'md' }} py="sm">
            <TotpNotice />
            {children}
          </Container>
        </AppShell.Main>
      </AppShell>
    </>
  )
}
