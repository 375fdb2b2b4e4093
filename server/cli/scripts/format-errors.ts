import type { LaceError } from '../../language/lace/errors.ts'
import type { Styler } from '../output/terminal-text.ts'

/** Formats errors and warnings as compilers do, each with its line of the script. */
export function formatErrors(
  script: string,
  source: string,
  errors: LaceError[],
  warnings: LaceError[],
  style: Styler,
): string {
  const lines = source.split('\n')
  const problems = [
    ...errors.map((error) => ({ ...error, sign: style(['bold', 'red'], 'error') })),
    ...warnings.map((warning) => ({ ...warning, sign: style(['bold', 'yellow'], 'warning') })),
  ]
  const blocks = problems.map(({ sign, code, detail, line, column }) => {
    const head = `${script}${line === null ? '' : `:${line}:${column}`}: ${sign}: ${detail} ${style('dim', `(${code})`)}`
    const text = line === null ? undefined : lines[line - 1]
    if (text === undefined || text.length > 200) return head
    return `${head}\n  ${text}\n  ${text.slice(0, column! - 1).replace(/[^\t]/g, ' ')}${style('green', '^')}`
  })
  const summary = `${count(errors.length, 'error')}, ${count(warnings.length, 'warning')}`
  return [...blocks, summary].join('\n')
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`
}
