import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'

/** The text of a heading as a link to the heading, so that its address can be copied. */
export function HeadingLink({ anchor, children }: { anchor: string; children: ReactNode }) {
  return (
    <Anchor href={`#${anchor}`} c="inherit" underline="hover" inherit>
      {children}
    </Anchor>
  )
}
