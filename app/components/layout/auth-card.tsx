import { Paper, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'

export function AuthCard(props: { title: string; intro?: ReactNode; children: ReactNode }) {
  return (
    <Paper withBorder shadow="sm" p={{ base: 'lg', sm: 'xl' }}>
      <Stack gap="lg">
        <Stack gap={4}>
          <Title order={1}>{props.title}</Title>
          {props.intro && (
            <Text c="dimmed" size="sm">
              {props.intro}
            </Text>
          )}
        </Stack>
        {props.children}
      </Stack>
    </Paper>
  )
}
