import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Validation, validateScript } from '../../language/lace/validator.ts'
import { SCRIPT_LIMITS, SCRIPT_MAX } from '../../schemas/scripts/limits.ts'
import type { Cli, Registration } from '../cli.ts'
import { CliError, EXIT } from '../exit-codes.ts'
import { printJson, printLine } from '../output/print.ts'
import { formatErrors } from './format-errors.ts'
import { VARIABLE_SCOPES } from './variable-scope-names.ts'

const EXAMPLES = `
Examples:
  soundline validate checkout.lace
  soundline validate monitoring/
  soundline validate monitoring/ --json

Only the installation knows which variables exist and which targets may be probed. It checks both when the script is
saved.`

const ENDING = '.lace'

export const registerValidate: Registration = (program, cli, action) => {
  program
    .command('validate')
    .summary('check scripts on this computer')
    .description('Checks scripts against all rules of the language, without an installation.')
    .argument('<path...>', `scripts, or folders with scripts (*${ENDING})`)
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(
      action(async (paths: string[], options: { json?: boolean }) => {
        const files = (await Promise.all(paths.map(findScripts))).flat()
        if (files.length === 0) throw new CliError(`There is no ${ENDING} file in ${paths.join(', ')}`)
        const checked: Checked[] = []
        for (const file of files) checked.push(await check(file))
        if (options.json)
          printJson(
            cli,
            checked.map(({ file, errors, warnings }) => ({ file, errors, warnings })),
          )
        else report(cli, checked)
        return checked.some(({ errors }) => errors.length > 0) ? EXIT.failed : EXIT.ok
      }),
    )
}

type Checked = Pick<Validation, 'errors' | 'warnings'> & { file: string; source: string }

async function check(file: string): Promise<Checked> {
  const source = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new CliError(`${file} cannot be read: ${error.code}`)
  })
  if (source.length > SCRIPT_MAX) throw new CliError(`${file} has more than ${SCRIPT_MAX} characters`)
  const { errors, warnings } = validateScript(source, { ...SCRIPT_LIMITS, scopes: VARIABLE_SCOPES })
  return { file, source, errors, warnings }
}

function report(cli: Cli, checked: Checked[]): void {
  const { style } = cli.terminal
  for (const { file, source, errors, warnings } of checked) {
    if (errors.length + warnings.length > 0) printLine(cli, `${formatErrors(file, source, errors, warnings, style)}\n`)
  }
  const wrong = checked.filter(({ errors }) => errors.length > 0).length
  const total = `${checked.length} script${checked.length === 1 ? '' : 's'}`
  printLine(cli, wrong === 0 ? `${total} checked, no errors` : `${total} checked, ${wrong} with errors`)
}

/** Returns a file itself, and the scripts of a folder in the order of their names. */
async function findScripts(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => null)
  if (!found) throw new CliError(`${path} does not exist`)
  if (!found.isDirectory()) return [path]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(ENDING))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
