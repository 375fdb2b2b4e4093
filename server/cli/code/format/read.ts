import { readdir } from 'node:fs/promises'
import { join, posix } from 'node:path'
import type { z } from 'zod'
import { readYaml, YamlError } from '../../../language/script-import/yaml.ts'
import { CliError } from '../../exit-codes.ts'
import { FILE_BYTES_MAX, isHidden, readInside, realFolder } from './disk.ts'
import { CodeFile, type Described, type DescribedProject, type DescribedService, type Folder } from './files.ts'
import { byText } from './paths.ts'
import { scriptPath } from './write.ts'

/** Problems of a folder: one line per problem, with its file. */
export class FolderError extends CliError {
  override readonly name = 'FolderError'
  readonly problems: string[]

  constructor(problems: string[]) {
    super(['The folder cannot be read:', ...problems.map((problem) => `  ${problem}`)].join('\n'))
    this.problems = problems
  }
}

export const PROJECT_FILE = 'soundline.yaml'
export const WORKSPACE_FILE = 'workspace.yaml'
export const ORGANIZATION_FILE = 'organization.yaml'

const FILES_MAX = 20_000
const DEPTH_MAX = 8

/**
 * Reads a folder. Only `organization.yaml`, `workspace.yaml`, `soundline.yaml` and the YAML files beside a
 * `soundline.yaml` are read.
 * @throws FolderError with every problem
 */
export async function readFolder(root: string, options: { isEmptyAllowed?: boolean } = {}): Promise<Folder> {
  const real = await realFolder(root)
  const { files, links } = await listFiles(root, real)
  const problems: string[] = []
  const found: Described<CodeFile>[] = []
  // Skipping a link would look like a deleted service.
  for (const path of links) {
    if (isCode(path, files)) problems.push(`${path}: is a symbolic link; only scripts may be links`)
  }
  for (const path of [...files].filter((one) => isCode(one, files))) {
    const read = await readCodeFile(real, path)
    if ('problems' in read) problems.push(...read.problems)
    else found.push(read)
  }
  const folder = folderOf(found, problems)
  for (const { services } of folder.projects) await readScripts(real, services, problems)
  findRepeated(folder, problems)
  const isEmpty = found.length === 0 && problems.length === 0
  if (isEmpty && !options.isEmptyAllowed) problems.push(`${root}: no soundline.yaml in this folder`)
  if (problems.length > 0) throw new FolderError(problems)
  return folder
}

async function listFiles(root: string, real: string): Promise<{ files: Set<string>; links: string[] }> {
  const files = new Set<string>()
  const links: string[] = []
  const visit = async (folder: string, depth: number): Promise<void> => {
    const entries = await readdir(join(real, folder), { withFileTypes: true }).catch((error: Error) => {
      throw new FolderError([`${join(root, folder)}: ${error.message}`])
    })
    for (const entry of entries.toSorted((a, b) => byText(a.name, b.name))) {
      const path = posix.join(folder, entry.name)
      const isSkipped = isHidden(entry.name) || entry.name === 'node_modules'
      if (entry.isDirectory() && !isSkipped && depth < DEPTH_MAX) await visit(path, depth + 1)
      if (entry.isFile()) files.add(path)
      if (entry.isSymbolicLink()) links.push(path)
      if (files.size > FILES_MAX) throw new FolderError([`${root}: more than ${FILES_MAX} files`])
    }
  }
  await visit('', 0)
  return { files, links }
}

function isCode(path: string, paths: Set<string>): boolean {
  const name = posix.basename(path)
  if (name === PROJECT_FILE || name === WORKSPACE_FILE || name === ORGANIZATION_FILE) return true
  return /\.ya?ml$/.test(name) && paths.has(posix.join(posix.dirname(path), PROJECT_FILE))
}

async function readCodeFile(root: string, path: string): Promise<Described<CodeFile> | { problems: string[] }> {
  let value: unknown
  try {
    value = readYaml(await readInside(root, path), FILE_BYTES_MAX)
  } catch (error) {
    const reasons = error instanceof YamlError ? error.problems : [(error as Error).message]
    return { problems: reasons.map((reason) => `${path}: ${reason}`) }
  }
  const parsed = CodeFile.safeParse(value)
  if (!parsed.success) return { problems: parsed.error.issues.flatMap((issue) => describeIssue(path, issue)) }
  const expected = KIND_OF[posix.basename(path)] ?? 'service'
  if (parsed.data.kind === expected) return { path, file: parsed.data }
  return { problems: [`${path}: kind must be ${expected} in a file of this name`] }
}

const KIND_OF: Record<string, CodeFile['kind']> = {
  [PROJECT_FILE]: 'project',
  [WORKSPACE_FILE]: 'workspace',
  [ORGANIZATION_FILE]: 'organization',
}

function describeIssue(path: string, issue: z.core.$ZodIssue): string[] {
  const field = issue.path.join('.')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `${path}: ${[...issue.path, key].join('.')} is not a field of this format`)
  }
  return [`${path}: ${field ? `${field}: ` : ''}${issue.message}`]
}

function folderOf(found: Described<CodeFile>[], problems: string[]): Folder {
  const folder: Folder = { organization: null, workspaces: [], projects: [] }
  const projects = new Map<string, DescribedProject>()
  for (const { path, file } of found) {
    if (file.kind === 'workspace') folder.workspaces.push({ path, file })
    if (file.kind === 'organization' && folder.organization) problems.push(`${path}: a second organization.yaml`)
    else if (file.kind === 'organization') folder.organization = { path, file }
    if (file.kind === 'project') projects.set(posix.dirname(path), { path, file, services: [] })
  }
  for (const { path, file } of found) {
    if (file.kind === 'service')
      projects.get(posix.dirname(path))?.services.push({ path, file, script: file.script === null ? null : undefined })
  }
  return { ...folder, projects: [...projects.values()] }
}

async function readScripts(root: string, services: DescribedService[], problems: string[]): Promise<void> {
  for (const service of services) {
    const { script } = service.file
    if (!script) continue
    const path = scriptPath(service, script)
    if (posix.isAbsolute(script) || path.startsWith('..')) {
      problems.push(`${service.path}: script: must be a path inside the folder`)
      continue
    }
    try {
      service.script = await readInside(root, path)
    } catch (error) {
      problems.push(`${service.path}: script: cannot read ${path}: ${(error as Error).message}`)
    }
  }
}

/** Names and ids find resources, so each may occur once. */
function findRepeated(folder: Folder, problems: string[]): void {
  const seen = new Map<string, string>()
  const once = (path: string, what: string, ...key: string[]) => {
    const before = seen.get(key.join('\0'))
    if (before !== undefined) problems.push(`${path}: ${what} is also in ${before}`)
    else seen.set(key.join('\0'), path)
  }
  for (const { path, file } of folder.workspaces) once(path, `the workspace "${file.name}"`, 'w', file.name)
  for (const { path, file, services } of folder.projects) {
    once(path, `the project "${file.name}"`, 'p', file.workspace, file.name)
    for (const service of services) {
      once(service.path, `the service "${service.file.name}"`, 's', file.workspace, file.name, service.file.name)
    }
  }
  const all = [...folder.workspaces, ...folder.projects, ...folder.projects.flatMap(({ services }) => services)]
  for (const { path, file } of all) if (file.id) once(path, `the id ${file.id}`, 'id', file.id)
}
