import type { RunReport } from '../report.ts'

/** Shows runs. `finished` is called once, with every item ended. */
export type Reporter = {
  changed?: (report: RunReport) => void
  finished: (report: RunReport) => Promise<void> | void
}

/** Writes what a reporter prints: to standard output, or to its file. */
export type Sink = (text: string) => Promise<void> | void
