'use client'

import { Anchor, Box, Group } from '@mantine/core'
import { Brand } from '../components/layout/brand.tsx'
import { ColorSchemeToggle } from '../components/layout/color-scheme-toggle.tsx'
import { Link } from '../components/layout/link.tsx'

export function DocsHeader() {
  return (
    <Group component="header" justify="space-between" py="sm" gap="xs">
      <Box component={Link} href="/" c="inherit" td="none" aria-label="Soundline, start page">
        <Brand />
      </Box>
      <Group gap="xs">
        <Anchor component={Link} href="/" size="sm">
          Go to the dashboard
        </Anchor>
        <ColorSchemeToggle />
      </Group>
    </Group>
  )
}
