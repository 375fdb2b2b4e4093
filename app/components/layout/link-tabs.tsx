'use client'

import { Box } from '@mantine/core'
import { usePathname } from 'next/navigation'
import { Link } from './link.tsx'
import styles from './link-tabs.module.css'

export type LinkTab = {
  label: string
  href: string
  /** The tab is also current on pages whose path starts with this. */
  subpath?: string
}

/** The pages of a resource as tabs. They are links, because each page has its own URL. */
export function LinkTabs({ label, tabs }: { label: string; tabs: LinkTab[] }) {
  const pathname = usePathname()
  return (
    <Box component="nav" aria-label={label} className={styles.strip}>
      {tabs.map((tab) => {
        const isCurrent = pathname === tab.href || (tab.subpath !== undefined && pathname.startsWith(tab.subpath))
        return (
          <Link key={tab.href} href={tab.href} className={styles.tab} aria-current={isCurrent ? 'page' : undefined}>
            {tab.label}
          </Link>
        )
      })}
    </Box>
  )
}
