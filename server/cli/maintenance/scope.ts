import type { Command } from 'commander'
import { InvalidArgumentError } from 'commander'
import type { ApiClient, Schemas } from '../client/create-client.ts'
import { findScope } from '../client/find-resources.ts'
import { CliError } from '../exit-codes.ts'

/** What a maintenance covers, as users name it. */
export type ScopeOptions = { service?: string; project?: string; workspace?: string; label?: string }

export function addScopeOptions(command: Command): Command {
  return command
    .option('--service <name>', 'by name or id; with --project, in that project')
    .option('--project <name>', 'by name or id')
    .option('--workspace <name>', 'by name or id')
    .option('--label <label>', 'of a project or workspace, only services with this label')
}

/** Returns the scope as the API takes it. @throws CliError without one */
export async function scopeOf(client: ApiClient, { label, ...named }: ScopeOptions) {
  if (named.service === undefined && named.project === undefined && named.workspace === undefined) {
    throw new CliError('Name a --service, a --project or a --workspace')
  }
  return { ...(await findScope(client, named)), ...(label !== undefined && { label }) }
}

/** Parses `--minutes`. @throws InvalidArgumentError */
export function parseMinutes(text: string): number {
  const minutes = /^\d{1,6}$/.test(text) ? Number(text) : 0
  if (minutes < 1) throw new InvalidArgumentError('Write a number of minutes such as 20.')
  return minutes
}

/** Returns a maintenance in one line. */
export function maintenanceLine({ resourceName, label, mode, endsAt, note }: Schemas['Maintenance']): string {
  const of = label === null ? resourceName : `${resourceName} (${label})`
  return `${of} until ${endsAt}, mode ${mode}${note === null ? '' : `: ${note}`}`
}
