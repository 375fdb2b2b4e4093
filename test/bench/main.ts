import { parseArgs } from 'node:util'
import { describeFigure, isMet, Report } from './frame/report.ts'

// `npm run bench [-- NAME …] [--large]`: each benchmark measures the product with a peer or a floor in one run, and prints
// its figures with their bounds.

// Logs would hide the figures.
process.env.LOG_LEVEL ??= 'error'

export type BenchOptions = { large: boolean }
type Bench = { run: (report: Report, options: BenchOptions) => Promise<void> }

const NAMES = ['api', 'statistics', 'store', 'schedule', 'probe', 'pages', 'faults', 'start']

const { values, positionals } = parseArgs({
  options: { large: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const unknown = positionals.filter((name) => !NAMES.includes(name))
if (unknown.length > 0) {
  console.error(`Unknown benchmark ${unknown.join(', ')}; the benchmarks are ${NAMES.join(', ')}.`)
  process.exit(1)
}
for (const name of positionals.length > 0 ? positionals : NAMES) {
  const { run } = (await import(`./${name}.ts`)) as Bench
  const report = new Report()
  console.log(`== ${name}`)
  const startedAt = performance.now()
  await run(report, { large: values.large })
  const missed = report.figures.filter((figure) => !isMet(figure))
  console.log(`${name} took ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`)
  if (missed.length > 0) console.log(`Bounds that are not met:\n  ${missed.map(describeFigure).join('\n  ')}`)
}
