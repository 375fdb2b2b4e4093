import { parseArgs } from 'node:util'

// `npm run bench [-- NAME …] [--large] [--case CASE …]`: each benchmark compares the product with a peer, or with
// itself at another size, in one run, and prints ratios.

// Logs would hide the figures.
process.env.LOG_LEVEL ??= 'error'

/** `cases` selects cases of a benchmark; each benchmark defines its own names. */
export type BenchOptions = { large: boolean; cases: string[] }
type Bench = { run: (options: BenchOptions) => Promise<void> }

const { values, positionals } = parseArgs({
  options: { large: { type: 'boolean', default: false }, case: { type: 'string', multiple: true, default: [] } },
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
  'statistics',
  'store',
  'waits',
] as const

const unknown = positionals.filter((name) => !NAMES.includes(name as (typeof NAMES)[number]))
if (unknown.length > 0) {
  console.error(`Unknown benchmark ${unknown.join(', ')}; the benchmarks are ${NAMES.join(', ')}.`)
  process.exit(1)
}
for (const name of NAMES) {
  if (positionals.length > 0 && !positionals.includes(name)) continue
  const { run } = (await import(`./${name}.ts`)) as Bench
  console.log(`== ${name}`)
  await run({ large: values.large, cases: values.case })
}
