'use client'

import { Anchor } from '@mantine/core'
import { Link } from '../../components/layout/link.tsx'
import styles from './book.module.css'

/** The contents of a book: each page with its sections. */
export type BookContents = (PageSections & { title: string })[]
type PageSections = { path: string; sections: { title: string; anchor: string }[] }

export function Contents({ contents }: { contents: BookContents }) {
  return (
    <nav aria-label="All pages">
      <ul className={`${styles.list} ${styles.columns}`}>
        {contents.map((page) => (
          <li key={page.path} className={styles.page}>
            <Anchor component={Link} href={page.path}>
              {page.title}
            </Anchor>
            <Sections page={page} />
          </li>
        ))}
      </ul>
    </nav>
  )
}

export function Sections({ page, inColumns = false }: { page: PageSections; inColumns?: boolean }) {
  return (
    <ul className={inColumns ? `${styles.list} ${styles.columns}` : styles.list}>
      {page.sections.map(({ title, anchor }) => (
        <li key={anchor}>
          <Anchor component={Link} href={`${page.path}#${anchor}`}>
            {title}
          </Anchor>
        </li>
      ))}
    </ul>
  )
}
