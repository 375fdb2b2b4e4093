import type { Command } from 'commander'
import type { Action, Cli, Registration } from '../cli.ts'
import { dataOf } from '../client/api-failure.ts'
import { connect, type Schemas } from '../client/create-client.ts'
import { findScope } from '../client/find-resources.ts'
import { PAGE_SIZE, readAllPages } from '../client/pages.ts'
import { CliError } from '../exit-codes.ts'
import { parseDuration } from '../output/duration.ts'
import { printJson, printLine, printTable } from '../output/print.ts'

const EXAMPLES = `
Examples:
  soundline silence create --project Shop --for 2h
  soundline silence create --service Checkout --until 2026-12-01T08:00:00Z --channel email
  soundline silence list
  soundline silence remove 019aa0f4-8c3d-7e4f-9a5b-6c7d8e9f0a1b

A silence affects only the user of the API key.`

type CreateOptions = {
  service?: string
  project?: string
  workspace?: string
  for?: number
  until?: string
  channel: 'all' | 'email'
  json?: boolean
}

export const registerSilence: Registration = (program, cli, action) => {
  const group = program
    .command('silence')
    .summary('create, list and remove silences')
    .description('Manages silences, which stop notifications to the user of the API key.')
    .helpCommand(false)
    .addHelpText('after', EXAMPLES)
  registerCreate(group, cli, action)
  group
    .command('list')
    .description('Lists the silences of the user.')
    .option('--json', 'print JSON')
    .action(
      action(async (options: { json?: boolean }) => {
        const { client } = await connect(cli)
        const silences = await readAllPages((page) =>
          dataOf(client.GET('/api/public/v1/silences', { params: { query: { page, pageSize: PAGE_SIZE } } })),
        )
        if (options.json) printJson(cli, silences)
        else {
          const rows = silences.map((one) => [one.id, one.resourceName ?? 'everything', one.channel, endOf(one)])
          printTable(cli, ['ID', 'OF', 'CHANNEL', 'UNTIL'], rows)
        }
        return undefined
      }),
    )
  group
    .command('remove')
    .description('Removes a silence.')
    .argument('<silence>', 'its id')
    .action(
      action(async (id: string) => {
        const { client } = await connect(cli)
        await dataOf(client.DELETE('/api/public/v1/silences/{id}', { params: { path: { id } } }))
        printLine(cli, 'Silence removed.')
        return undefined
      }),
    )
}

function registerCreate(group: Command, cli: Cli, action: Action): void {
  group
    .command('create')
    .description('Silences a service, a project, a workspace or everything.')
    .option('--service <name>', 'by name or id; with --project, in that project')
    .option('--project <name>', 'by name or id')
    .option('--workspace <name>', 'by name or id')
    .option('--for <duration>', 'for this long, such as 30m or 2h', parseDuration)
    .option('--until <time>', 'until this time, in ISO 8601')
    .addOption(
      group.createOption('--channel <channel>', 'the channel to silence').choices(['all', 'email']).default('all'),
    )
    .option('--json', 'print JSON')
    .addHelpText('after', '\nWithout --for and --until, the silence stays until it is removed.')
    .action(
      action(async (options: CreateOptions) => {
        if (options.for !== undefined && options.until !== undefined) throw new CliError('Use --for or --until')
        const { client } = await connect(cli)
        const until = options.for === undefined ? options.until : new Date(Date.now() + options.for).toISOString()
        const config = until === undefined ? null : JSON.stringify({ until })
        const body = { channel: options.channel, config, ...(await findScope(client, options)) }
        const created = await dataOf(client.POST('/api/public/v1/silences', { body }))
        if (options.json) printJson(cli, created)
        else
          printLine(
            cli,
            `Silenced ${created.resourceName ?? 'everything'}${until ? ` until ${until}` : ''}: ${created.id}`,
          )
        return undefined
      }),
    )
}

function endOf({ config, quietHours }: Schemas['Silence']): string {
  if (quietHours !== null) return quietHours
  try {
    return JSON.parse(config ?? '{}').until ?? ''
  } catch {
    return ''
  }
}
