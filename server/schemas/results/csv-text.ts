/** Quotes a text of one line for CSV. A spreadsheet must not take it for a formula. */
export function csvText(text: string): string {
  const inert = /^[=+@\t\r-]/.test(text) ? `'${text}` : text
  return `"${inert.replaceAll('"', '""')}"`
}

/** Returns rows as CSV. Numbers stand without quotes; null is an empty field. */
export function csvOf(rows: readonly (readonly (string | number | null)[])[]): string {
  const field = (value: string | number | null) => (typeof value === 'string' ? csvText(value) : (value ?? ''))
  return rows.map((row) => `${row.map(field).join(',')}\r\n`).join('')
}
