'use client'

import { Skeleton, Text } from '@mantine/core'
import { useMemo } from 'react'
import type { StepBody } from '#server/schemas/results/results.ts'
import { BothTexts } from '../../../../../../components/comparing/both-texts.tsx'
import type { DiffLine } from '../../../../../../components/comparing/line-diff.ts'
import { useComparison } from '../../../../../../components/comparing/use-comparison.ts'
import styles from './body-diff.module.css'

const MESSAGES = {
  same: 'Both bodies are the same.',
  binary: 'The bodies differ. At least one is not text, so their lines are not compared.',
}

const MARKS: Record<DiffLine['kind'], string> = { same: ' ', removed: '-', added: '+', gap: '…' }
/** Screen readers get the words, because marks are read badly or not at all. */
const WORDS: Partial<Record<DiffLine['kind'], string>> = { removed: 'Removed: ', added: 'Added: ' }

/** The differences between two bodies, line by line. */
export function BodyDiff({ before, after }: { before: StepBody; after: StepBody }) {
  const task = useMemo(() => ({ kind: 'bodies' as const, before, after }), [before, after])
  const comparison = useComparison(task)
  if (comparison.kind === 'pending') return <Skeleton height={80} aria-label="Comparing the bodies" />
  const texts = { before: before.content, after: after.content }
  if (comparison.kind === 'stopped')
    return <BothTexts reason="The comparison took too long and was stopped. Both bodies:" {...texts} />
  const diff = comparison.result
  if (diff.kind === 'too-different')
    return <BothTexts reason="The bodies differ too much to compare their lines. Both bodies:" {...texts} />
  if (diff.kind !== 'lines') return <Text size="sm">{MESSAGES[diff.kind]}</Text>
  return (
    <>
      {diff.lines.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it
        <section className={styles.frame} tabIndex={0} aria-label="Differences of the bodies">
          {diff.lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a difference never change
            <div key={index} className={styles.line} data-kind={line.kind}>
              <span aria-hidden="true">{MARKS[line.kind]} </span>
              {WORDS[line.kind] && <span className={styles.word}>{WORDS[line.kind]}</span>}
              {line.text}
            </div>
          ))}
        </section>
      )}
      {diff.leftOut.length > 0 && (
        <Text size="xs" c="dimmed">
          {diff.leftOut.join(' ')}
        </Text>
      )}
    </>
  )
}
