import type { Note } from './checks.ts'

/** The name of the report in an imported folder. */
export const REPORT_NAME = 'import-report.md'

/** Returns the notes about lost parts, as a table per check. */
export function reportText(format: string, services: number, notes: readonly Note[]): string {
  const title = `# Import from ${format}\n\n${services} ${services === 1 ? 'service' : 'services'}.`
  if (notes.length === 0) return `${title} Everything carried over.\n`
  const rows = notes.map(({ check, what, why, todo }) => `| ${[check, what, why, todo].map(cell).join(' | ')} |`)
  return `${title} What did not carry over:\n\n| Check | What | Why | What to do |\n|---|---|---|---|\n${rows.join('\n')}\n`
}

function cell(text: string): string {
  return text.replaceAll(/[\x00-\x1f\x7f-\x9f]/g, ' ').replaceAll('|', '\\|')
}
