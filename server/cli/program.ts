import { Command, CommanderError } from 'commander'
import { registerLogin } from './account/login.ts'
import { registerLogout } from './account/logout.ts'
import type { Action, Cli, Registration } from './cli.ts'
import { registerApply } from './code/commands/apply.ts'
import { registerExport } from './code/commands/export.ts'
import { registerImport } from './code/commands/import.ts'
import { registerPlan } from './code/commands/plan.ts'
import { CliError, EXIT } from './exit-codes.ts'
import { registerIncidents } from './lists/incidents.ts'
import { registerLogs } from './lists/logs.ts'
import { registerResults } from './lists/results.ts'
import { registerServices } from './lists/services.ts'
import { registerSilence } from './lists/silence.ts'
import { registerMaintenance } from './maintenance/command.ts'
import { registerDeploy } from './maintenance/deploy.ts'
import { replaceControlCharacters } from './output/terminal-text.ts'
import { registerRun } from './run/command.ts'
import { registerProbe } from './scripts/probe.ts'
import { registerValidate } from './scripts/validate.ts'

/** In the order of the help text. */
const REGISTRATIONS: Registration[] = [
  registerLogin,
  registerLogout,
  registerRun,
  registerDeploy,
  registerValidate,
  registerProbe,
  registerServices,
  registerResults,
  registerLogs,
  registerIncidents,
  registerMaintenance,
  registerSilence,
  registerExport,
  registerPlan,
  registerApply,
  registerImport,
]

const CONNECTION = `
Connection:
  \`soundline login\` stores the address of an installation and an API key. SOUNDLINE_URL and SOUNDLINE_KEY override both.

Exit codes:
  0 done, everything passed · 1 failed · 2 no verdict · 130 interrupted
  \`probe\` and \`plan --detailed-exitcode\` have others: see their --help.`

/** Executes a command line and returns the exit code. */
export async function runCommandLine(args: string[], cli: Cli): Promise<number> {
  let exitCode: number = EXIT.ok
  const action: Action =
    (run) =>
    async (...given) => {
      exitCode = (await run(...given)) ?? EXIT.ok
    }
  const program = createProgram(cli, action)
  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    return exitCodeOf(error, cli)
  }
}

function createProgram(cli: Cli, action: Action): Command {
  const program = new Command('soundline')
    .description('Runs the probes of a Soundline installation, and shows their results.')
    .version(cli.version)
    .helpCommand(false)
    // `probe` passes its options on.
    .enablePositionalOptions()
    .showHelpAfterError('(--help shows the options)')
    .addHelpText('after', CONNECTION)
    .exitOverride()
    .configureOutput({
      writeOut: cli.write,
      writeErr: (text) => cli.note(text.trimEnd()),
      getOutHelpWidth: () => cli.terminal.columns,
      getErrHelpWidth: () => cli.terminal.columns,
    })
  for (const register of REGISTRATIONS) register(program, cli, action)
  return program
}

function exitCodeOf(error: unknown, cli: Cli): number {
  // Commander has printed its message. Its exit code for wrong usage is that of a failed run.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.unknown
  if (cli.signal.aborted) {
    cli.note('interrupted')
    return EXIT.interrupted
  }
  const text =
    error instanceof CliError ? error.message : error instanceof Error ? (error.stack ?? error.message) : error
  cli.note(`soundline: ${String(text).split('\n').map(replaceControlCharacters).join('\n')}`)
  return error instanceof CliError ? error.exitCode : EXIT.unknown
}
