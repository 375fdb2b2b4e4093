import { spawnSync } from 'node:child_process'
import { printScript } from '#server/lace/print/print.ts'
import { validateScript } from '#server/lace/validator.ts'
import { ROOT } from '#server/process/program.ts'
import { alternate, measureHere, median, type Side } from './frame/alternate.ts'
import type { Report } from './frame/report.ts'

const MAX_SCRIPT_LENGTH = 65_536
const SMALL_LENGTH = 10_240
const ROUNDS = 9
const FIRST_ROUNDS = 3
const FIRST_ARGUMENTS = [
  '--expose-gc',
  '--import',
  './server/commands/preload.mjs',
  'test/bench/programs/first-validation.ts',
]

const CALL = `post("$s.base/users/\${$$id}/orders?page=$s.page", {
  headers: { Authorization: "Bearer $s.token", Accept: "application/json" },
  body: json({ name: "$s.name", tags: ["a", "b", { deep: [1, 2.5, null, true] }] }),
  timeout: { ms: 5000, action: "retry", retries: 2 }
})
.expect(status: [200, 201], bodySize: "128kb", headers: { "content-type": "application/json" })
.check(totalDelayMs: { value: 800, op: "lte" }, ttfb: 300, tls: 200)
.assert({ expect: [count(this.body.items) gt 0 and includes("ok", this.body.state)], check: [$s.before + 1 lte this.body.n] })
.store({ last: this.body.items })
`

const REGISTRY = { s: ['base', 'page', 'token', 'name', 'before'] }

const VARIABLE = '${' + '$s.base}'

/**
 * What costs most in at most 64 KB and 20,000 tokens: many calls, dense tokens, long and deep trees, names that are
 * compared with many others, and errors in every line.
 */
const WORST: Record<string, string> = {
  calls: CALL.repeat(Math.floor(MAX_SCRIPT_LENGTH / CALL.length)),
  numbers: expectation(Array(9_900).fill('1').join()),
  sums: expectation(Array(10).fill(Array(480).fill('$s.page').join('+')).join()),
  'unknown variables': expectation(Array.from({ length: 9_000 }, (_, index) => `$x${index}`).join()),
  'misspelt calls': 'gett("u").expect(status: 200)\n'.repeat(1_400),
  'short calls': 'get("u").expect(status: 200)\n'.repeat(1_400),
  'variables in a text': `get("${VARIABLE.repeat(6_500)}").expect(status: 200)`,
  'texts with variables': expectation(Array(4_000).fill(`"${VARIABLE}a"`).join()),
  'long paths': expectation(
    Array(14)
      .fill(`this${'.body'.repeat(690)}`)
      .join(),
  ),
  brackets: `get("u").assert({ expect: [${'('.repeat(MAX_SCRIPT_LENGTH - 40)}`,
  fields: `get("u", { body: json({ ${Array.from({ length: 4_900 }, (_, index) => `k${index}:1`).join()} }) }).expect(status: 200)`,
  headers: `get("u", { headers: { ${Array.from({ length: 3_900 }, (_, index) => `"h${index}":"$s.bas"`).join()} } }).expect(status: 200)`,
}

/**
 * Validates scripts. The peer is JSON.parse of the syntax tree's JSON text: the least that reading such a tree can
 * cost. The whole validation runs here, as it does in a web process.
 */
export async function run(_options: unknown, report: Report): Promise<void> {
  const source = CALL.repeat(Math.floor(SMALL_LENGTH / CALL.length))
  const { ast, errors } = validateScript(source, { scopes: ['s'], variables: REGISTRY })
  if (!ast || errors.length > 0) throw new Error('the script of the benchmark does not validate')
  const tree = JSON.stringify(ast)

  await alternate(report, {
    name: 'validation of 10 KB against JSON.parse of its tree',
    own: times(100, () => validate(source)),
    peer: times(1_000, () => JSON.parse(tree)),
    by: 'cpu',
    goal: { atMost: 20 },
    rounds: ROUNDS,
    note: `${source.length} characters, a tree of ${tree.length} characters`,
  })
  await alternate(report, {
    name: 'print of the same tree against JSON.parse',
    own: times(100, () => printScript(ast)),
    peer: times(1_000, () => JSON.parse(tree)),
    by: 'cpu',
    rounds: ROUNDS,
  })
  const registered = Array.from({ length: 400 }, (_, index) => `v${index}`)
  for (const [name, worst] of Object.entries(WORST)) {
    if (worst.length > MAX_SCRIPT_LENGTH) throw new Error(`${name} is too long: ${worst.length} characters`)
    report.add({
      name: `64 KB of ${name}`,
      value: await millisOf(() => validateScript(worst, { scopes: ['s'], variables: { s: registered } })),
      unit: 'ms CPU',
      // The goal for a script is 50 ms; a web process validates at once, and nothing may hold it up for more than 25 ms.
      goal: { atMost: 25 },
    })
    await reportFirst(report, name, worst)
  }
}

/** The same as the first validation of a new process, which is prepared as a web process is before it serves. */
async function reportFirst(report: Report, name: string, source: string): Promise<void> {
  const measures: number[] = []
  for (let round = 0; round < FIRST_ROUNDS; round++) {
    const program = spawnSync(process.execPath, FIRST_ARGUMENTS, { cwd: ROOT, input: source, encoding: 'utf8' })
    if (program.status !== 0) throw new Error(program.stderr)
    measures.push(Number(program.stdout))
  }
  report.add({
    name: `64 KB of ${name}, first validation of a process`,
    value: median(measures),
    unit: 'ms CPU',
    goal: { atMost: 25 },
  })
}

function expectation(values: string): string {
  return `get("u").assert({ expect: [${values}] })`
}

function validate(source: string): unknown {
  return validateScript(source, { scopes: ['s'], variables: REGISTRY })
}

function times(count: number, work: () => unknown): Side {
  return () =>
    measureHere(() => {
      for (let done = 0; done < count; done++) work()
      return count
    })
}

/** The median of the main thread's CPU time, of means of ten because the kernel counts it coarsely. */
async function millisOf(work: () => unknown): Promise<number> {
  const measures: number[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const { cpuSeconds, count } = await times(10, work)()
    if (round > 0) measures.push((cpuSeconds * 1_000) / count)
  }
  return median(measures)
}
