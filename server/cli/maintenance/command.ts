import type { Command } from 'commander'
import type { Action, Cli, Registration } from '../cli.ts'
import { dataOf } from '../client/api-failure.ts'
import { type ApiClient, connect, type Schemas } from '../client/create-client.ts'
import { findScope } from '../client/find-resources.ts'
import { PAGE_SIZE, readAllPages } from '../client/pages.ts'
import { CliError } from '../exit-codes.ts'
import { given } from '../lists/given.ts'
import { addPaging, noteMore } from '../lists/options.ts'
import { printJson, printLine, printTable } from '../output/print.ts'
import { replaceControlCharacters } from '../output/terminal-text.ts'
import { addScopeOptions, maintenanceLine, parseMinutes, type ScopeOptions, scopeOf } from './scope.ts'

const EXAMPLES = `
Examples:
  soundline maintenance start --project Shop --minutes 20 --note "deploy 42"
  soundline maintenance start --service Checkout --mode skip --until 2026-12-01T08:00:00Z
  soundline maintenance start --workspace Shop --rule "FREQ=WEEKLY;BYDAY=SU;BYHOUR=3;BYMINUTE=0/60" --timezone Europe/Berlin
  soundline maintenance list --state active
  soundline maintenance end --project Shop

\`soundline deploy\` starts one for a command, and ends it.`

const STATES = ['active', 'upcoming', 'past'] as const
const PATH = '/api/public/v1/maintenances'

type Json = { json?: boolean }

type StartOptions = ScopeOptions &
  Json & {
    minutes?: number
    until?: string
    from?: string
    rule?: string
    timezone?: string
    mode: 'mute' | 'skip'
    note?: string
  }

export const registerMaintenance: Registration = (program, cli, action) => {
  const group = program
    .command('maintenance')
    .summary('start, list and end maintenances')
    .description('Manages maintenances: times in which services wake nobody.')
    .helpCommand(false)
    .addHelpText('after', EXAMPLES)
  registerStart(group, cli, action)
  registerList(group, cli, action)
  registerEnd(group, cli, action)
  group
    .command('extend')
    .description('Lets a maintenance end later, or earlier.')
    .argument('<maintenance>', 'its id')
    .requiredOption('--minutes <count>', 'so many minutes from now', parseMinutes)
    .option('--json', 'print JSON')
    .action(
      action(async (id: string, { minutes, json }: Json & { minutes: number }) => {
        const { client } = await connect(cli)
        show(cli, 'Extended', await change(client, id, { minutes }), json)
        return undefined
      }),
    )
  group
    .command('remove')
    .description('Deletes a maintenance, also one that recurs or has not begun.')
    .argument('<maintenance>', 'its id')
    .action(
      action(async (id: string) => {
        const { client } = await connect(cli)
        await dataOf(client.DELETE(`${PATH}/{id}`, { params: { path: { id } } }))
        printLine(cli, 'Maintenance deleted.')
        return undefined
      }),
    )
}

function registerStart(group: Command, cli: Cli, action: Action): void {
  addScopeOptions(group.command('start'))
    .description('Starts or plans a maintenance of a service, a project or a workspace.')
    .option('--minutes <count>', 'how long it lasts', parseMinutes)
    .option('--until <time>', 'until this time, in ISO 8601')
    .option('--from <time>', 'from this time, in ISO 8601, instead of now')
    .option('--rule <rule>', 'when it recurs: RRULE/minutes')
    .option('--timezone <zone>', 'the time zone of the rule, such as Europe/Berlin')
    .addOption(
      group
        .createOption('--mode <mode>', 'mute: runs go on and count for nothing; skip: no scheduled runs')
        .choices(['mute', 'skip'])
        .default('mute'),
    )
    .option('--note <text>', 'why, such as the deploy')
    .option('--json', 'print JSON')
    .action(
      action(async (options: StartOptions) => {
        const { minutes, until, from, rule, timezone, mode, note } = options
        if ([minutes, until, rule].filter((each) => each !== undefined).length !== 1) {
          throw new CliError('Say how long it lasts: --minutes, --until or --rule')
        }
        const { client } = await connect(cli)
        const scope = await scopeOf(client, options)
        const times = { minutes, endsAt: until, startsAt: from, rule, timezone }
        const body = { ...scope, ...given(times), mode, ...given({ note }) }
        const started = await dataOf(client.POST(PATH, { body }))
        show(cli, started.state === 'active' ? 'Maintenance of' : 'Planned the maintenance of', started, options.json)
        return undefined
      }),
    )
}

