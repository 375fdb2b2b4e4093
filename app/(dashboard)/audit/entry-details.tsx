'use client'

import { fieldChanges, otherDetails } from '#server/schemas/audit/details.ts'
import { fieldWords } from '#server/schemas/audit/words.ts'
import styles from './audit.module.css'
import { UnifiedDiff } from './unified-diff.tsx'

/** What an entry changed: each field before and after, the lines of a script, and the rest. Folded, because it can be long. */
export function EntryDetails({ details }: { details: Record<string, unknown> }) {
  const changes = fieldChanges(details)
  const others = otherDetails(details)
  const diff = typeof details.diff === 'string' ? details.diff : null
  if (changes.length === 0 && others.length === 0 && diff === null) return null
  return (
    <details className={styles.details}>
      <summary>{diff === null && changes.length === 0 ? 'Details' : 'What changed'}</summary>
      <dl>
        {changes.map(({ field, from, to }) => (
          <div key={field}>
            <dt>{fieldWords(field)}</dt>
            <dd>
              <del>{from || 'nothing'}</del> → <ins>{to || 'nothing'}</ins>
            </dd>
          </div>
        ))}
        {others.map(({ field, value }) => (
          <div key={field}>
            <dt>{fieldWords(field)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {diff !== null && <UnifiedDiff diff={diff} />}
    </details>
  )
}
