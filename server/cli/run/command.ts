import type { Cli, Registration } from '../cli.ts'
import { connect } from '../client/create-client.ts'
import { EXIT, type ExitCode } from '../exit-codes.ts'
import { showDuration } from '../output/duration.ts'
import { printLine } from '../output/print.ts'
import { replaceControlCharacters } from '../output/terminal-text.ts'
import { type Following, followBatch, followRuns } from './follow.ts'
import { addRunOptions, checkRunOptions, type RunOptions } from './options.ts'
import { exitCodeOf, type RunReport } from './report.ts'
import { createReporters } from './reporters/choose.ts'
import type { Reporter } from './reporters/reporter.ts'
import { createRunApi } from './run-api.ts'
import { type Started, startRuns } from './start-runs.ts'

const EXAMPLES = `
Examples:
  soundline run --project Shop --wait
  soundline run Checkout Search --project Shop --wait --timeout 5m
  soundline run --project Shop --label smoke --var p.base=https://preview-42.example.com --note "deploy 42" --wait
  soundline run --project Shop --wait --reporter github --reporter junit=report.xml

Exit codes with --wait:
  0    every run passed
  1    a run failed
  2    no verdict: no connection, a timeout, a cancelled run, a service that did not run, or an agent
       that did not run it
  130  interrupted; the runs continue`

/** On a terminal, progress is shown at least this often. */
const TERMINAL_WAIT_SECONDS = 5
/** The longest that the API waits: it costs one request of the key's budget. */
const WAIT_SECONDS = 30
/** How long a request for what a failed result says is tried again. The verdict does not need it. */
const DETAILS_RETRY_FOR_MS = 5_000

export const registerRun: Registration = (program, cli, action) => {
  addRunOptions(program.command('run'))
    .summary('run services, and wait for the verdict')
    .description('Runs services now, in addition to their schedule.')
    .argument('[service...]', 'names or ids; without any, all services of the --project or --workspace')
    .addHelpText('after', EXAMPLES)
    .action(
      action(async (services: string[], options: RunOptions) => {
        checkRunOptions(services, options)
        return options.wait ? runAndWait(cli, services, options) : runOnly(cli, services, options)
      }),
    )
}

/** Requests the runs and prints their pages. */
async function runOnly(cli: Cli, services: string[], options: RunOptions): Promise<ExitCode> {
  const { client } = await connect(cli)
  const { items, batch } = await startRuns(client, createRunApi(client, client), services, options)
  for (const { serviceName, url, reason } of items) {
    printLine(cli, `${replaceControlCharacters(serviceName)}: ${url ?? `not run: ${reason}`}`)
  }
  if (batch) printLine(cli, `All runs: ${batch.url}`)
  if (items.length === 0) cli.note('no service matched')
  return items.length > 0 && items.every(({ runId }) => runId !== null) ? EXIT.ok : EXIT.unknown
}

/** Runs services, waits for the verdict, reports it, and returns its exit code. */
export async function runAndWait(cli: Cli, services: string[], options: RunOptions): Promise<ExitCode> {
  const startedAt = new Date()
  const started = performance.now()
  const deadline = started + options.timeout
  const reporters = await createReporters(cli, options.reporter ?? [])
  const { url: installation, client } = await connect(cli, { deadline })
  const patient = await connect(cli, { retryForMs: Number.POSITIVE_INFINITY, deadline })
  const brief = await connect(cli, { retryForMs: DETAILS_RETRY_FOR_MS, deadline })
  const api = createRunApi(patient.client, brief.client)
  const runs = await startRuns(client, api, services, options)
  const report = (): RunReport => ({
    installation,
    url: runs.batch?.url ?? null,
    note: options.note ?? null,
    startedAt: startedAt.toISOString(),
    durationMs: Math.round(performance.now() - started),
    allowsSkipped: options.allowSkipped ?? false,
    items: runs.items,
  })
  await follow(cli, runs, reporters, report, {
    api,
    signal: cli.signal,
    timeoutMs: options.timeout,
    deadline,
    waitSeconds: cli.terminal.isTerminal ? TERMINAL_WAIT_SECONDS : WAIT_SECONDS,
  })
  for (const reporter of reporters) await reporter.finished(report())
  return exitCodeOf(report())
}

async function follow(
  cli: Cli,
  { items, batch }: Started,
  reporters: Reporter[],
  report: () => RunReport,
  options: Omit<Following, 'onChange'>,
): Promise<void> {
  const onChange = () => {
    for (const reporter of reporters) reporter.changed?.(report())
  }
  try {
    await (batch ? followBatch(items, batch, { ...options, onChange }) : followRuns(items, { ...options, onChange }))
  } catch (error) {
    if (!cli.signal.aborted) throw error
    const { durationMs } = report()
    for (const { url, verdict } of items) if (verdict === 'pending' && url) cli.note(`still running: ${url}`)
    cli.note(`after ${showDuration(durationMs)}:`)
    throw error
  }
}
