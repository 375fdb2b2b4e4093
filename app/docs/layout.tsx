import { Box, Container } from '@mantine/core'
import type { ReactNode } from 'react'
import { BOOK_NAMES, BOOKS, pagesOf } from './books.ts'
import { DocsHeader } from './docs-header.tsx'
import { ApiKeyProvider } from './reference/api-key.tsx'
import styles from './sidebar/sidebar.module.css'
import { Sidebar } from './sidebar/sidebar.tsx'

/** The frame of the documentation. It needs no sign-in, because it shows nothing from the installation. */
export default function DocsLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <a href="#main" className="skip-link">
        Skip to content
      </a>
      <Container size={1280} px={{ base: 'sm', sm: 'lg' }} pb="xl">
        <DocsHeader />
        <ApiKeyProvider>
          <div className={styles.frame}>
            <Sidebar books={sidebarBooks()} />
            <Box component="main" id="main" tabIndex={-1} pt={{ base: 0, md: 'md' }} miw={0}>
              {children}
            </Box>
          </div>
        </ApiKeyProvider>
      </Container>
    </>
  )
}

function sidebarBooks() {
  return BOOK_NAMES.map((name) => ({
    title: BOOKS[name].title,
    pages: pagesOf(name).map(({ path, chapter }) => ({ path, title: chapter.title })),
  }))
}
