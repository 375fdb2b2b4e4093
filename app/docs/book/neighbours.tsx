'use client'

import { Anchor, Group } from '@mantine/core'
import { Link } from '../../components/layout/link.tsx'
import type { BookContents } from './contents.tsx'

/** Links to the previous and the next page of a book. */
export function Neighbours({ contents, path }: { contents: BookContents; path: string }) {
  const index = contents.findIndex((page) => page.path === path)
  const [previous, next] = [contents[index - 1], contents[index + 1]]
  return (
    <Group component="nav" aria-label="Previous and next page" justify="space-between" gap="sm">
      {previous && (
        <Anchor component={Link} href={previous.path} rel="prev" py={6}>
          ← {previous.title}
        </Anchor>
      )}
      {next && (
        <Anchor component={Link} href={next.path} rel="next" py={6} ml="auto">
          {next.title} →
        </Anchor>
      )}
    </Group>
  )
}
