import { expect, test } from 'vitest'
import { sources } from '#test/support/code/sources.ts'

// Some results count nowhere: whoever reads results of a service leaves them out.

/** Files that read results by their ids, or those of such runs too. */
const READ_BY_ID = [
  'server/fronts/exposition/project-families.ts',
  'server/operations/results.ts',
  'server/runs/probes/load.ts',
  'server/runs/record/failing-run.ts',
  'server/runs/record/rechecks/skipped-agents.ts',
  'server/runs/record/rechecks/unchecked.ts',
  'server/runs/record/result-statements.ts',
  'server/runs/runs/list-runs.ts',
  'server/runs/runs/read-runs.ts',
]

const READS = /\.from\(results\)|Join\(\s*results\b|\bfrom results\b|\$count\(results\b/
const LEAVES_OUT = /ofServiceResults\(|executedIn\(|is_uncounted is not true/

test('a query of the results of a service leaves out those that do not count', () => {
  const reading = sources(['server', 'worker']).filter(({ text }) => READS.test(text))
  const counting = reading.filter(({ text }) => LEAVES_OUT.test(text)).map(({ file }) => file)
  expect(counting.length).toBeGreaterThanOrEqual(8)
  const others = reading.filter(({ text }) => !LEAVES_OUT.test(text)).map(({ file }) => file)
  expect(others.sort()).toEqual(READ_BY_ID)
})
