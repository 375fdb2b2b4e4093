import type { Registration } from '../../cli.ts'
import { connect } from '../../client/create-client.ts'
import { EXIT } from '../../exit-codes.ts'
import { printJson } from '../../output/print.ts'
import { ALLOW_ENV } from '../plan/allowed-names.ts'
import { changeJson, printPlan } from '../plan/print.ts'
import { makePlan } from './make-plan.ts'

const EXAMPLES = `
Examples:
  soundline plan monitoring
  soundline plan --detailed-exitcode monitoring || echo "not as described"

Exit codes:
  0 the plan was made · 1 the folder cannot be applied · 2 there are changes (with --detailed-exitcode), or no plan`

/** Of `--detailed-exitcode`. */
const HAS_CHANGES = 2

type Options = { prune?: boolean; values?: boolean; allowEnv?: string[]; json?: boolean; detailedExitcode?: boolean }

export const registerPlan: Registration = (program, cli, action) => {
  program
    .command('plan')
    .summary('show what apply would change')
    .description('Compares a folder with the installation, and shows what apply would create, change and delete.')
    .argument('<dir>', 'the folder')
    .option('--prune', 'also delete what the folder does not describe')
    .option('--values', 'also set the values of existing secrets and variables')
    .option(ALLOW_ENV.flags, ALLOW_ENV.description, ALLOW_ENV.collect)
    .option('--detailed-exitcode', 'exit with 2 when there is something to change')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(
      action(async (dir: string, options: Options) => {
        const { client } = await connect(cli)
        const prune = options.prune ?? false
        const plan = await makePlan(client, dir, { setsValues: options.values ?? false, allowEnv: options.allowEnv })
        const { changes, undescribed, problems } = plan
        if (options.json) {
          const json = { changes: changes.map(changeJson), undescribed: undescribed.map(changeJson), problems }
          printJson(cli, { ...json, prune, hiddenValues: plan.hiddenValues })
        } else printPlan(cli, plan, { prune })
        for (const problem of problems) cli.note(problem)
        if (problems.length > 0) return EXIT.failed
        const isEmpty = changes.length === 0 && (!prune || undescribed.length === 0)
        return options.detailedExitcode && !isEmpty ? HAS_CHANGES : EXIT.ok
      }),
    )
}
