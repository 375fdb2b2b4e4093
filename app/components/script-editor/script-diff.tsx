'use client'

import { Text } from '@mantine/core'
import { structuredPatch } from 'diff'
import { useMemo } from 'react'
import styles from './diff.module.css'

const TIMEOUT_MS = 500

/** The change between two scripts, with three lines around each change. */
export function ScriptDiff({ before, after, label }: { before: string; after: string; label: string }) {
  const lines = useMemo(() => linesOf(before, after), [before, after])
  if (lines === null) return <Text size="sm">The texts differ too much to compare them.</Text>
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

function linesOf(before: string, after: string): string[] | null {
  const patch = structuredPatch('', '', before, after, undefined, undefined, { context: 3, timeout: TIMEOUT_MS })
  if (!patch) return null
  return patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines.filter((line) => !line.startsWith('\\')),
  ])
}
