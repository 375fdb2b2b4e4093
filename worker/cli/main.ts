import { createStyler, type Styler } from '#server/cli/output/terminal-text.ts'
import { formatErrors } from '#server/cli/scripts/format-errors.ts'
import { parseScript } from '#server/language/lace/parser.ts'
import type { ProbeResult } from '#server/language/lace/result.ts'
import { SettingsError } from '#server/process/environment.ts'
import { type Arguments, readArguments, USAGE } from './arguments.ts'
import { CommandError } from './command-error.ts'
import { readText } from './files.ts'
import { failureLine, formatResult } from './format-result.ts'
import { runCommand } from './run-command.ts'
import { validateCommand } from './validate-command.ts'

const EXIT_CODES: Record<ProbeResult['outcome'], number> = { success: 0, failure: 1, timeout: 2 }
const COMMAND_FAILED = 3

/** Executes a command line and returns the exit code. `terminal.output` is true when the output is a terminal. */
export async function main(args: string[], terminal: { output: boolean; colours: boolean }): Promise<number> {
  try {
    const given = readArguments(args)
    if (given === null) {
      console.log(USAGE)
      return 0
    }
    const readable = given.format === 'table' || (given.format === null && terminal.output)
    return await runCommandLine(given, readable ? createStyler(terminal.colours) : null)
  } catch (error) {
    if (error instanceof CommandError) console.error(`${error.message}\n(see --help)`)
    else if (error instanceof SettingsError) console.error(`Wrong setting: ${error.message}`)
    else console.error(error)
    return COMMAND_FAILED
  }
}

/** `style` is null for JSON output. */
async function runCommandLine(args: Arguments, style: Styler | null): Promise<number> {
  if (args.command === 'run') {
    const stop = new AbortController()
    const onSignal = () => stop.abort(new CommandError('The run was interrupted'))
    process.once('SIGINT', onSignal).once('SIGTERM', onSignal)
    const result = await runCommand(args, stop.signal)
    const reason = failureLine(result)
    // The output in JSON is the result alone.
    if (style === null && reason !== null) console.error(reason)
    print(style ? formatResult(result, style) : result)
    return EXIT_CODES[result.outcome]
  }
  const source = await readText(args.script)
  if (args.command === 'validate') {
    const { errors, warnings } = await validateCommand(args, source)
    print(style ? formatErrors(args.script, source, errors, warnings, style) : { errors, warnings })
    return errors.length > 0 ? 1 : 0
  }
  const { ast, errors } = parseScript(source)
  if (ast) print({ ast })
  else print(style ? formatErrors(args.script, source, errors, [], style) : { errors })
  return ast ? 0 : 1
}

function print(output: string | object): void {
  console.log(typeof output === 'string' ? output : JSON.stringify(output, null, 2))
}

if (import.meta.main) {
  const output = process.stdout.isTTY ?? false
  process.exitCode = await main(process.argv.slice(2), { output, colours: output && process.stdout.hasColors() })
}
