'use client'

import { Skeleton, Stack, Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import type { StepBody } from '#server/schemas/results/results.ts'
import { BothTexts } from '../comparing/both-texts.tsx'
import type { DiffLine, LineDiff } from '../comparing/line-diff.ts'
import { useComparison } from '../comparing/use-comparison.ts'
import { Segments } from '../inputs/segments.tsx'
import styles from './body-diff.module.css'
import { JsonChanges } from './json-changes.tsx'

const VIEWS = [
  { value: 'values', label: 'Changed values' },
  { value: 'text', label: 'Text' },
] as const

/** The difference of two bodies: of JSON the values that changed, of other text the lines. */
export function BodyDiff({ before, after }: { before: StepBody; after: StepBody }) {
  const task = useMemo(() => ({ kind: 'bodies' as const, before, after }), [before, after])
  const comparison = useComparison(task)
  const [view, setView] = useState<'values' | 'text'>('values')
  if (comparison.kind === 'pending') return <Skeleton height={80} aria-label="Comparing the bodies" />
  const texts = { before: before.content, after: after.content }
  if (comparison.kind === 'stopped')
    return <BothTexts reason="The comparison took too long and was stopped. Both bodies:" {...texts} />
  const diff = comparison.result
  if (diff.kind === 'same') return <Text size="sm">Both bodies are the same.</Text>
  if (diff.kind === 'binary')
    return <Text size="sm">The bodies differ. At least one is not text, so their lines are not compared.</Text>
  const text =
    diff.kind === 'lines' ? (
      <Lines {...diff} />
    ) : (
      <BothTexts reason="The bodies differ too much to compare their lines. Both bodies:" {...texts} />
    )
  if (diff.values === null) return text
  return (
    <Stack gap="xs">
      <Segments size="xs" label="Show the difference as" options={VIEWS} value={view} onChange={setView} />
      {view === 'text' ? text : <JsonChanges {...diff.values} />}
    </Stack>
  )
}

const MARKS: Record<DiffLine['kind'], string> = { same: ' ', removed: '-', added: '+', gap: '…' }
/** Screen readers get the words, because marks are read badly or not at all. */
const WORDS: Partial<Record<DiffLine['kind'], string>> = { removed: 'Removed: ', added: 'Added: ' }

function Lines({ lines, leftOut }: Extract<LineDiff, { kind: 'lines' }>) {
  return (
    <>
      {lines.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must be able to scroll it
        <section className={styles.frame} tabIndex={0} aria-label="Differences of the bodies">
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a difference never change
            <div key={index} className={styles.line} data-kind={line.kind}>
              <span aria-hidden="true">{MARKS[line.kind]} </span>
              {WORDS[line.kind] && <span className={styles.word}>{WORDS[line.kind]}</span>}
              {line.text}
            </div>
          ))}
        </section>
      )}
      {leftOut.length > 0 && (
        <Text size="xs" c="dimmed">
          {leftOut.join(' ')}
        </Text>
      )}
    </>
  )
}
