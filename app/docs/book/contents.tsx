'use client'

import { Anchor } from '@mantine/core'
import { Link } from '../../components/layout/link.tsx'
import styles from './book.module.css'

/** The contents of a book: each page with its sections. */
export type BookContents = BookPageContents[]
type BookPageContents = { path: string; title: string; sections: { title: string; anchor: string }[] }

/** The contents of all pages, or of one. */
export function Contents({ contents, path }: { contents: BookContents; path: string | null }) {
  const own = contents.find((page) => page.path === path)
  return (
    <nav aria-label="Contents">
      {own ? (
        <Sections page={own} />
      ) : (
        <ul className={`${styles.list} ${styles.columns}`}>
          {contents.map((page) => (
            <li key={page.path}>
              <Anchor component={Link} href={page.path}>
                {page.title}
              </Anchor>
              <Sections page={page} />
            </li>
          ))}
        </ul>
      )}
    </nav>
  )
}

function Sections({ page }: { page: BookPageContents }) {
  return (
    <ul className={styles.list}>
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
