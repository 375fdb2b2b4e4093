import { setTimeout as sleep } from 'node:timers/promises'
import type { Cli, Registration } from '../cli.ts'
import { connect } from '../client/create-client.ts'
import { findServices, projectsWithin, type Within } from '../client/find-resources.ts'
import { CliError } from '../exit-codes.ts'
import { showDuration } from '../output/duration.ts'
import { printLine } from '../output/print.ts'
import { replaceControlCharacters } from '../output/terminal-text.ts'
import { watchServices } from './changed-services.ts'
import { addLimit, addWithinOptions } from './options.ts'
import { type LoggedResult, ResultLog } from './result-log.ts'

const EXAMPLES = `
Examples:
  soundline logs Checkout --project Shop
  soundline logs Checkout Search --project Shop --follow
  soundline logs --project Shop --follow --json | jq -r 'select(.status != "success") | .summary'`

const POLL_MS = 5_000

type Options = Within & { follow?: boolean; limit: number; json?: boolean }

export const registerLogs: Registration = (program, cli, action) => {
  addLimit(addWithinOptions(program.command('logs')))
    .summary('show new results as they arrive')
    .description('Prints the newest results of services, and with --follow each new one as it arrives.')
    .argument('[service...]', 'names or ids; with --follow, by default all services of the --project or --workspace')
    .option('-f, --follow', 'continue until interrupted')
    .option('--json', 'print one JSON object per line')
    .addHelpText('after', EXAMPLES)
    .action(
      action(async (references: string[], options: Options) => {
        if (references.length === 0 && !options.follow) throw new CliError('Name services, or use --follow')
        await printLog(cli, references, options)
        return undefined
      }),
    )
}

async function printLog(cli: Cli, references: string[], options: Options): Promise<void> {
  const { client } = await connect(cli)
  const named = await findServices(client, references, options)
  const log = new ResultLog(client)
  const print = (logged: LoggedResult[]) => {
    for (const one of logged) printLine(cli, options.json ? jsonLine(one) : textLine(cli, one))
  }
  const projects = named.length > 0 ? named.map(({ projectId }) => projectId) : await projectIds(client, options)
  const readChanged = options.follow ? watchServices(client, [...new Set(projects)]) : null
  // Before the history, so that no result falls between the two.
  await readChanged?.()
  print(await log.readLatest(named, options.limit))
  const wanted = new Set(named.map(({ id }) => id))
  while (readChanged) {
    await sleep(POLL_MS, undefined, { signal: cli.signal })
    for (const { service, newResults } of await readChanged()) {
      if (wanted.size === 0 || wanted.has(service.id)) print(await log.readNew(service, newResults))
    }
  }
}

async function projectIds(...[client, within]: Parameters<typeof projectsWithin>): Promise<string[]> {
  return (await projectsWithin(client, within)).map(({ id }) => id)
}

const COLOURS: Record<string, 'green' | 'red' | 'yellow'> = { success: 'green', skipped: 'yellow' }

function textLine({ terminal }: Cli, { service, result }: LoggedResult): string {
  const { startedAt, agentSlug, status, runDurationMs, summary } = result
  const coloured = terminal.style(COLOURS[status] ?? 'red', replaceControlCharacters(status))
  const rest = replaceControlCharacters([showDuration(runDurationMs), summary].filter(Boolean).join('  '))
  return `${startedAt}  ${replaceControlCharacters(`${service.name}  ${agentSlug}`)}  ${coloured}  ${rest}`
}

function jsonLine({ service, result }: LoggedResult): string {
  return JSON.stringify({ serviceId: service.id, serviceName: service.name, ...result })
}
