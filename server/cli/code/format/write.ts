import { posix } from 'node:path'
import { stringify } from 'yaml'
import type { CodeFile, Described, Folder, ServiceFile, VariableEntry, WebhookEntry } from './files.ts'
import { SCHEMA_NAME, schemaText } from './json-schema.ts'
import { byText } from './paths.ts'

/**
 * Returns the texts of a folder's files by path. The same content gives the same bytes.
 * @throws Error when two resources have different texts for one file
 */
export function writeFolder(folder: Folder): Map<string, string> {
  const files = new Map<string, string>([[SCHEMA_NAME, schemaText()]])
  const set = (path: string, text: string) => {
    if (files.has(path) && files.get(path) !== text)
      throw new Error(`Two resources have different contents for ${path}`)
    files.set(path, text)
  }
  const add = ({ path, file }: Described<CodeFile>) => set(path, fileText(path, file))
  if (folder.organization) add(folder.organization)
  for (const workspace of folder.workspaces) add(workspace)
  for (const project of folder.projects) {
    add(project)
    for (const service of project.services) {
      add(service)
      if (service.file.script && service.script) set(scriptPath(service, service.file.script), service.script)
    }
  }
  return files
}

/** Returns the path of a script, relative to the folder. */
export function scriptPath({ path }: { path: string }, script: string): string {
  return posix.join(posix.dirname(path), script)
}

function fileText(path: string, file: CodeFile): string {
  const schema = posix.relative(posix.dirname(path), SCHEMA_NAME)
  return `# yaml-language-server: $schema=${schema}\n${stringify(ordered(file), { lineWidth: 0 })}`
}

/** In the order of this list, whatever order the file was read in. */
const FIELDS = [
  ...[
    'kind',
    'id',
    'workspace',
    'name',
    'label',
    'labels',
    'isActive',
    'schedule',
    'timezone',
    'serviceWindow',
    'script',
  ],
  ...[
    'probeMode',
    'queuePolicy',
    'saveResponseBodies',
    'sendTraceparent',
    'agents',
    'alerting',
    'webhooks',
    'variables',
  ],
]

function ordered(file: CodeFile): Record<string, unknown> {
  const { agents } = file as ServiceFile
  const given: Record<string, unknown> = {
    ...file,
    ...(agents && { agents: agents.toSorted(byText) }),
    ...('webhooks' in file && file.webhooks && { webhooks: orderedWebhooks(file.webhooks) }),
    ...(file.variables && { variables: orderedVariables(file.variables) }),
  }
  return Object.fromEntries(
    FIELDS.flatMap((field) => (given[field] === undefined ? [] : [[field, given[field]] as [string, unknown]])),
  )
}

function orderedWebhooks(webhooks: WebhookEntry[]): WebhookEntry[] {
  return webhooks.toSorted((a, b) => byText(a.name, b.name))
}

function orderedVariables(variables: Record<string, VariableEntry>): Record<string, VariableEntry> {
  const keys = Object.keys(variables).sort(byText)
  return Object.fromEntries(
    keys.map((key) => {
      const { type, value, fromEnv, allowedHosts } = variables[key] as VariableEntry
      return [
        key,
        {
          type,
          ...(value !== undefined && { value }),
          ...(fromEnv !== undefined && { fromEnv }),
          ...(allowedHosts !== undefined && { allowedHosts }),
        },
      ]
    }),
  )
}
