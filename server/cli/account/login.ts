import type { Cli, Registration } from '../cli.ts'
import { ApiFailure, dataOf } from '../client/api-failure.ts'
import { createClient } from '../client/create-client.ts'
import { parseAddress, parseKey } from '../configuration/connection.ts'
import { writeLogin } from '../configuration/login-file.ts'
import { CliError } from '../exit-codes.ts'
import { printLine } from '../output/print.ts'

const EXAMPLES = `
Examples:
  soundline login
  soundline login --url https://soundline.example.com
  echo "$KEY" | soundline login --url https://soundline.example.com --key-stdin

In CI, set SOUNDLINE_URL and SOUNDLINE_KEY instead. API keys are created in the dashboard, at Settings, API keys.`

export const registerLogin: Registration = (program, cli, action) => {
  program
    .command('login')
    .summary('store the address of an installation and an API key')
    .description('Checks an address and an API key, and stores them in the configuration folder of this user.')
    .option('--url <address>', 'the address of the dashboard')
    .option('--key-stdin', 'read the key from standard input instead of asking for it')
    .addHelpText('after', EXAMPLES)
    .action(
      action(async (options: { url?: string; keyStdin?: boolean }) => {
        const given = options.url ?? cli.environment.SOUNDLINE_URL ?? (await ask(cli, 'Address of the installation: '))
        const url = parseAddress(given)
        const key = parseKey(options.keyStdin ? await cli.readInput() : await ask(cli, 'API key: ', true))
        const { organization, user, access } = await checkKey(cli, url, key)
        const path = await writeLogin(cli, { url, key })
        printLine(cli, `Logged in to ${url}: ${organization.name}, as ${user.email}, ${access} access.`)
        printLine(cli, `The key is stored in ${path}.`)
        return undefined
      }),
    )
}

function ask(cli: Cli, question: string, isSecret = false): Promise<string> {
  if (!cli.ask) throw new CliError('Standard input is not a terminal: use --url and --key-stdin')
  return cli.ask(question, { isSecret })
}

async function checkKey(cli: Cli, url: string, key: string) {
  try {
    return await dataOf(createClient(cli, { url, key }, { retryForMs: 0 }).GET('/api/public/v1/key'))
  } catch (error) {
    if (error instanceof ApiFailure && error.status === 401)
      throw new CliError(`${url} refuses this API key: it is unknown`)
    throw error
  }
}
