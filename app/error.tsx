'use client'

import { Anchor, Button, Center, Group, Stack, Text, Title } from '@mantine/core'

export default function PageError({ reset }: { reset: () => void }) {
  return (
    <Center component="main" mih="70dvh" p="md">
      <Stack align="center" gap="sm">
        <Title order={1} fz={28}>
          This page could not be shown
        </Title>
        <Text c="dimmed">An error occurred. Try again.</Text>
        <Group>
          <Button onClick={reset}>Try again</Button>
          <Anchor href="/">Go to the start page</Anchor>
        </Group>
      </Stack>
    </Center>
  )
}
