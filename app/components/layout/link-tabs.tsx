'use client'

import { usePathname, useRouter } from 'next/navigation'
import { useEffect, useRef } from 'react'
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
  const strip = useRef<HTMLElement>(null)
  // On a phone, the strip is wider than the window.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another current tab
  useEffect(() => {
    const box = strip.current
    const tab = box?.querySelector<HTMLElement>('[aria-current="page"]')
    if (box && tab) box.scrollLeft = tab.offsetLeft - (box.clientWidth - tab.offsetWidth) / 2
  }, [pathname])
  useCommands(
    tabs.map((tab) => ({
      id: tab.href,
      label: `${label}: ${tab.label}`,
      group: 'This page' as const,
      run: () => router.push(tab.href),
    })),
  )
  return (
    <nav ref={strip} aria-label={label} className={styles.strip}>
      {tabs.map((tab) => {
        const isCurrent = pathname === tab.href || tab.subpaths?.some((subpath) => pathname.startsWith(subpath))
        return (
          <Link key={tab.href} href={tab.href} className={styles.tab} aria-current={isCurrent ? 'page' : undefined}>
            {tab.label}
          </Link>
        )
      })}
    </nav>
  )
}
