import type { ReactNode } from 'react'
import type { Me } from '#server/schemas/account/accounts.ts'
import type { Section } from '#server/schemas/account/sections.ts'
import { hasPermission } from '../../client/me.tsx'
import {
  Archive,
  BellOff,
  BookOpen,
  Boxes,
  Globe,
  type IconComponent,
  KeyRound,
  LayoutDashboard,
  Radio,
  ScrollText,
  Server,
  Settings,
  Siren,
  SquareFunction,
  Trash2,
  UserRound,
  Users,
  UsersRound,
  Webhook,
  Wrench,
} from '../icons.ts'
import { OpenIncidents } from './open-incidents.tsx'

/** A page of the navigation and of the command palette. */
export type Page = {
  href: string
  label: string
  icon: IconComponent
  alsoUnder?: string[]
  /** Only members who may read this section of the organization see the page. */
  section?: Section
  /** And members who may write to this one. */
  orWrites?: Section
  /** Only the operator of the installation sees the page. */
  isOperators?: true
  /** Shown at the end of the entry. */
  count?: ReactNode
  /** The keys that open it. */
  keys?: string
  /** Other words that find it. */
  words?: string
}

const GROUPS: { title: string; pages: Page[] }[] = [
  {
    title: 'Monitoring',
    pages: [
      { href: '/', label: 'Status', icon: LayoutDashboard, keys: 'g h', words: 'home board start overview' },
      {
        href: '/workspaces',
        label: 'Workspaces',
        icon: Boxes,
        alsoUnder: ['/projects', '/services'],
        keys: 'g w',
        words: 'projects services',
      },
      { href: '/incidents', label: 'Incidents', icon: Siren, count: <OpenIncidents />, keys: 'g i' },
      {
        href: '/maintenance',
        label: 'Maintenance',
        icon: Wrench,
        keys: 'g t',
        words: 'deploy mute window downtime',
      },
      { href: '/silences', label: 'My silences', icon: BellOff, keys: 'g s', words: 'mute quiet' },
      { href: '/deleted', label: 'Recently deleted', icon: Trash2, words: 'restore undo trash' },
    ],
  },
  {
    title: 'Organization',
    pages: [
      { href: '/members', label: 'Members', icon: Users, section: 'users', keys: 'g m', words: 'people invite' },
      { href: '/groups', label: 'Groups', icon: UsersRound, section: 'users' },
      {
        href: '/variables',
        label: 'Variables',
        icon: SquareFunction,
        section: 'settings',
        keys: 'g v',
        words: 'secrets',
      },
      { href: '/webhooks', label: 'Webhooks', icon: Webhook, section: 'webhooks' },
      { href: '/domains', label: 'Domains', icon: Globe, section: 'domains' },
      {
        href: '/agents',
        label: 'Agents',
        icon: Radio,
        section: 'settings',
        orWrites: 'workspaces',
        keys: 'g a',
        words: 'workers',
      },
      { href: '/body-stores', label: 'Body stores', icon: Archive, section: 'settings' },
      { href: '/audit', label: 'Audit log', icon: ScrollText, section: 'settings', keys: 'g l', words: 'history' },
      { href: '/organization', label: 'Settings', icon: Settings, section: 'settings', words: 'organization' },
      { href: '/system', label: 'System', icon: Server, isOperators: true, words: 'processes database backup health' },
    ],
  },
  {
    title: 'You',
    pages: [
      { href: '/account', label: 'Account', icon: UserRound, words: 'profile password' },
      { href: '/account/keys', label: 'API keys', icon: KeyRound, keys: 'g k', words: 'tokens' },
      { href: '/docs', label: 'API reference', icon: BookOpen, keys: 'g d', words: 'documentation' },
    ],
  },
]

/** Returns the pages that the member may open, by group. */
export function pagesFor(me: Me): { title: string; pages: Page[] }[] {
  return GROUPS.map(({ title, pages }) => ({
    title,
    pages: pages.filter((page) => mayOpen(me, page)),
  })).filter(({ pages }) => pages.length > 0)
}

function mayOpen(me: Me, { section, orWrites, isOperators }: Page): boolean {
  if (isOperators && !me.isOperator) return false
  if (!section || hasPermission(me, section, 'read')) return true
  return orWrites !== undefined && hasPermission(me, orWrites, 'write')
}
