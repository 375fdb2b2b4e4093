import { SERVICE_STATES } from '../../schemas/status/states.ts'
import type { Registration } from '../cli.ts'
import { connect } from '../client/create-client.ts'
import { projectsWithin, servicesOf } from '../client/find-resources.ts'
import { printJson, printTable } from '../output/print.ts'
import { addWithinOptions } from './options.ts'

const EXAMPLES = `
Examples:
  soundline services
  soundline services --project Shop --state failing
  soundline services --json | jq -r '.[].id'`

type Options = { project?: string; workspace?: string; label?: string; state?: string; json?: boolean }

/** Former names of states. */
const ALIASES: Record<string, string[]> = { failed: ['failing'], success: ['passing', 'degraded'], new: ['pending'] }

export const registerServices: Registration = (program, cli, action) => {
  addWithinOptions(program.command('services'))
    .summary('list services with their state')
    .description('Lists the services that the key can see, with their state and when it began.')
    .option('--label <label>', 'only services with this label')
    .addOption(
      program
        .createOption('--state <state>', 'only services in this state')
        .choices([...SERVICE_STATES, ...Object.keys(ALIASES)]),
    )
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(
      action(async (options: Options) => {
        const { client } = await connect(cli)
        const projects = await projectsWithin(client, options)
        const projectNames = new Map(projects.map(({ id, name }) => [id, name]))
        const wanted = options.state && (ALIASES[options.state] ?? [options.state])
        const services = (await servicesOf(client, projects))
          .filter(({ labels }) => options.label === undefined || labels.includes(options.label))
          .filter(({ state }) => !wanted || wanted.includes(state))
        if (options.json) printJson(cli, services)
        else {
          const rows = services.map(({ id, name, projectId, labels, state, stateSince, schedule, timezone }) => [
            id,
            projectNames.get(projectId) ?? projectId,
            name,
            labels.join(', '),
            state,
            stateSince ?? '',
            `${schedule} ${timezone ?? 'UTC'}`,
          ])
          printTable(cli, ['ID', 'PROJECT', 'NAME', 'LABELS', 'STATE', 'SINCE', 'SCHEDULE'], rows)
        }
        return undefined
      }),
    )
}
