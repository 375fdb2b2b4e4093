import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ImportError } from '../../../language/script-import/request.ts'
import type { Cli, Registration } from '../../cli.ts'
import { CliError, EXIT } from '../../exit-codes.ts'
import { printJson, printLine, printTable } from '../../output/print.ts'
import { realFolder, writeInside } from '../format/disk.ts'
import { writeFolder } from '../format/write.ts'
import { FORMATS, type Format, importFile } from '../import/formats.ts'
import { REPORT_NAME, reportText } from '../import/report.ts'
import { toFolder } from '../import/to-folder.ts'

const EXAMPLES = `
Examples:
  soundline import postman shop.postman_collection.json monitoring --project Shop
  soundline import uptime-kuma backup.json monitoring
  pbpaste | soundline import curl - monitoring

The folder gets a project with a service per check, and ${REPORT_NAME}, which says what did not carry over.
The import sends nothing. \`soundline plan\` shows what \`soundline apply\` would create.`

type Options = { project: string; workspace: string; json?: boolean }

export const registerImport: Registration = (program, cli, action) => {
  program
    .command('import')
    .summary('convert the checks of another program to a folder')
    .description('Reads the file of another program, and writes its checks to a folder that apply can read.')
    .addArgument(program.createArgument('<format>', 'format of the file').choices(FORMATS))
    .argument('<file>', 'the file; - for standard input')
    .argument('<dir>', 'the folder to write; empty or missing')
    .option('--project <name>', 'the name of the project', 'Imported')
    .option('--workspace <name>', 'the name of the workspace', 'Imported')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(
      action(async (format: Format, file: string, dir: string, options: Options) => {
        const imported = read(format, file === '-' ? await cli.readInput() : await readText(file))
        const { folder, notes } = toFolder(imported, options)
        const services = folder.projects.flatMap((project) => project.services).length
        await writeNew(dir, writeFolder(folder).set(REPORT_NAME, reportText(imported.format, services, notes)))
        if (options.json) printJson(cli, { format: imported.format, services, notes })
        else printReport(cli, services, dir, notes)
        return services === 0 ? EXIT.failed : EXIT.ok
      }),
    )
}

function printReport(cli: Cli, services: number, dir: string, notes: ReturnType<typeof toFolder>['notes']): void {
  printLine(cli, `${services} ${services === 1 ? 'service' : 'services'} in ${dir}`)
  if (notes.length === 0) return
  printLine(cli, `\nDid not carry over (also in ${join(dir, REPORT_NAME)}):`)
  const rows = notes.map(({ check, what, why, todo }) => [check.slice(0, 40), what.slice(0, 60), `${why} ${todo}`])
  printTable(cli, ['CHECK', 'WHAT', 'WHY, AND WHAT TO DO'], rows)
}

function read(format: Format, text: string) {
  try {
    return importFile(format, text)
  } catch (error) {
    if (error instanceof ImportError) throw new CliError(error.message)
    throw error
  }
}

async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: Error) => {
    throw new CliError(`Cannot read ${file}: ${error.message}`)
  })
}

/** An import never overwrites. @throws CliError */
async function writeNew(dir: string, files: Map<string, string>): Promise<void> {
  const entries = await readdir(dir).catch(() => [])
  if (entries.some((name) => !name.startsWith('.'))) throw new CliError(`${dir} is not empty`)
  await writeInside(await realFolder(dir), files)
}
