import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '#server/process/program.ts'

// `npm test`: runs all tests of vitest; at the same time builds the dashboard and checks types, style and the language's
// vectors. Tests that need the dashboard wait for its build. The last line is `N passed, N failed`, the sum of all counts.
// `npm test -- PATH` passes its arguments to vitest, which runs the tests of this file or folder and nothing else.

/** One thread: several repeat the types that files share. Writing the state of an incremental check costs a third more. */
const TYPES = [
  join(ROOT, 'node_modules', 'typescript-native', 'bin', 'tsc'),
  ...['--noEmit', '--incremental', 'false', '--singleThreaded'],
]

type Counts = { passed: number; failed: number }
type Output = 'live' | 'at the end'

/** Written as the configuration says. */
const REPORT = join(ROOT, '.test', 'vitest.json')
const chosen = process.argv.slice(2)
const running = new Set<ChildProcess>()

// Each child has its own process group, so that an interrupted run ends all of its processes.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    stopAll(signal)
    process.exitCode = 1
  })
}

const summaries: string[] = []
const total: Counts = { passed: 0, failed: 0 }

await Promise.all([step('tests', vitest), ...(chosen.length > 0 ? [] : [checks()])])
for (const summary of summaries) console.log(summary)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed > 0 ? 1 : (process.exitCode ?? 0))

/** Runs one check after the other, because the tests run at the same time. */
async function checks(): Promise<void> {
  const build = await step('build', () => check(['server/commands/build.ts']))
  // Otherwise each test of the dashboard would repeat the failing build.
  if (build.failed > 0) stopAll('SIGINT')
  // The native compiler takes a tenth of the time. `typescript` is the release before it, whose API tests and tools use.
  await step('generated types', () => check(['server/commands/write-client.ts', '--cli']))
  await step('types', () => check(TYPES))
  await step('style', () => check([bin('biome'), 'check', '.']))
  await step('conformance', () => conformance('test/lace/vectors'))
}

async function step(name: string, work: () => Promise<Counts>): Promise<Counts> {
  if (process.exitCode) return { passed: 0, failed: 0 }
  const startedAt = Date.now()
  const { passed, failed } = await work()
  total.passed += passed
  total.failed += failed
  summaries.push(`${name}: ${passed} passed, ${failed} failed (${Math.round((Date.now() - startedAt) / 1_000)} s)`)
  return { passed, failed }
}

/** Runs a program that reports by its exit code only, and counts it as one check. */
async function check(command: string[]): Promise<Counts> {
  const { code } = await run(command, 'at the end')
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

async function conformance(vectors: string): Promise<Counts> {
  const { code, output } = await run(['test/lace/conformance.ts', vectors], 'at the end')
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/m.exec(output) ?? []
  return atLeastOneFailed({ passed: Number(passed ?? 0), failed: Number(failed ?? 0) }, code)
}

/** Returns vitest's counts. A file that does not load counts as failed, and so does a skipped test. */
async function vitest(): Promise<Counts> {
  mkdirSync(join(ROOT, '.test'), { recursive: true })
  rmSync(REPORT, { force: true })
  const { code } = await run([bin('vitest'), 'run', '--config', 'test/vitest.config.ts', ...chosen], 'live')
  try {
    const report = JSON.parse(readFileSync(REPORT, 'utf8'))
    const unloaded = report.testResults.filter(
      (file: { status: string; assertionResults: unknown[] }) =>
        file.status === 'failed' && file.assertionResults.length === 0,
    )
    const skipped = report.numPendingTests + report.numTodoTests
    if (skipped > 0) console.log(`${skipped} tests were skipped`)
    const failed = report.numFailedTests + unloaded.length + skipped
    return atLeastOneFailed({ passed: report.numPassedTests, failed }, code)
  } catch (error) {
    console.error(`vitest wrote no report: ${(error as Error).message}`)
    return { passed: 0, failed: 1 }
  }
}

/** Counts a failing exit code as one failure, even if no test failed. */
function atLeastOneFailed({ passed, failed }: Counts, code: number | null): Counts {
  return { passed, failed: code === 0 ? failed : Math.max(1, failed) }
}

function bin(name: string): string {
  return join(ROOT, 'node_modules', '.bin', name)
}

function stopAll(signal: NodeJS.Signals): void {
  for (const { pid } of running) if (pid) process.kill(-pid, signal)
}

/** `output`: `live` prints lines as they arrive; `at the end` prints them together, not mixed with another program's. */
function run(command: string[], output: Output): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, command, {
      cwd: ROOT,
      detached: true,
      stdio: ['ignore', 'pipe', output === 'live' ? 'inherit' : 'pipe'],
    })
    running.add(child)
    let text = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (piece: string) => {
        text += piece
        if (output === 'live') process.stdout.write(piece)
      })
    }
    child.once('error', reject)
    child.once('close', (code) => {
      running.delete(child)
      if (output === 'at the end') process.stdout.write(text)
      resolve({ code, output: text })
    })
  })
}
