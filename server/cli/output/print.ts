import type { Cli } from '../cli.ts'
import { alignColumns, replaceControlCharacters } from './terminal-text.ts'

export function printLine(cli: Pick<Cli, 'write'>, line: string): void {
  cli.write(`${line}\n`)
}

/** Prints what `--json` prints. */
export function printJson(cli: Pick<Cli, 'write'>, value: unknown): void {
  printLine(cli, JSON.stringify(value, null, 2))
}

/** Prints rows under a header, in columns. Cells may come from anywhere: their control characters are replaced. */
export function printTable(cli: Pick<Cli, 'write' | 'terminal'>, header: string[], rows: string[][]): void {
  const [first = '', ...rest] = alignColumns([header, ...rows.map((row) => row.map(replaceControlCharacters))])
  printLine(cli, cli.terminal.style('dim', first))
  for (const line of rest) printLine(cli, line)
}
