import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

/** Adds colours and weight to text, if the output supports them. */
export type Styler = (style: Style, text: string) => string

export function createStyler(colours: boolean): Styler {
  return (style, text) => (colours ? styleText(style, text, { validateStream: false }) : text)
}

export function alignColumns(rows: string[][], gap = '  '): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join(gap)
      .trimEnd(),
  )
}

/** Replaces control characters. Otherwise a target or a script could control the terminal. */
export function replaceControlCharacters(text: string): string {
  return text.replace(/[\x00-\x1f\x7f-\x9f]/g, '\uFFFD')
}
