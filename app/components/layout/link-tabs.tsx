'use client'

import { Box } from '@mantine/core'
import { usePathname, useRouter } from 'next/navigation'
import { useCommands } from '../../client/commands/commands.ts'
import { Link } from './link.tsx'
import styles from './link-tabs.module.css'

export type LinkTab = {
  label: string
  href: string
  /** The tab is also current on pages whose path starts with one of these. */
  subpaths?: string[]
}

/** The pages of a resource as tabs, also offered by the command palette. They are links, because each page has its own URL. */
export function LinkTabs({ label, tabs }: { label: string; tabs: LinkTab[] }) {
  const pathname = usePathname()
  const router = useRouter()
  useCommands(
    tabs.map((tab) => ({
      id: tab.href,
      label: `${label}: ${tab.label}`,
      group: 'This page' as const,
      run: () => router.push(tab.href),
    })),
  )
  return (
    <Box component="nav" aria-label={label} className={styles.strip}>
      {tabs.map((tab) => {
        const isCurrent = pathname === tab.href || tab.subpaths?.some((subpath) => pathname.startsWith(subpath))
        return (
          <Link key={tab.href} href={tab.href} className={styles.tab} aria-current={isCurrent ? 'page' : undefined}>
            {tab.label}
          </Link>
        )
      })}
    </Box>
  )
}