function registerList(group: Command, cli: Cli, action: Action): void {
  addPaging(addScopeOptions(group.command('list', { isDefault: true })))
    .description('Lists maintenances: what is on, next and past.')
    .addOption(group.createOption('--state <state>', 'only in this state').choices(STATES))
    .option('--json', 'print JSON')
    .action(
      action(
        async (options: ScopeOptions & Json & { state?: (typeof STATES)[number]; limit: number; page: number }) => {
          const { client } = await connect(cli)
          const { limit, page, state, label } = options
          const query = { ...given({ state }), ...(await findScope(client, options)) }
          const read = (page: number, pageSize: number) =>
            dataOf(client.GET(PATH, { params: { query: { ...query, page, pageSize } } }))
          const labelled =
            label === undefined
              ? null
              : (await readAllPages((page) => read(page, PAGE_SIZE))).filter((one) => one.label === label)
          const { items, total } = labelled
            ? { items: labelled.slice((page - 1) * limit, page * limit), total: labelled.length }
            : await read(page, limit)
          if (options.json) printJson(cli, items)
          else {
            const rows = items.map((one) => [
              ...[one.id, one.state, one.label === null ? one.resourcePath : `${one.resourcePath} (${one.label})`],
              ...[one.mode, one.startsAt, one.endsAt, one.createdBy.name, one.note ?? one.rule ?? ''],
            ])
            printTable(cli, ['ID', 'STATE', 'OF', 'MODE', 'FROM', 'UNTIL', 'BY', 'NOTE'], rows)
          }
          noteMore(cli, { total, page, pageSize: limit })
          return undefined
        },
      ),
    )
}

function registerEnd(group: Command, cli: Cli, action: Action): void {
  addScopeOptions(group.command('end'))
    .description('Ends a maintenance now, or all that are on of exactly this service, project or workspace.')
    .argument('[maintenance]', 'its id')
    .option('--json', 'print JSON')
    .action(
      action(async (id: string | undefined, options: ScopeOptions & Json) => {
        const { client } = await connect(cli)
        const ids = id === undefined ? await activeOf(client, options) : [id]
        for (const each of ids)
          show(cli, 'Ended the maintenance of', await change(client, each, { end: true }), options.json)
        if (ids.length === 0) cli.note('no maintenance is on')
        return undefined
      }),
    )
}

/** Returns the ids of the maintenances that are on and cover exactly this scope. */
async function activeOf(client: ApiClient, options: ScopeOptions): Promise<string[]> {
  const { label, ...scope } = await scopeOf(client, options)
  const found = await readAllPages((page) =>
    dataOf(client.GET(PATH, { params: { query: { page, pageSize: PAGE_SIZE, state: 'active', ...scope } } })),
  )
  const isOf = (one: Schemas['Maintenance']) =>
    Object.entries(scope).every(([field, id]) => one[field as keyof typeof one] === id) &&
    (label === undefined || one.label === label)
  return found.filter(isOf).map(({ id }) => id)
}

function change(client: ApiClient, id: string, body: { minutes?: number; end?: true }) {
  return dataOf(client.PATCH(`${PATH}/{id}`, { params: { path: { id } }, body }))
}

function show(cli: Cli, what: string, one: Schemas['Maintenance'], isJson = false): void {
  if (isJson) printJson(cli, one)
  else printLine(cli, `${what} ${replaceControlCharacters(maintenanceLine(one))} (${one.id})`)
}
