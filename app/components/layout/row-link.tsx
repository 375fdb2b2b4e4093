'use client'

import { Anchor } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from './link.tsx'

/** The name of a row, as a link to its page. */
export function RowLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Anchor component={Link} href={href} inherit fw={600}>
      {children}
    </Anchor>
  )
}
