import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { InvalidArgumentError } from 'commander'
import type { Cli } from '../../cli.ts'
import { CliError } from '../../exit-codes.ts'
import { githubReporter } from './github.ts'
import { jsonReporter } from './json.ts'
import { junitReporter } from './junit.ts'
import { listReporter } from './list.ts'
import { liveListReporter } from './live-list.ts'
import { markdownReporter } from './markdown.ts'
import type { Reporter, Sink } from './reporter.ts'

export const REPORTER_NAMES = ['list', 'json', 'junit', 'github', 'markdown']

/** What `--reporter` names: `junit=report.xml` writes to a file. */
export type ReporterChoice = { name: string; file: string | null }

/** Reports that are one document each. */
const DOCUMENTS: Record<string, (write: Sink) => Reporter> = {
  json: jsonReporter,
  junit: junitReporter,
  markdown: markdownReporter,
}

/** Collects the values of `--reporter`. @throws InvalidArgumentError */
export function parseReporter(value: string, earlier: ReporterChoice[] = []): ReporterChoice[] {
  const [name = '', ...rest] = value.split('=')
  const file = rest.length === 0 ? null : rest.join('=')
  if (!REPORTER_NAMES.includes(name)) throw new InvalidArgumentError(`Choose one of ${REPORTER_NAMES.join(', ')}.`)
  if (file === '' || (file !== null && !(name in DOCUMENTS))) {
    throw new InvalidArgumentError(`${name} ${file === '' ? 'needs the name of a file' : 'writes no file'}.`)
  }
  return [...earlier, { name, file }]
}

/**
 * Returns the chosen reporters, by default the list. A document on standard output is alone there: the list then goes
 * to standard error. Files are created at once, so a wrong path fails before anything runs.
 * @throws CliError
 */
export async function createReporters(cli: Cli, choices: ReporterChoice[]): Promise<Reporter[]> {
  const documents = choices.filter(({ name, file }) => name in DOCUMENTS && file === null)
  const onOutput = [...documents, ...choices.filter(({ name }) => name === 'github')]
  if (documents.length > 0 && onOutput.length > 1) {
    const names = onOutput.map(({ name }) => name).join(' and ')
    throw new CliError(`${names} cannot share standard output: write one to a file, as in --reporter junit=report.xml`)
  }
  const chosen = choices.length > 0 ? choices : [{ name: 'list', file: null }]
  return Promise.all(chosen.map((choice) => createReporter(cli, choice, documents.length > 0)))
}

async function createReporter(cli: Cli, { name, file }: ReporterChoice, isOutputTaken: boolean): Promise<Reporter> {
  if (name === 'list') {
    if (isOutputTaken) return listReporter(cli.terminal, (text) => cli.note(text.trimEnd()))
    return cli.terminal.isTerminal ? liveListReporter(cli.terminal, cli.write) : listReporter(cli.terminal, cli.write)
  }
  if (name === 'github') return githubReporter(cli.write, cli.environment.GITHUB_STEP_SUMMARY)
  return DOCUMENTS[name]!(file === null ? cli.write : await openFile(file))
}

async function openFile(file: string): Promise<Sink> {
  try {
    await mkdir(dirname(resolve(file)), { recursive: true })
    await writeFile(file, '')
  } catch (error) {
    throw new CliError(`${file} cannot be written: ${(error as NodeJS.ErrnoException).code}`)
  }
  return (text) => appendFile(file, text)
}
