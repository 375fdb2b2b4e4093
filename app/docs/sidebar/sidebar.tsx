'use client'

import { usePathname } from 'next/navigation'
import { useState } from 'react'
import { ChevronRight } from '../../components/icons.ts'
import { Link } from '../../components/layout/link.tsx'
import { ApiKeyForm } from '../reference/api-key.tsx'
import { SearchForm } from '../search/search-form.tsx'
import styles from './sidebar.module.css'

export type SidebarBook = { title: string; pages: { path: string; title: string }[] }

/** The search and the pages of all books. On a narrow screen, a button opens the pages; opening a page closes them. */
export function Sidebar({ books }: { books: SidebarBook[] }) {
  const pathname = usePathname()
  const [openedAt, setOpenedAt] = useState<string | null>(null)
  const isOpened = openedAt === pathname
  const current = books.find(({ pages }) => pages.some(({ path }) => path === pathname))
  return (
    <div className={styles.sidebar}>
      <SearchForm />
      {referenceState(pathname) && <ApiKeyForm />}
      <nav aria-label="Documentation" className={styles.navigation}>
        <button
          type="button"
          className={styles.control}
          aria-expanded={isOpened}
          aria-controls="docs-contents"
          onClick={() => setOpenedAt(isOpened ? null : pathname)}
        >
          <ChevronRight className={styles.chevron} size={16} aria-hidden />
          Contents
        </button>
        <div id="docs-contents" className={styles.contents} data-opened={isOpened || undefined}>
          <Link href="/docs" className={styles.link} aria-current={referenceState(pathname)}>
            API reference
          </Link>
          {books.map((book) => (
            <Book key={book.title} {...book} pathname={pathname} isOpen={!current || book === current} />
          ))}
        </div>
      </nav>
    </div>
  )
}

function Book({ title, pages, pathname, isOpen }: SidebarBook & { pathname: string; isOpen: boolean }) {
  return (
    <details open={isOpen} className={styles.book}>
      <summary className={styles.title}>
        <ChevronRight className={styles.chevron} size={16} aria-hidden />
        {title}
      </summary>
      <ul className={styles.pages}>
        {pages.map((page) => (
          <li key={page.path}>
            <Link
              href={page.path}
              className={styles.link}
              aria-current={page.path === pathname ? 'page' : undefined}
              ref={page.path === pathname ? showInList : undefined}
            >
              {page.title}
            </Link>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** An operation is a page of the reference, but has no link of its own. */
function referenceState(pathname: string): 'page' | 'true' | undefined {
  if (pathname === '/docs') return 'page'
  return pathname.startsWith('/docs/operations/') ? 'true' : undefined
}

/** Scrolls the list, but not the window, to the current page. */
function showInList(link: HTMLElement | null): void {
  const list = link?.offsetParent
  if (!link || !list) return
  const isShown = link.offsetTop >= list.scrollTop && link.offsetTop < list.scrollTop + list.clientHeight * 0.8
  if (!isShown) list.scrollTop = link.offsetTop - list.clientHeight / 2
}
