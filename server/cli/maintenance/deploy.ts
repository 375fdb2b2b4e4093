import { setTimeout as sleep } from 'node:timers/promises'
import type { Cli, Registration } from '../cli.ts'
import { ApiFailure, ConnectionFailure, dataOf } from '../client/api-failure.ts'
import { type ApiClient, connect } from '../client/create-client.ts'
import { CliError, EXIT } from '../exit-codes.ts'
import { parseDuration } from '../output/duration.ts'
import { replaceControlCharacters } from '../output/terminal-text.ts'
import { runAndWait } from '../run/command.ts'
import { parseReporter, REPORTER_NAMES, type ReporterChoice } from '../run/reporters/choose.ts'
import { addScopeOptions, maintenanceLine, parseMinutes, type ScopeOptions, scopeOf } from './scope.ts'

const EXAMPLES = `
Examples:
  soundline deploy --project Shop --minutes 20 -- ./deploy.sh
  soundline deploy --service Checkout --note "deploy 42" -- kubectl rollout restart deployment/checkout

Nobody is woken while the command runs. It runs with the input and output of this one. The maintenance ends with the command,
also when it fails or is interrupted, and at the latest after --minutes.

Exit codes:
  that of the command, if it failed; 130 if interrupted; otherwise those of \`soundline run --wait\``

type DeployOptions = ScopeOptions & {
  minutes: number
  note?: string
  timeout: number
  reporter?: ReporterChoice[]
  allowSkipped?: boolean
}

const MINUTES = 30
const TIMEOUT_MS = 600_000
/** How often the end is sent, a second apart: a maintenance that stays on hides failures. */
const END_TRIES = 30
/** Longer timers fire at once. */
const TIMER_MAX_MS = 2_147_483_647

export const registerDeploy: Registration = (program, cli, action) => {
  addScopeOptions(program.command('deploy'))
    .summary('run a command under a maintenance, then run the services')
    .description(
      'Starts a maintenance, runs a command, ends the maintenance, then runs the services and waits for the verdict.',
    )
    .argument('<command...>', 'the command and its arguments, after --')
    .option('--minutes <count>', 'when the maintenance ends at the latest', parseMinutes, MINUTES)
    .option('--note <text>', 'a note that is shown with the maintenance and the runs, such as the deploy')
    .option('--timeout <duration>', 'give up waiting for the verdict after this time', parseDuration, TIMEOUT_MS)
    .option('--reporter <name[=file]>', `${REPORTER_NAMES.join(', ')}; repeatable`, parseReporter)
    .option(
      '--allow-skipped',
      'pass although a service is switched off or has no script, or some agents did not run it',
    )
    .passThroughOptions()
    .addHelpText('after', EXAMPLES)
    .action(action((command: string[], options: DeployOptions) => deploy(cli, command, options)))
}

async function deploy(cli: Cli, command: string[], options: DeployOptions): Promise<number> {
  const { service, minutes, note, label } = options
  const named = await connect(cli)
  const scope = await scopeOf(named.client, options)
  // An interruption does not stop these requests: what was started must be ended.
  const { client } = await connect({ ...cli, signal: new AbortController().signal })
  const body = { ...scope, mode: 'mute' as const, minutes, ...(note !== undefined && { note }) }
  const started = await dataOf(client.POST('/api/public/v1/maintenances', { body }))
  cli.note(`maintenance of ${replaceControlCharacters(maintenanceLine(started))}`)
  const ended = async () => {
    const problem = await end(cli, client, started.id)
    if (problem) cli.note(problem.message)
    return problem
  }
  const warning = warnAtEnd(cli, started.endsAt)
  let code: number
  try {
    code = cli.signal.aborted ? EXIT.interrupted : await cli.execute(command)
  } catch (error) {
    await ended()
    throw error
  } finally {
    clearTimeout(warning)
  }
  const problem = await ended()
  // The command's own failure is what the job is told first.
  if (code !== 0) {
    cli.note(`the command ended with ${code}`)
    return cli.signal.aborted ? EXIT.interrupted : code
  }
  if (problem) return EXIT.unknown
  cli.signal.throwIfAborted()
  const { workspaceId, projectId, serviceId } = started
  const { timeout, reporter, allowSkipped } = options
  return runAndWait(cli, serviceId === null ? [] : [serviceId], {
    ...(projectId !== null && { project: projectId }),
    ...(workspaceId !== null && { workspace: workspaceId }),
    ...(service === undefined && label !== undefined && { label }),
    ...(note !== undefined && { note }),
    ...(reporter && { reporter }),
    ...(allowSkipped !== undefined && { allowSkipped }),
    timeout,
  })
}

/** Says so when the maintenance ends while the command still runs: from then on, its failures wake people. */
function warnAtEnd(cli: Cli, endsAt: string): NodeJS.Timeout {
  const note = () =>
    cli.note('the maintenance has ended, and the command still runs: failures wake people now. Give more --minutes')
  return setTimeout(note, Math.min(Math.max(Date.parse(endsAt) - Date.now(), 0), TIMER_MAX_MS))
}

/** Returns why it could not be ended, and then ends by itself; null when it is ended, also by a colleague who deleted it. */
async function end(cli: Cli, client: ApiClient, id: string): Promise<CliError | null> {
  for (let tries = 1; ; tries++) {
    try {
      await dataOf(client.PATCH('/api/public/v1/maintenances/{id}', { params: { path: { id } }, body: { end: true } }))
      cli.note('maintenance ended')
      return null
    } catch (error) {
      if (!(error instanceof CliError)) throw error
      if (error instanceof ApiFailure && error.code === 'not_found') {
        cli.note('the maintenance was deleted meanwhile')
        return null
      }
      // Ending twice is ending once. The client does not repeat a PATCH that may have had an effect.
      if (!(error instanceof ConnectionFailure) || tries === END_TRIES) {
        return new CliError(`the maintenance ${id} could not be ended, and ends by itself: ${error.message}`)
      }
      await sleep(1_000)
    }
  }
}
