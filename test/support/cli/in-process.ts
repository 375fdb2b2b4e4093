import type { Cli } from '#server/cli/cli.ts'
import { createStyler } from '#server/cli/output/terminal-text.ts'
import { runCommandLine } from '#server/cli/program.ts'
import type { Facade } from '#server/fronts/rest/facade.ts'

export type CommandOptions = {
  environment?: Record<string, string>
  ask?: Cli['ask']
  input?: string
  signal?: AbortSignal
  /** Intercepts requests between the command and the API. */
  send?: (request: Request, pass: (request: Request) => Promise<Response>) => Promise<Response>
}

export type CommandResult = { code: number; output: string; errors: string }

/** Runs a command line in process against a facade, as the member of a key. */
export async function commandLine(
  api: { facade: Facade },
  key: { token: string } | null,
  args: string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const result = { output: '', errors: '' }
  const pass = (request: Request) => api.facade(request, { address: '127.0.0.1' })
  const connection: Record<string, string> = key ? { SOUNDLINE_URL: 'http://localhost', SOUNDLINE_KEY: key.token } : {}
  const code = await runCommandLine(args, {
    version: '0.0.0',
    environment: { ...connection, ...options.environment },
    terminal: { isTerminal: false, columns: 100, rows: 40, style: createStyler(false) },
    write: (text) => {
      result.output += text
    },
    note: (line) => {
      result.errors += `${line}\n`
    },
    ask: options.ask ?? null,
    readInput: async () => options.input ?? '',
    send: (request) => (options.send ? options.send(request, pass) : pass(request)),
    probe: async () => 0,
    execute: async () => 0,
    signal: options.signal ?? new AbortController().signal,
  })
  return { code, ...result }
}
