'use client'

import { Anchor, Box, Group } from '@mantine/core'
import { Brand } from '../components/layout/brand.tsx'
import { ColorSchemeToggle } from '../components/layout/color-scheme-toggle.tsx'
import { Link } from '../components/layout/link.tsx'
import { LinkTabs } from '../components/layout/link-tabs.tsx'
import { SearchForm } from './search/search-form.tsx'

const PAGES = [
  { href: '/docs', label: 'Reference', subpaths: ['/docs/operations/'] },
  { href: '/docs/guide', label: 'Guide', subpaths: ['/docs/guide/'] },
  { href: '/docs/language', label: 'Script language', subpaths: ['/docs/language/'] },
  { href: '/docs/operate', label: 'Operation', subpaths: ['/docs/operate/'] },
]

export function DocsHeader() {
  return (
    <>
      <Group component="header" justify="space-between" py="sm" gap="xs">
        <Box component={Link} href="/" c="inherit" td="none" aria-label="Soundline, start page">
          <Brand />
        </Box>
        <SearchForm />
        <Group gap="xs">
          <Anchor component={Link} href="/" size="sm">
            Go to the dashboard
          </Anchor>
          <ColorSchemeToggle />
        </Group>
      </Group>
      <LinkTabs label="API documentation" tabs={PAGES} />
    </>
  )
}
