import type { MigrationPlan, PlannedStatement } from '#db/migration-plan.ts'
import { sizeText } from './size-text.ts'

/** Tables from this size on are marked: reading or rewriting them takes long. */
const LARGE_BYTES = 100 * 1024 * 1024
const LINES_MAX = 12

/** Returns the output of `npm run migrate -- --dry-run`. */
export function describePlan({ migrations, queue }: MigrationPlan): string {
  if (migrations.length + queue.length === 0) return 'The database has the newest schema. Nothing would be applied.'
  const parts: string[] = []
  if (migrations.length > 0) {
    parts.push(
      `${migrations.length} ${migrations.length === 1 ? 'migration' : 'migrations'} would be applied in one transaction.`,
    )
  }
  for (const { name, statements } of migrations) parts.push([`${name}:`, ...statements.map(describe)].join('\n'))
  if (queue.length > 0) parts.push(`Of the job queue, after that: ${queue.join(', ')}`)
  parts.push('Nothing was changed.')
  return parts.join('\n\n')
}

function describe(statement: PlannedStatement): string {
  const lines = statement.text.split('\n')
  const shown =
    lines.length > LINES_MAX ? [...lines.slice(0, LINES_MAX), `… ${lines.length - LINES_MAX} more lines`] : lines
  const effect = effectText(statement)
  return [...shown.map((line) => `  ${line}`), ...(effect ? [`    -> ${effect}`] : [])].join('\n')
}

/** Returns what the statement does to an existing table; null if that takes no time. */
function effectText({ effect, table }: PlannedStatement): string | null {
  if (effect === 'unknown') return 'not known: read the statement'
  if (effect === null || table === null) return null
  return `${effect} ${table.name} (${sizeText(table.bytes)}${table.bytes >= LARGE_BYTES ? ', LARGE' : ''})`
}
