import type { Cli, Registration } from '../cli.ts'
import { dataOf } from '../client/api-failure.ts'
import { connect, type Schemas } from '../client/create-client.ts'
import { findService } from '../client/find-resources.ts'
import { showDuration } from '../output/duration.ts'
import { printJson, printLine, printTable } from '../output/print.ts'
import { replaceControlCharacters } from '../output/terminal-text.ts'
import { describeFailure } from '../run/failed-result.ts'
import { addPaging, addWithinOptions, noteMore } from './options.ts'

const EXAMPLES = `
Examples:
  soundline results Checkout --project Shop
  soundline results Checkout --status failure --since 2026-11-01T00:00:00Z
  soundline results Checkout 019aa0f4-9d4e-7f5a-8b6c-7d8e9f0a1b2c`

type Options = {
  project?: string
  workspace?: string
  status?: 'success' | 'failure' | 'timeout' | 'skipped'
  since?: string
  limit: number
  page: number
  json?: boolean
}

export const registerResults: Registration = (program, cli, action) => {
  const command = addPaging(addWithinOptions(program.command('results')))
    .summary('list the results of a service, or show one')
    .description('Lists the newest results of a service, or shows what failed in one.')
    .argument('<service>', 'its name or id')
    .argument('[result]', 'the id of a result')
    .addOption(
      program
        .createOption('--status <status>', 'only results with this status')
        .choices(['success', 'failure', 'timeout', 'skipped']),
    )
    .option('--since <time>', 'only results from this time on, in ISO 8601')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
  command.action(
    action(async (service: string, result: string | undefined, options: Options) => {
      const { client } = await connect(cli)
      const found = await findService(client, service, options)
      if (result === undefined) {
        const { limit, page, status, since } = options
        const query = { page, pageSize: limit, ...(status && { status }), ...(since && { since }) }
        const path = { id: found.id }
        const read = await dataOf(client.GET('/api/public/v1/services/{id}/results', { params: { path, query } }))
        if (options.json) printJson(cli, read.items)
        else printResults(cli, read.items)
        noteMore(cli, read)
      } else {
        const path = { id: found.id, resultId: result }
        const read = await dataOf(client.GET('/api/public/v1/services/{id}/results/{resultId}', { params: { path } }))
        if (options.json) printJson(cli, read)
        else printResult(cli, read)
      }
      return undefined
    }),
  )
}

function printResults(cli: Cli, items: Schemas['ResultSummary'][]): void {
  const rows = items.map(({ id, startedAt, agentSlug, status, recheckOf, runDurationMs, summary }) => [
    id,
    startedAt,
    agentSlug,
    recheckOf ? `${status} (recheck)` : status,
    showDuration(runDurationMs),
    summary ?? '',
  ])
  printTable(cli, ['ID', 'STARTED', 'AGENT', 'STATUS', 'TIME', 'SUMMARY'], rows)
}

function printResult(cli: Cli, result: Schemas['Result']): void {
  const say = (line: string) => printLine(cli, replaceControlCharacters(line))
  say(`${result.status} on ${result.agentSlug} at ${result.startedAt} in ${showDuration(result.runDurationMs)}`)
  if (result.recheckOf)
    say(`recheck of ${result.recheckOf}, ${result.status === 'skipped' ? 'which counts' : 'counts for both'}`)
  if (result.recheckedBy) say(`rechecked by ${result.recheckedBy}, which counts for both if it ran`)
  const { request, lines } = describeFailure({ ...result, summary: null, url: '' }, result)
  if (request !== null) say(request)
  for (const { text } of lines) say(`  ${text}`)
  for (const { stepNum, method, requestUrl, urlTemplate, statusCode, outcome, responseTimeMs } of result.steps) {
    const time = responseTimeMs === null ? '' : ` ${showDuration(responseTimeMs)}`
    say(`${stepNum}. ${method.toUpperCase()} ${requestUrl ?? urlTemplate} ${statusCode ?? outcome}${time}`)
  }
}
