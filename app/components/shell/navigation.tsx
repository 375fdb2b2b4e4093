'use client'

import { NavLink, Stack, Text } from '@mantine/core'
import {
  Archive,
  BellOff,
  BookOpen,
  Boxes,
  Globe,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
  Radio,
  ScrollText,
  Settings,
  Siren,
  SquareFunction,
  UserRound,
  Users,
  UsersRound,
  Webhook,
} from 'lucide-react'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import type { Section } from '#server/schemas/account/sections.ts'
import { hasPermission, useMe } from '../../client/me.tsx'
import { Link } from '../layout/link.tsx'
import { OpenIncidents } from './open-incidents.tsx'

type Entry = {
  href: string
  label: string
  icon: LucideIcon
  alsoUnder?: string[]
  /** Only members who may read this section of the organization see the entry. */
  section?: Section
  /** Shown at the end of the entry. */
  count?: ReactNode
}

const GROUPS: { title: string; entries: Entry[] }[] = [
  {
    title: 'Monitoring',
    entries: [
      { href: '/', label: 'Status', icon: LayoutDashboard },
      { href: '/workspaces', label: 'Workspaces', icon: Boxes, alsoUnder: ['/projects', '/services'] },
      { href: '/incidents', label: 'Incidents', icon: Siren, count: <OpenIncidents /> },
      { href: '/silences', label: 'My silences', icon: BellOff },
    ],
  },
  {
    title: 'Organization',
    entries: [
      { href: '/members', label: 'Members', icon: Users, section: 'users' },
      { href: '/groups', label: 'Groups', icon: UsersRound, section: 'users' },
      { href: '/variables', label: 'Variables', icon: SquareFunction, section: 'settings' },
      { href: '/webhooks', label: 'Webhooks', icon: Webhook, section: 'webhooks' },
      { href: '/domains', label: 'Domains', icon: Globe, section: 'domains' },
      { href: '/agents', label: 'Agents', icon: Radio, section: 'settings' },
      { href: '/body-stores', label: 'Body stores', icon: Archive, section: 'settings' },
      { href: '/audit', label: 'Audit log', icon: ScrollText, section: 'settings' },
      { href: '/organization', label: 'Settings', icon: Settings, section: 'settings' },
    ],
  },
  {
    title: 'You',
    entries: [
      { href: '/account', label: 'Account', icon: UserRound },
      { href: '/account/keys', label: 'API keys', icon: KeyRound },
      { href: '/docs', label: 'API reference', icon: BookOpen },
    ],
  },
]

export function Navigation() {
  const me = useMe()
  const pathname = usePathname()
  return (
    <Stack gap="md">
      {GROUPS.map((group) => {
        const entries = group.entries.filter(({ section }) => !section || hasPermission(me, section, 'read'))
        if (entries.length === 0) return null
        return (
          <div key={group.title}>
            <Text size="xs" fw={600} c="dimmed" px="sm" pb={4}>
              {group.title}
            </Text>
            {entries.map((entry) => {
              const isActive = isWithin(pathname, entry)
              return (
                <NavLink
                  key={entry.href}
                  component={Link}
                  href={entry.href}
                  label={entry.label}
                  leftSection={<entry.icon size={17} strokeWidth={1.8} aria-hidden />}
                  rightSection={entry.count}
                  active={isActive}
                  aria-current={isActive ? 'page' : undefined}
                  style={{ borderRadius: 'var(--mantine-radius-md)' }}
                  py={7}
                />
              )
            })}
          </div>
        )
      })}
    </Stack>
  )
}

function isWithin(pathname: string, entry: Entry): boolean {
  if (pathname === entry.href) return true
  // Every path begins with `/`, and `/account/keys` has its own entry.
  if (entry.href === '/' || entry.href === '/account') return false
  return [entry.href, ...(entry.alsoUnder ?? [])].some((start) => pathname.startsWith(`${start}/`))
}
