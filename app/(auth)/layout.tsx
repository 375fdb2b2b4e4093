import { Box, Center, Group, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { BrowserZone } from '../client/zone.tsx'
import { Brand } from '../components/layout/brand.tsx'
import { ColorSchemeToggle } from '../components/layout/color-scheme-toggle.tsx'

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <Box mih="100dvh" p="md">
      <BrowserZone />
      <Group justify="flex-end">
        <ColorSchemeToggle />
      </Group>
      <Center component="main" id="main" pt={{ base: 'md', sm: '8vh' }} pb="xl">
        <Stack w="100%" maw={420} gap="lg">
          <Group justify="center">
            <Brand size={34} />
          </Group>
          {children}
        </Stack>
      </Center>
    </Box>
  )
}
