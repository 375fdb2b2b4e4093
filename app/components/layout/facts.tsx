import { SimpleGrid, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** What is known of the page's subject: `Fact`s side by side, on a wide screen four or six (`isOneRow`) in a row. */
export function Facts({ children, isOneRow = false }: { children: ReactNode; isOneRow?: boolean }) {
  const columns = isOneRow ? { base: 2, sm: 3, lg: 6 } : { base: 1, xs: 2, md: 4 }
  return (
    <SimpleGrid component="dl" m={0} cols={columns}>
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
