'use client'

import NextLink from 'next/link'
import type { ComponentProps } from 'react'

/**
 * A link within the dashboard. Pages are small and their data comes after them, so fetching every page that a list or
 * the navigation leads to ahead of time would cost the server more than it saves the reader.
 */
export function Link(props: ComponentProps<typeof NextLink>) {
  return <NextLink prefetch={false} {...props} />
}
