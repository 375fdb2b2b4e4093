import type { Cli, Registration } from '../../cli.ts'
import { connect } from '../../client/create-client.ts'
import { CliError, EXIT, type ExitCode } from '../../exit-codes.ts'
import { printJson, printLine } from '../../output/print.ts'
import { perform } from '../apply/perform.ts'
import type { Performing } from '../apply/performing.ts'
import { type Step, stepsOf } from '../apply/steps.ts'
import { readValues } from '../apply/values.ts'
import { ALLOW_ENV } from '../plan/allowed-names.ts'
import { changeText, printPlan } from '../plan/print.ts'
import { makePlan } from './make-plan.ts'

const EXAMPLES = `
Examples:
  soundline apply monitoring
  SOUNDLINE_VAR_PROJECT_TOKEN=… soundline apply --yes monitoring

Values:
  A new secret or variable needs a value: the environment variable that its fromEnv names, or
  SOUNDLINE_VAR_<SCOPE>_<NAME>_<KEY>, or SOUNDLINE_VAR_<SCOPE>_<KEY>, where the scope is ORGANIZATION (without a name),
  WORKSPACE, PROJECT or SERVICE. fromEnv may name any SOUNDLINE_VAR_…, and others that --allow-env names. An empty one counts as not set. On a terminal, apply asks for the others.

Exit codes:
  0 everything is as described · 1 stopped before the end, or the folder cannot be applied · 2 nothing was tried`

type Options = { prune?: boolean; values?: boolean; allowEnv?: string[]; yes?: boolean; json?: boolean }

export const registerApply: Registration = (program, cli, action) => {
  program
    .command('apply')
    .summary('apply a folder to the installation')
    .description('Creates and changes what a folder describes. After an interruption, run it again to continue.')
    .argument('<dir>', 'the folder')
    .option('--prune', 'also delete what the folder does not describe')
    .option('--values', 'also set the values of existing secrets and variables')
    .option(ALLOW_ENV.flags, ALLOW_ENV.description, ALLOW_ENV.collect)
    .option('--yes', 'skip the confirmation')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(
      action(async (dir: string, options: Options) => {
        const { client } = await connect(cli)
        const prune = options.prune ?? false
        const plan = await makePlan(client, dir, { setsValues: options.values ?? false, allowEnv: options.allowEnv })
        if (!options.json) printPlan(cli, plan, { prune })
        for (const problem of plan.problems) cli.note(problem)
        if (plan.problems.length > 0) return EXIT.failed
        const steps = stepsOf(plan, { prune })
        if (steps.length > 0 && !options.yes) await confirm(cli)
        const values = await readValues(
          cli,
          steps.map(({ change }) => change),
          plan.variables,
        )
        return performAll(cli, { client, ids: plan.ids, values }, steps, options.json ?? false)
      }),
    )
}

/** @throws CliError unless the user agrees */
async function confirm(cli: Cli): Promise<void> {
  if (cli.ask === null) throw new CliError('Nothing was changed: without a terminal, apply needs --yes')
  const answer = await cli.ask('Apply this plan? (yes/no) ')
  if (!/^y(es)?$/i.test(answer.trim())) throw new CliError('Nothing was changed')
}

async function performAll(cli: Cli, performing: Performing, steps: Step[], isJson: boolean): Promise<ExitCode> {
  for (const [index, step] of steps.entries()) {
    try {
      cli.signal.throwIfAborted()
      await perform(performing, step)
      if (!isJson) printLine(cli, `${cli.terminal.style('green', '✓')} ${stepText(step)}`)
    } catch (error) {
      if (!cli.signal.aborted && !(error instanceof CliError)) throw error
      const reason = cli.signal.aborted ? 'interrupted' : (error as CliError).message
      tellStop(cli, steps, index, reason, isJson)
      if (cli.signal.aborted) throw error
      return EXIT.failed
    }
  }
  if (isJson) printJson(cli, { done: steps.map(stepText), stoppedAt: null, notDone: [] })
  else if (steps.length > 0) printLine(cli, `Done: ${steps.length} ${steps.length === 1 ? 'step' : 'steps'}.`)
  return EXIT.ok
}

function tellStop(cli: Cli, steps: Step[], index: number, reason: string, isJson: boolean): void {
  const texts = steps.map(stepText)
  const [done, notDone] = [texts.slice(0, index), texts.slice(index)]
  if (isJson) printJson(cli, { done, stoppedAt: { step: notDone[0], reason }, notDone })
  cli.note(`Stopped at: ${notDone[0]}`)
  for (const line of reason.split('\n')) cli.note(`  ${line}`)
  cli.note(`Done: ${done.length}. Not done: ${notDone.length}:`)
  for (const text of notDone) cli.note(`  ${text}`)
  cli.note('Run the command again to continue. It makes a new plan first.')
}

const VERBS = { create: 'create', update: 'change', replace: 'replace', delete: 'delete' }

function stepText({ change, part }: Step): string {
  const what = changeText(change)
  if (part === 'on' || part === 'off') return `switch ${part} ${what}`
  return part === 'agents' ? `set the agents of ${what}` : `${VERBS[change.op]} ${what}`
}
