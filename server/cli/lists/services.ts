import type { Registration } from '../cli.ts'
import { connect } from '../client/create-client.ts'
import { projectsWithin, servicesOf } from '../client/places.ts'
import { printJson, printTable } from '../output/print.ts'
import { addWithinOptions } from './options.ts'

const EXAMPLES = `
Examples:
  soundline services
  soundline services --project Shop --state failed
  soundline services --json | jq -r '.[].id'`

type Options = { project?: string; workspace?: string; label?: string; state?: string; json?: boolean }

const STATES: Record<string, (lastStatus: string | null) => boolean> = {
  failed: (status) => status === 'failure' || status === 'timeout',
  success: (status) => status === 'success',
  new: (status) => status === null,
}

export const registerServices: Registration = (program, cli, action) => {
  addWithinOptions(program.command('services'))
    .summary('list services with their state')
    .description('Lists the services that the key can see, with the status of their last run.')
    .option('--label <label>', 'only services with this label')
    .addOption(program.createOption('--state <state>', 'only services in this state').choices(Object.keys(STATES)))
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(
      action(async (options: Options) => {
        const { client } = await connect(cli)
        const projects = await projectsWithin(client, options)
        const projectNames = new Map(projects.map(({ id, name }) => [id, name]))
        const services = (await servicesOf(client, projects))
          .filter(({ label }) => options.label === undefined || label === options.label)
          .filter(({ lastStatus }) => options.state === undefined || STATES[options.state]?.(lastStatus))
        if (options.json) printJson(cli, services)
        else {
          const rows = services.map(({ id, name, projectId, label, isActive, lastStatus, lastStatusSince }) => [
            id,
            projectNames.get(projectId) ?? projectId,
            name,
            label ?? '',
            isActive ? (lastStatus ?? 'new') : 'off',
            lastStatusSince ?? '',
          ])
          printTable(cli, ['ID', 'PROJECT', 'NAME', 'LABEL', 'STATE', 'SINCE'], rows)
        }
        return undefined
      }),
    )
}
