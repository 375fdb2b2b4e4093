import { join } from 'node:path'
import type { Cli } from '#server/cli/cli.ts'
import { createStyler } from '#server/cli/output/terminal-text.ts'
import { runCommandLine } from '#server/cli/program.ts'
import type { Facade } from '#server/fronts/rest/facade.ts'
import type { Key } from './factories.ts'

export type CliEnded = { code: number; output: string; notes: string }

export type CliOptions = Partial<Cli> & {
  /** What a user types, one line per question. */
  answers?: string[]
}

/** The address that commands in process talk to. */
export const CLI_URL = 'https://soundline.example.com'

/** Runs a command line in process and returns what it wrote, each line of standard error in `notes`. */
export async function runCli(args: string[], { answers, ...given }: CliOptions): Promise<CliEnded> {
  const ended: CliEnded = { code: -1, output: '', notes: '' }
  const typed = [...(answers ?? [])]
  ended.code = await runCommandLine(args, {
    version: '1.2.3',
    environment: {},
    terminal: { isTerminal: false, columns: 100, rows: 24, style: createStyler(false) },
    write: (text) => {
      ended.output += text
    },
    note: (line) => {
      ended.notes += `${line}\n`
    },
    ask: answers ? async () => typed.shift() ?? '' : null,
    readInput: async () => '',
    send: fetch,
    probe: async () => 0,
    execute: async () => 0,
    signal: new AbortController().signal,
    ...given,
  })
  return ended
}

/** The options of a command that talks to a facade in process with an API key. */
export function facadeCli(facade: Facade, key: Pick<Key, 'token'>): CliOptions {
  return {
    environment: { SOUNDLINE_URL: CLI_URL, SOUNDLINE_KEY: key.token },
    send: (request) => facade(request, { address: '127.0.0.1' }),
  }
}

/** The environment of a user whose configuration is in this folder. */
export function homeOf(folder: string): Cli['environment'] {
  return { HOME: folder, XDG_CONFIG_HOME: join(folder, 'config') }
}
