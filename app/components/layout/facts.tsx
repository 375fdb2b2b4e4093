import { SimpleGrid, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** What is known of the page's subject: `Fact`s side by side. */
export function Facts({ children }: { children: ReactNode }) {
  return (
    <SimpleGrid component="dl" m={0} cols={{ base: 1, xs: 2, md: 4 }}>
      {children}
    </SimpleGrid>
  )
}

export function Fact({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="xs" c="dimmed">
        {title}
      </Text>
      <Text component="dd" m={0} fw={600} style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </div>
  )
}
