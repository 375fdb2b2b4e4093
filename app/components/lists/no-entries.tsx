import { Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** The sentence in place of a list that has no entries. `Empty` is for lists to which the page can add. */
export function NoEntries({ children }: { children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  )
}
