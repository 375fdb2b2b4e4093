import type { Terminal } from '../../cli.ts'
import type { RunReport } from '../report.ts'
import { itemLine, listReporter } from './list.ts'
import type { Reporter } from './reporter.ts'

const CLEAR_BELOW = '\u001b[0J'
const NO_WRAP = '\u001b[?7l'
const WRAP = '\u001b[?7h'
/** Lines of the terminal that the table leaves free. */
const FREE_ROWS = 3

/** The list, with the runs that are not done in a table below it, which is drawn again after each change. */
export function liveListReporter(terminal: Terminal, write: (text: string) => void): Reporter {
  let drawn = 0
  const erase = () => {
    if (drawn > 0) write(`\u001b[${drawn}A${CLEAR_BELOW}`)
    drawn = 0
  }
  const list = listReporter(terminal, write)
  return {
    changed: (report) => {
      erase()
      list.changed?.(report)
      const lines = tableLines(report, terminal)
      drawn = lines.length
      // The terminal cuts long lines: a wrapped one would count as two.
      if (drawn > 0) write(`${NO_WRAP}${lines.join('\n')}\n${WRAP}`)
    },
    finished: (report) => {
      erase()
      return list.finished(report)
    },
  }
}

function tableLines({ items }: RunReport, terminal: Terminal): string[] {
  const pending = items.filter(({ verdict }) => verdict === 'pending')
  const most = Math.max(1, terminal.rows - FREE_ROWS)
  const lines = pending.slice(0, most).map((item) => itemLine(item, terminal))
  if (pending.length > most) lines.push(terminal.style('dim', `  and ${pending.length - most} more`))
  return lines
}
