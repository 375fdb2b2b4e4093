'use client'

import { Text } from '@mantine/core'
import { useMemo } from 'react'
import type { StepBody } from '#server/schemas/results/results.ts'
import styles from './body-diff.module.css'
import { type DiffLine, diffBodies } from './line-diff.ts'

const MESSAGES = {
  same: 'Both bodies are the same.',
  'too-large': 'The bodies are too large to be compared here. Download both to compare them.',
  'too-different': 'The bodies differ too much to be compared line by line.',
  binary: 'The bodies differ. They are not both text, so their lines are not compared.',
}

const MARKS: Record<DiffLine['kind'], string> = { same: ' ', removed: '-', added: '+', gap: '…' }
/** Screen readers get the words, because marks are read badly or not at all. */
const WORDS: Partial<Record<DiffLine['kind'], string>> = { removed: 'Removed: ', added: 'Added: ' }

/** The differences between two bodies, line by line. */
export function BodyDiff({ before, after }: { before: StepBody; after: StepBody }) {
  const diff = useMemo(() => diffBodies(before, after), [before, after])
  if (diff.kind !== 'lines') return <Text size="sm">{MESSAGES[diff.kind]}</Text>
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it */}
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
      {diff.isCut && (
        <Text size="xs" c="dimmed">
          Only the first differences are shown.
        </Text>
      )}
    </>
  )
}
