'use client'

import { Stack, Text } from '@mantine/core'
import { usePathname } from 'next/navigation'
import { useMe } from '../../client/me.tsx'
import { Link } from '../layout/link.tsx'
import { type Page, pagesFor } from '../navigation/pages.tsx'
import styles from './navigation.module.css'
import { useArrowKeys } from './use-arrow-keys.ts'

/** The pages of the dashboard: one stop of the Tab key, within which the arrow keys move. */
export function Navigation() {
  const me = useMe()
  const pathname = usePathname()
  const groups = pagesFor(me)
  const pages = groups.flatMap(({ pages }) => pages)
  const current = pages.find((page) => isWithin(pathname, page))
  const { tabStop, ...handlers } = useArrowKeys(current?.href ?? pages[0]?.href)
  return (
    <Stack gap="md" {...handlers}>
      {groups.map((group) => (
        <div key={group.title}>
          <Text size="xs" fw={600} c="dimmed" px="sm" pb={4}>
            {group.title}
          </Text>
          {group.pages.map((page) => (
            <Link
              key={page.href}
              href={page.href}
              className={styles.link}
              aria-current={page === current ? 'page' : undefined}
              tabIndex={page.href === tabStop ? 0 : -1}
            >
              <page.icon size={17} strokeWidth={1.8} aria-hidden />
              <span className={styles.label}>{page.label}</span>
              {page.count}
            </Link>
          ))}
        </div>
      ))}
    </Stack>
  )
}

function isWithin(pathname: string, { href, alsoUnder = [] }: Page): boolean {
  if (pathname === href) return true
  // Every path begins with `/`, and `/account/keys` has its own entry.
  if (href === '/' || href === '/account') return false
  return [href, ...alsoUnder].some((start) => pathname.startsWith(`${start}/`))
}
