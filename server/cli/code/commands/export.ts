import { readdir, rm } from 'node:fs/promises'
import type { Registration } from '../../cli.ts'
import { type ApiClient, connect } from '../../client/create-client.ts'
import { findProject, findWorkspace } from '../../client/find-resources.ts'
import { printJson, printLine } from '../../output/print.ts'
import { placeFor, realFolder, writeInside } from '../format/disk.ts'
import type { Folder } from '../format/files.ts'
import { readFolder } from '../format/read.ts'
import { scriptPath, writeFolder } from '../format/write.ts'
import { describe } from '../remote/describe.ts'
import { readPresent, type Selection } from '../remote/read-present.ts'
import { exportedSelection } from '../remote/selection.ts'

const EXAMPLES = `
Examples:
  soundline export monitoring
  soundline export --project Shop monitoring

Values of secrets and variables are not in the folder. A folder that was exported before is brought up to date: its files
keep their names, and its fromEnv stays.`

type Options = { project?: string; workspace?: string; prune?: boolean; json?: boolean }

export const registerExport: Registration = (program, cli, action) => {
  program
    .command('export')
    .summary('write the configuration to a folder')
    .description(
      'Writes projects, services, variables, webhook bindings and scripts to a folder of YAML and .lace files.',
    )
    .argument('<dir>', 'the folder')
    .option('--project <name>', 'only this project, by name or id')
    .option('--workspace <name>', 'only this workspace, by name or id; with --project, where to look for it')
    .option('--prune', 'delete the files of services that do not exist any more')
    .option('--json', 'print the paths as JSON')
    .addHelpText('after', EXAMPLES)
    .action(
      action(async (dir: string, options: Options) => {
        const { client } = await connect(cli)
        const before = await readBefore(dir)
        const present = await readPresent(client, await selectionOf(client, options))
        const folder = describe(present, before)
        const files = writeFolder(folder)
        const written = [...files.keys()].sort()
        const root = await realFolder(dir)
        await writeInside(root, files)
        const stale = staleFiles(before, folder)
        if (options.prune) for (const path of stale) await rm(await placeFor(root, path), { force: true })
        if (options.json) {
          printJson(cli, {
            files: written,
            stale,
            services: folder.projects.flatMap(({ services }) => services).length,
          })
          return undefined
        }
        printLine(cli, `${written.length} files in ${dir}`)
        for (const path of stale) {
          printLine(cli, options.prune ? `deleted ${path}` : `${path}: no longer exists (--prune deletes it)`)
        }
        if (present.webhooks === null) cli.note('This key may not read webhooks, so the folder does not contain them.')
        return undefined
      }),
    )
}

async function selectionOf(client: ApiClient, { project, workspace }: Options): Promise<Selection> {
  if (project !== undefined) return exportedSelection({ project: await findProject(client, project, workspace) })
  if (workspace === undefined) return exportedSelection({})
  return exportedSelection({ workspaceId: (await findWorkspace(client, workspace)).id })
}

/** The folder as it is, if it is one. @throws CliError for other files, and for a folder that cannot be read */
async function readBefore(dir: string): Promise<Folder | null> {
  const entries = await readdir(dir).catch(() => [])
  const visible = entries.filter((name) => !name.startsWith('.'))
  return visible.length === 0 ? null : readFolder(dir, { isEmptyAllowed: true })
}

/** Files of services that the exported projects no longer have. */
function staleFiles(before: Folder | null, now: Folder): string[] {
  const exported = new Set(now.projects.map(({ path }) => path))
  const others = (before?.projects ?? []).filter(({ path }) => !exported.has(path))
  // A service of another project may use the same script.
  const used = others.flatMap(({ services }) =>
    services.flatMap((service) => (service.file.script ? [scriptPath(service, service.file.script)] : [])),
  )
  const kept = new Set([...writeFolder(now).keys(), ...used])
  return now.projects.flatMap(({ path }) => {
    const old = before?.projects.find((project) => project.path === path)?.services ?? []
    return old.flatMap((service) => {
      if (kept.has(service.path)) return []
      const { script } = service.file
      return script && !kept.has(scriptPath(service, script))
        ? [service.path, scriptPath(service, script)]
        : [service.path]
    })
  })
}
