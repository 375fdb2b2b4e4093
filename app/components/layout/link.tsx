'use client'

import NextLink from 'next/link'
import type { ComponentProps } from 'react'

/**
 * A link within the dashboard, without prefetching: a page comes with its data in one request, so prefetching every
 * linked page would cost the server more than it saves the reader.
 */
export function Link(props: ComponentProps<typeof NextLink>) {
  return <NextLink prefetch={false} {...props} />
}
