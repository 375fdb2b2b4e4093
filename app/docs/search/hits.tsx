'use client'

import { Anchor, Text } from '@mantine/core'
import { Link } from '../../components/layout/link.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { SEARCH_EXAMPLES } from './examples.ts'
import styles from './search.module.css'
import type { Hit } from './search.ts'

/** The places that a search found. */
export function Hits({ text, hits }: { text: string; hits: Hit[] }) {
  return (
    <PageFrame title="Search" intro={<span role="status">{summaryOf(text, hits.length)}</span>}>
      {hits.length === 0 && <Advice />}
      <ol className={styles.hits}>
        {hits.map(({ path, title, page, excerpt }) => (
          <li key={path}>
            <Anchor component={Link} href={path} fw={600}>
              {title}
            </Anchor>
            {page && (
              <Text span size="sm" c="dimmed">
                {' '}
                {page}
              </Text>
            )}
            <Text size="sm">{excerpt}</Text>
          </li>
        ))}
      </ol>
    </PageFrame>
  )
}

/** What to try after a search that found nothing. */
function Advice() {
  return (
    <div>
      <Text>
        Try fewer words, or the start of a word. The search reads all pages and operations: it finds error codes,
        settings and names of operations too. For example:
      </Text>
      <ul className={styles.examples}>
        {SEARCH_EXAMPLES.map((example) => (
          <li key={example}>
            <Anchor component={Link} href={`/docs/search?q=${encodeURIComponent(example)}`}>
              {example}
            </Anchor>
          </li>
        ))}
      </ul>
    </div>
  )
}

function summaryOf(text: string, count: number): string {
  if (text.trim() === '') return 'Enter one or more words.'
  if (count === 0) return `No page has all words of “${text}”.`
  return `${count === 1 ? '1 place' : `${count} places`} for “${text}”, best first.`
}
