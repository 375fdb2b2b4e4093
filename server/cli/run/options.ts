import { type Command, InvalidArgumentError } from 'commander'
import { CliError } from '../exit-codes.ts'
import { parseDuration } from '../output/duration.ts'
import { parseReporter, REPORTER_NAMES, type ReporterChoice } from './reporters/choose.ts'
import type { State } from './run-api.ts'

export type RunOptions = {
  project?: string
  workspace?: string
  label?: string
  state?: State
  var?: Record<string, string>
  note?: string
  wait?: boolean
  timeout: number
  reporter?: ReporterChoice[]
  allowSkipped?: boolean
}

const TIMEOUT_MS = 600_000

export function addRunOptions(command: Command): Command {
  return command
    .option('--project <name>', 'services of this project, by name or id')
    .option('--workspace <name>', 'services of this workspace, by name or id')
    .option('--label <label>', 'of a project or workspace, only services with this label')
    .addOption(
      command
        .createOption('--state <state>', 'of a project or workspace, only services whose last run is in this state')
        .choices(['failed', 'success', 'new']),
    )
    .option(
      '--var <scope.key=value>',
      'a value for these runs only, such as s.base=https://…; repeatable',
      parseVariable,
    )
    .option('--note <text>', 'a note that is shown with the runs, such as the deploy')
    .option('--wait', 'wait for the verdict')
    .option(
      '--timeout <duration>',
      'with --wait: give up after this time, such as 90s or 10m',
      parseDuration,
      TIMEOUT_MS,
    )
    .option(
      '--reporter <name[=file]>',
      `with --wait: ${REPORTER_NAMES.join(', ')}; json, junit and markdown also write to a file; repeatable`,
      parseReporter,
    )
    .option(
      '--allow-skipped',
      'with --wait: pass although a service is switched off or has no script, or some agents did not run it',
    )
}

/** Collects `--var s.base=https://…`; the value may contain equal signs. @throws InvalidArgumentError */
function parseVariable(pair: string, earlier: Record<string, string> = {}): Record<string, string> {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(pair) ?? []
  if (key === undefined || value === undefined || !/^\$?[owps]\./.test(key)) {
    throw new InvalidArgumentError('Write SCOPE.KEY=VALUE, such as s.base=https://preview.example.com.')
  }
  return { ...earlier, [key.replace(/^\$/, '')]: value }
}

/** @throws CliError for options that exclude each other */
export function checkRunOptions(services: string[], options: RunOptions): void {
  const { project, workspace, label, state, wait, reporter, allowSkipped } = options
  if (services.length === 0 && project === undefined && workspace === undefined) {
    throw new CliError('Name services, a --project or a --workspace')
  }
  if (services.length > 0 && (label !== undefined || state !== undefined)) {
    throw new CliError('--label and --state choose services of a --project or --workspace: name no services then')
  }
  if (!wait && (reporter !== undefined || allowSkipped))
    throw new CliError('--reporter and --allow-skipped need --wait')
}
