'use client'

import { Skeleton, Text } from '@mantine/core'
import { useMemo } from 'react'
import { BothTexts } from '../comparing/both-texts.tsx'
import { useComparison } from '../comparing/use-comparison.ts'
import styles from './diff.module.css'

/** The change between two scripts, with three lines around each change. */
export function ScriptDiff({ before, after, label }: { before: string; after: string; label: string }) {
  const task = useMemo(() => ({ kind: 'scripts' as const, before, after }), [before, after])
  const comparison = useComparison(task)
  if (comparison.kind === 'pending') return <Skeleton height={80} aria-label="Comparing the scripts" />
  const lines = comparison.kind === 'done' ? comparison.result : null
  if (lines === null)
    return <BothTexts reason="The scripts differ too much to compare. Both scripts:" before={before} after={after} />
  if (lines.length === 0) return <Text size="sm">No differences.</Text>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it
    <section className={styles.frame} tabIndex={0} aria-label={label}>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are replaced as a whole
        <code key={index} className={styles.line} data-kind={line[0]}>
          {line || ' '}
        </code>
      ))}
    </section>
  )
}
