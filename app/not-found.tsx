import { Anchor, Center, Stack, Text, Title } from '@mantine/core'
import type { Metadata } from 'next'

export const metadata: Metadata = { title: 'Not found' }

export default function NotFound() {
  return (
    <Center component="main" mih="70dvh" p="md">
      <Stack align="center" gap="xs">
        <Title order={1} fz={28}>
          Page not found
        </Title>
        <Text c="dimmed">The address may be wrong, or the page was deleted.</Text>
        <Anchor href="/">Go to the start page</Anchor>
      </Stack>
    </Center>
  )
}
