import { Box, Container } from '@mantine/core'
import type { ReactNode } from 'react'
import { DocsHeader } from './docs-header.tsx'
import { ApiKeyProvider } from './reference/api-key.tsx'

/** The frame of the API documentation. It needs no sign-in, because it shows nothing from the installation. */
export default function DocsLayout({ children }: { children: ReactNode }) {
  return (
    <>
      <a href="#main" className="skip-link">
        Skip to content
      </a>
      <Container size={1100} px={{ base: 'sm', sm: 'lg' }} pb="xl">
        <DocsHeader />
        <Box component="main" id="main" tabIndex={-1} pt="lg">
          <ApiKeyProvider>{children}</ApiKeyProvider>
        </Box>
      </Container>
    </>
  )
}
