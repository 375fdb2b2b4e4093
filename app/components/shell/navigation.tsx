'use client'

import { usePathname } from 'next/navigation'
import { useId } from 'react'
import { useMe } from '../../client/me.tsx'
import { Link } from '../layout/link.tsx'
import { type Page, pagesFor } from '../navigation/pages.tsx'
import styles from './navigation.module.css'

/** The pages of the dashboard, by group. */
export function Navigation() {
  const me = useMe()
  const pathname = usePathname()
  const groups = pagesFor(me)
  const current = groups.flatMap(({ pages }) => pages).find((page) => isWithin(pathname, page))
  return groups.map((group) => <Group key={group.title} {...group} current={current} />)
}

function Group(props: { title: string; pages: Page[]; current: Page | undefined }) {
  const id = useId()
  return (
    <div className={styles.group}>
      <p className={styles.title} id={id}>
        {props.title}
      </p>
      <ul className={styles.list} aria-labelledby={id}>
        {props.pages.map((page) => (
          <li key={page.href}>
            <Link href={page.href} className={styles.link} aria-current={page === props.current ? 'page' : undefined}>
              <page.icon size={16} strokeWidth={1.8} aria-hidden />
              <span className={styles.label}>{page.label}</span>
              {page.count}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}

function isWithin(pathname: string, { href, alsoUnder = [] }: Page): boolean {
  if (pathname === href) return true
  // Every path begins with `/`, and `/account/keys` has its own entry.
  if (href === '/' || href === '/account') return false
  return [href, ...alsoUnder].some((start) => pathname.startsWith(`${start}/`))
}
