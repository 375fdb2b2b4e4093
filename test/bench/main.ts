import { parseArgs } from 'node:util'
import { findWorse, readCommittedFigures, writeFigures } from './frame/recorded.ts'
import { isMet, Report } from './frame/report.ts'

// `npm run bench [-- NAME …] [--large] [--case CASE …] [--check]`: each benchmark compares the product with a peer, or with
// itself at another size, in one run, prints ratios with their goals, and writes them to `figures/NAME.json`. `--check`
// names what is worse than the committed figures by more than a fifth, and then ends with code 1.

// Logs would hide the figures.
process.env.LOG_LEVEL ??= 'error'

/** `cases` selects cases of a benchmark; each benchmark defines its own names. */
export type BenchOptions = { large: boolean; cases: string[] }
type Bench = { run: (options: BenchOptions, report: Report) => Promise<void> }

const { values, positionals } = parseArgs({
  options: {
    large: { type: 'boolean', default: false },
    case: { type: 'string', multiple: true, default: [] },
    check: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})

/** The other files of this folder are helpers. */
const NAMES = [
  'alerts',
  'api',
  'dispatch',
  'faults',
  'growth',
  'hanging',
  'lace',
  'live',
  'outages',
  'pages',
  'probe',
  'stalls',
  'start',
  'statistics',
  'store',
  'waits',
] as const

const unknown = positionals.filter((name) => !NAMES.includes(name as (typeof NAMES)[number]))
if (unknown.length > 0) {
  console.error(`Unknown benchmark ${unknown.join(', ')}; the benchmarks are ${NAMES.join(', ')}.`)
  process.exit(1)
}
const missed: string[] = []
const worse: string[] = []
for (const name of NAMES) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  const { run } = (await import(`./${name}.ts`)) as Bench
  const committed = readCommittedFigures(name)
  const report = new Report()
  console.log(`== ${name}`)
  await run({ large: values.large, cases: values.case }, report)
  if (report.figures.length > 0) writeFigures(name, report.figures)
  missed.push(...report.figures.filter((figure) => !isMet(figure)).map((figure) => `${name}: ${figure.name}`))
  if (committed) worse.push(...findWorse(committed, report.figures).map((line) => `${name}: ${line}`))
}
if (missed.length > 0) console.log(`Goals that are not met:\n${missed.map((line) => `  ${line}`).join('\n')}`)
if (values.check) {
  console.log(worse.length > 0 ? `Worse by more than a fifth:\n  ${worse.join('\n  ')}` : 'Nothing became worse.')
  if (worse.length > 0) process.exitCode = 1
}
