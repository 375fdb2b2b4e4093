import { Box, Container } from '@mantine/core'
import type { ReactNode } from 'react'
import { DocsHeader } from './docs-header.tsx'

/** What callers of the API read. Nobody needs to be signed in: it says nothing of what an installation holds. */
export default function DocsLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <a href="#main" className="skip-link">
        Skip to content
      </a>
      <Container size={1100} px={{ base: 'sm', sm: 'lg' }} pb="xl">
        <DocsHeader />
        <Box component="main" id="main" tabIndex={-1} pt="lg">
          {children}
        </Box>
      </Container>
    </>
  )
}
