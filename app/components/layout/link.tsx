'use client'

import NextLink from 'next/link'
import type { ComponentProps } from 'react'

/**
 * A link within the dashboard, without prefetching: pages are small and load their data later, so prefetching every
 * linked page costs the server more than it saves the reader.
 */
export function Link(props: ComponentProps<typeof NextLink>) {
  return <NextLink prefetch={false} {...props} />
}
