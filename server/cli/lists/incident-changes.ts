import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import type { Action, Cli } from '../cli.ts'
import { dataOf } from '../client/api-failure.ts'
import { type ApiClient, connect, type Schemas } from '../client/create-client.ts'
import { CliError, EXIT } from '../exit-codes.ts'
import { printJson, printLine } from '../output/print.ts'
import { replaceControlCharacters } from '../output/terminal-text.ts'

// The subcommands of `incidents` that change incidents.

export const SEVERITIES = ['critical', 'high', 'medium', 'low'] as const

const ONE = '/api/public/v1/incidents/{id}'

type Json = { json?: boolean }

/** Registers `acknowledge` and `unacknowledge`. */
export function registerAcknowledgements(group: Command, cli: Cli, action: Action): void {
  group
    .command('acknowledge')
    .alias('ack')
    .argument('<incident...>', 'its id, or several')
    .option('--json', 'print JSON')
    .description('Acknowledges incidents, which stops their reminders.')
    .action(
      action(async (ids: string[], options: Json) => {
        const { client } = await connect(cli)
        const [id, ...more] = ids
        if (id !== undefined && more.length === 0) {
          const read = await dataOf(client.POST(`${ONE}/acknowledge`, { params: { path: { id } } }))
          if (options.json) printJson(cli, read)
          else printLine(cli, `Acknowledged: ${incidentLine(read)}`)
          return undefined
        }
        const { incidents } = await dataOf(client.POST('/api/public/v1/incidents/acknowledge', { body: { ids } }))
        return printOutcomes(cli, incidents, options, 'was acknowledged before')
      }),
    )
  group
    .command('unacknowledge')
    .alias('unack')
    .argument('<incident...>', 'its id, or several')
    .option('--json', 'print JSON')
    .description('Takes back the acknowledgements of incidents, which resumes their reminders.')
    .action(
      action(async (ids: string[], options: Json) => {
        const { client } = await connect(cli)
        const [id, ...more] = ids
        if (id !== undefined && more.length === 0) {
          const read = await dataOf(client.DELETE(`${ONE}/acknowledge`, { params: { path: { id } } }))
          if (options.json) printJson(cli, read)
          else printLine(cli, `Not acknowledged: ${incidentLine(read)}`)
          return undefined
        }
        const { incidents } = await dataOf(client.POST('/api/public/v1/incidents/unacknowledge', { body: { ids } }))
        return printOutcomes(cli, incidents, options, 'was not acknowledged')
      }),
    )
}

type Outcomes = Schemas['AcknowledgeOutcome'][]

function printOutcomes(cli: Cli, incidents: Outcomes, options: Json, unchanged: string): number | undefined {
  if (options.json) printJson(cli, incidents)
  else
    for (const { incidentId, outcome } of incidents) printLine(cli, `${incidentId}  ${outcomeText(outcome, unchanged)}`)
  return incidents.some(({ outcome }) => outcome === 'not_found') ? EXIT.unknown : undefined
}

/** Registers `assign`, `severity` and `post-mortem`. */
export function registerIncidentChanges(group: Command, cli: Cli, action: Action): void {
  one(group, 'assign')
    .argument('<member>', 'a name, an address, the id of a membership, `me`, or `none`')
    .description('Assigns an incident to a member, who is notified by mail.')
    .action(
      action(async (id: string, member: string, options: Json) => {
        const { client } = await connect(cli)
        const assigneeId = member === 'none' ? null : await findAssignee(client, id, member)
        const read = await change(client, id, { assigneeId })
        if (options.json) printJson(cli, read)
        else printLine(cli, read.assignee ? `Assigned to ${shown(read.assignee.name)}.` : 'Assigned to no one.')
        return undefined
      }),
    )
  one(group, 'severity')
    .addArgument(
      group
        .createArgument('<severity>', '`none` for that of the label of the service')
        .choices([...SEVERITIES, 'none']),
    )
    .description('Sets the severity of an incident.')
    .action(
      action(async (id: string, severity: (typeof SEVERITIES)[number] | 'none', options: Json) => {
        const { client } = await connect(cli)
        const read = await change(client, id, { severity: severity === 'none' ? null : severity })
        if (options.json) printJson(cli, read)
        else printLine(cli, `Severity: ${read.severity ?? 'none'}.`)
        return undefined
      }),
    )
  one(group, 'post-mortem')
    .argument('[file]', 'the new text in Markdown; `-` reads standard input')
    .option('--remove', 'remove the post-mortem')
    .description('Shows the post-mortem of an incident, or saves it.')
    .action(
      action(async (id: string, file: string | undefined, options: Json & { remove?: boolean }) => {
        if (options.remove && file !== undefined) throw new CliError('Use a file or --remove')
        const { client } = await connect(cli)
        if (!options.remove && file === undefined) return showPostMortem(cli, client, id, options)
        const postMortem = file === undefined ? null : file === '-' ? await cli.readInput() : await readText(file)
        const read = await change(client, id, { postMortem })
        if (options.json) printJson(cli, read)
        else printLine(cli, postMortem?.trim() ? 'Post-mortem saved.' : 'Post-mortem removed.')
        return undefined
      }),
    )
}

/** Whether the service flaps, too. */
export function stateOf({ state, flappingSince }: Schemas['Incident']): string {
  return state === 'open' && flappingSince ? 'open, flapping' : state
}

export function incidentLine(incident: Schemas['Incident']): string {
  const { serviceName, openedAt, summary } = incident
  return shown(`${serviceName}, ${stateOf(incident)}, since ${openedAt}: ${summary}`)
}

function one(group: Command, name: string): Command {
  return group.command(name).argument('<incident>', 'its id').option('--json', 'print JSON')
}

type Change = { assigneeId?: string | null; severity?: (typeof SEVERITIES)[number] | null; postMortem?: string | null }

function change(client: ApiClient, id: string, body: Change): Promise<Schemas['Incident']> {
  return dataOf(client.PATCH(ONE, { params: { path: { id } }, body }))
}

async function showPostMortem(cli: Cli, client: ApiClient, id: string, { json }: Json): Promise<undefined> {
  const { postMortem } = await dataOf(client.GET(ONE, { params: { path: { id } } }))
  if (json) printJson(cli, postMortem)
  else if (postMortem === null) printLine(cli, 'The incident has no post-mortem.')
  else for (const line of postMortem.text.split(/\r?\n/)) printLine(cli, shown(line))
  return undefined
}

/** @throws CliError when no member is called so, or several */
async function findAssignee(client: ApiClient, id: string, member: string): Promise<string> {
  const assignees = await dataOf(client.GET(`${ONE}/assignees`, { params: { path: { id } } }))
  const wanted = member.toLowerCase()
  const found = assignees.filter(
    ({ orgUserId, name, email, isCaller }) =>
      (wanted === 'me' && isCaller) || [orgUserId, name.toLowerCase(), email.toLowerCase()].includes(wanted),
  )
  const [first, second] = found
  if (!first) throw new CliError(`There is no member ${JSON.stringify(member)} to whom you can assign the incident`)
  if (!second) return first.orgUserId
  const lines = found.map(({ orgUserId, email }) => `  ${orgUserId}  ${shown(email)}`)
  throw new CliError([`Several members are called ${JSON.stringify(member)}; use an id:`, ...lines].join('\n'))
}

function outcomeText(outcome: string, unchanged: string): string {
  if (outcome === 'unchanged') return unchanged
  return outcome === 'not_found' ? 'not found, or not yours to change' : outcome
}

async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`${file} cannot be read: ${error.code}`)
  })
}

function shown(text: string): string {
  return replaceControlCharacters(text)
}
