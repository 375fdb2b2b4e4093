import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '#server/process/dashboard-build.ts'

// `npm test`: builds the dashboard, checks types, style and the language's vectors, and beside that runs everything
// vitest finds; what needs the dashboard waits for its build. The last line is `N passed, N failed`, from the counts of
// those who did the checking.

type Counts = { passed: number; failed: number }
type Output = 'live' | 'at the end'

const REPORT = join(ROOT, '.test', 'vitest.json')
const running = new Set<ChildProcess>()

// What runs here has a process group of its own, so that nothing of it outlives an interrupted run.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    stopAll(signal)
    process.exitCode = 1
  })
}

const summaries: string[] = []
const total: Counts = { passed: 0, failed: 0 }

await Promise.all([step('tests', vitest), checks()])
for (const summary of summaries) console.log(summary)
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed > 0 ? 1 : (process.exitCode ?? 0))

/** One after another: there are tests beside them. */
async function checks(): Promise<void> {
  const build = await step('build', () => check(['server/commands/build.ts']))
  // Each test of the dashboard would build it again in vain.
  if (build.failed > 0) stopAll('SIGINT')
  await step('types', () => check([bin('tsc'), '--noEmit']))
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

/** A program that tells by its exit code alone counts as one check. */
async function check(command: string[]): Promise<Counts> {
  const { code } = await run(command, 'at the end')
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

async function conformance(vectors: string): Promise<Counts> {
  const { code, output } = await run(['test/lace/conformance.ts', vectors], 'at the end')
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/m.exec(output) ?? []
  return atLeastOneFailed({ passed: Number(passed ?? 0), failed: Number(failed ?? 0) }, code)
}

/** What vitest counted. A file that does not load, and a test that is skipped, count as failed. */
async function vitest(): Promise<Counts> {
  mkdirSync(join(ROOT, '.test'), { recursive: true })
  rmSync(REPORT, { force: true })
  const { code } = await run(
    [
      bin('vitest'),
      ...['run', '--config', 'test/vitest.config.ts'],
      ...['--reporter=default', '--reporter=json', `--outputFile.json=${REPORT}`],
    ],
    'live',
  )
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
    console.error(`vitest left no report: ${(error as Error).message}`)
    return { passed: 0, failed: 1 }
  }
}

/** An exit code that says so is a failure, even where nothing was counted as one. */
function atLeastOneFailed({ passed, failed }: Counts, code: number | null): Counts {
  return { passed, failed: code === 0 ? failed : Math.max(1, failed) }
}

function bin(name: string): string {
  return join(ROOT, 'node_modules', '.bin', name)
}

function stopAll(signal: NodeJS.Signals): void {
  for (const { pid } of running) if (pid) process.kill(-pid, signal)
}

/** `output`: printed as it comes, or in one piece, so that it does not get between the lines of another program. */
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
