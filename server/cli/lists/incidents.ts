import type { Command } from 'commander'
import type { Action, Cli, Registration } from '../cli.ts'
import { dataOf } from '../client/api-failure.ts'
import { connect, type Schemas } from '../client/create-client.ts'
import { findScope } from '../client/find-resources.ts'
import { showDuration } from '../output/duration.ts'
import { printJson, printLine, printTable } from '../output/print.ts'
import { replaceControlCharacters } from '../output/terminal-text.ts'
import { given } from './given.ts'
import {
  incidentLine,
  registerAcknowledgements,
  registerIncidentChanges,
  SEVERITIES,
  stateOf,
} from './incident-changes.ts'
import { addPaging, addWithinOptions, noteMore } from './options.ts'

const EXAMPLES = `
Examples:
  soundline incidents
  soundline incidents --state closed --project Shop
  soundline incidents show 019aa0f4-8c3d-7e4f-9a5b-6c7d8e9f0a1b
  soundline incidents --assignee me --severity critical
  soundline incidents --search 503 --sort longest --since 2026-11-01
  soundline incidents acknowledge 019aa0f4-8c3d-7e4f-9a5b-6c7d8e9f0a1b
  soundline incidents assign 019aa0f4-8c3d-7e4f-9a5b-6c7d8e9f0a1b "Ada Lovelace"
  soundline incidents severity 019aa0f4-8c3d-7e4f-9a5b-6c7d8e9f0a1b high
  soundline incidents note 019aa0f4-8c3d-7e4f-9a5b-6c7d8e9f0a1b "The payment provider is down."
  soundline incidents post-mortem 019aa0f4-8c3d-7e4f-9a5b-6c7d8e9f0a1b post-mortem.md`

const SORTS = ['newest', 'longest'] as const

type ListOptions = {
  state?: 'open' | 'closed'
  severity?: (typeof SEVERITIES)[number]
  assignee?: string
  acknowledged?: boolean
  search?: string
  label?: string
  agent?: string
  since?: string
  until?: string
  sort?: (typeof SORTS)[number]
  service?: string
  project?: string
  workspace?: string
  limit: number
  page: number
  json?: boolean
}

type Json = { json?: boolean }

const COLUMNS = ['ID', 'STATE', 'OPENED', 'SERVICE', 'SEVERITY', 'ACKNOWLEDGED', 'ASSIGNEE', 'SUMMARY']

export const registerIncidents: Registration = (program, cli, action) => {
  const group = program
    .command('incidents')
    .summary('list, show, acknowledge, assign and annotate incidents')
    .description('Lists incidents; the subcommands act on one.')
    .helpCommand(false)
    .addHelpText('after', EXAMPLES)
  registerList(group, cli, action)
  const one = (name: string) => group.command(name).argument('<incident>', 'its id').option('--json', 'print JSON')
  one('show')
    .description('Shows an incident with its timeline.')
    .action(
      action(async (id: string, options: Json) => {
        const { client } = await connect(cli)
        const read = await dataOf(client.GET('/api/public/v1/incidents/{id}', { params: { path: { id } } }))
        if (options.json) printJson(cli, read)
        else printIncident(cli, read)
        return undefined
      }),
    )
  registerAcknowledgements(group, cli, action)
  registerIncidentChanges(group, cli, action)
  one('note')
    .description('Adds a note to an incident.')
    .argument('<text>', 'the note')
    .action(
      action(async (id: string, text: string, options: Json) => {
        const { client } = await connect(cli)
        const path = '/api/public/v1/incidents/{id}/notes'
        const note = await dataOf(client.POST(path, { params: { path: { id } }, body: { text } }))
        if (options.json) printJson(cli, note)
        else printLine(cli, 'Note added.')
        return undefined
      }),
    )
}

function registerList(group: Command, cli: Cli, action: Action): void {
  addPaging(addWithinOptions(group.command('list', { isDefault: true })))
    .description('Lists incidents, open ones first, newest first.')
    .addOption(group.createOption('--state <state>', 'only open or only closed incidents').choices(['open', 'closed']))
    .addOption(group.createOption('--severity <severity>', 'only of this severity').choices(SEVERITIES))
    .option('--assignee <member>', 'only those of a member: me, none, or the id of a membership')
    .option('--acknowledged', 'only acknowledged incidents')
    .option('--no-acknowledged', 'only incidents that are not acknowledged')
    .option('--search <words>', 'only those with these words in the cause or the name of the service')
    .option('--label <label>', 'only of services with this label')
    .option('--agent <slug>', 'only those in which this agent failed')
    .option('--since <time>', 'only those that lasted until this time or longer, in ISO 8601')
    .option('--until <time>', 'only those that began at or before this time, in ISO 8601')
    .addOption(group.createOption('--sort <order>', 'newest: open ones first').choices(SORTS))
    .option('--service <name>', 'only of this service, by name or id')
    .option('--json', 'print JSON')
    .action(
      action(async (options: ListOptions) => {
        const { client } = await connect(cli)
        const { limit: pageSize, page, state, severity, assignee, search: q } = options
        const { label, agent, since, until, sort } = options
        const acknowledged = options.acknowledged === undefined ? undefined : options.acknowledged ? 'true' : 'false'
        const filters = { state, severity, assignee, acknowledged, q, label, agent, since, until, sort } as const
        const query = { page, pageSize, ...given(filters), ...(await findScope(client, options)) }
        const read = await dataOf(client.GET('/api/public/v1/incidents', { params: { query } }))
        if (options.json) printJson(cli, read.items)
        else {
          const rows = read.items.map((one) => [
            one.id,
            stateOf(one),
            one.openedAt,
            one.serviceName,
            one.severity ?? '',
            acknowledger(one),
            one.assignee?.name ?? '',
            one.summary,
          ])
          printTable(cli, COLUMNS, rows)
        }
        noteMore(cli, read)
        return undefined
      }),
    )
}

function acknowledger({ acknowledgedAt, acknowledgedBy }: Schemas['Incident']): string {
  return acknowledgedAt === null ? '' : (acknowledgedBy?.name ?? 'yes')
}

function printIncident(cli: Cli, incident: Schemas['IncidentDetails']): void {
  printLine(cli, incidentLine(incident))
  printLine(cli, `lasts ${showDuration(incident.durationMs)}`)
  const { severity, assignee } = incident
  if (severity !== null) printLine(cli, `severity ${severity}`)
  if (assignee !== null) printLine(cli, replaceControlCharacters(`assigned to ${assignee.name}`))
  if (incident.url !== null) printLine(cli, incident.url)
  for (const { at, kind, text, member } of incident.timeline) {
    printLine(cli, replaceControlCharacters([at, kind, member?.name, text].filter(Boolean).join('  ')))
  }
}
