import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '#server/dashboard-build.ts'

// `npm test`: builds the dashboard, then checks types, style, the language's vectors and everything vitest finds. The
// last line is `N passed, N failed`, from the counts of those who did the checking.

type Counts = { passed: number; failed: number }

const REPORT = join(ROOT, '.test', 'vitest.json')
let running: ChildProcess | null = null

// What runs here has a process group of its own, so that nothing of it outlives an interrupted run.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    if (running?.pid) process.kill(-running.pid, signal)
    process.exitCode = 1
  })
}

const steps: [name: string, run: () => Promise<Counts>][] = [
  ['build', () => check(['server/build.ts'])],
  ['types', () => check([bin('tsc'), '--noEmit'])],
  ['style', () => check([bin('biome'), 'check', '.'])],
  ['conformance', () => conformance('test/lace/vectors')],
  ['tests', () => vitest()],
]

const total: Counts = { passed: 0, failed: 0 }
for (const [name, run] of steps) {
  if (process.exitCode) break
  const startedAt = Date.now()
  const { passed, failed } = await run()
  total.passed += passed
  total.failed += failed
  console.log(`${name}: ${passed} passed, ${failed} failed (${Math.round((Date.now() - startedAt) / 1_000)} s)`)
}
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exit(total.failed > 0 ? 1 : (process.exitCode ?? 0))

/** A program that tells by its exit code alone counts as one check. */
async function check(command: string[]): Promise<Counts> {
  const { code } = await run(command)
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }
}

async function conformance(vectors: string): Promise<Counts> {
  const { code, output } = await run(['test/lace/conformance.ts', vectors])
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/m.exec(output) ?? []
  return atLeastOneFailed({ passed: Number(passed ?? 0), failed: Number(failed ?? 0) }, code)
}

/** What vitest counted. A file that does not load, and a test that is skipped, count as failed. */
async function vitest(): Promise<Counts> {
  mkdirSync(join(ROOT, '.test'), { recursive: true })
  rmSync(REPORT, { force: true })
  const { code } = await run([
    bin('vitest'),
    ...['run', '--config', 'test/vitest.config.ts'],
    ...['--reporter=default', '--reporter=json', `--outputFile.json=${REPORT}`],
  ])
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

function run(command: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, command, {
      cwd: ROOT,
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    running = child
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      process.stdout.write(text)
    })
    child.once('error', reject)
    child.once('close', (code) => {
      running = null
      resolve({ code, output })
    })
  })
}
