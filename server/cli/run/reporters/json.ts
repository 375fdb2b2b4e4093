import { exitCodeOf } from '../report.ts'
import type { Reporter, Sink } from './reporter.ts'

/** The whole report as JSON, with the exit code. */
export function jsonReporter(write: Sink): Reporter {
  return { finished: (report) => write(`${JSON.stringify({ exitCode: exitCodeOf(report), ...report }, null, 2)}\n`) }
}
