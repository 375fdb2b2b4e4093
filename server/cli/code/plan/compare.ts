import type { DescribedProject, Folder } from '../format/files.ts'
import type { Present, PresentProject, PresentService, PresentWorkspace } from '../remote/present.ts'
import { type ContainerChange, type Path, type Plan, pathKey, pathText } from './changes.ts'
import { compareVariables, compareWebhooks, type Options } from './compare-scope.ts'
import { compareService } from './compare-service.ts'

/** Compares a folder with the installation. */
export function comparePlan(folder: Folder, present: Present, options: Options): Plan {
  const plan: Plan = { changes: [], undescribed: [], problems: [], ids: new Map(), hiddenValues: 0, variables: [] }
  if (folder.organization) {
    if (present.organization) {
      const { variables } = folder.organization.file
      compareVariables(plan, [], variables, present.organization.variables, options)
    } else plan.problems.push('the organization: this key may not read its variables')
  }
  for (const name of workspaceNames(folder)) compareWorkspace(plan, name, folder, present, options)
  if (folder.organization) {
    const described = new Set(workspaceNames(folder))
    for (const { id, name } of present.workspaces) {
      if (!described.has(name) && !isRenamed(folder.workspaces, id))
        plan.undescribed.push(deletion('workspace', [name], id))
    }
  }
  return plan
}

function workspaceNames({ workspaces, projects }: Folder): string[] {
  return [...new Set([...workspaces.map(({ file }) => file.name), ...projects.map(({ file }) => file.workspace)])]
}

function compareWorkspace(plan: Plan, name: string, folder: Folder, present: Present, options: Options): void {
  const path = [name]
  const described = folder.workspaces.find(({ file }) => file.name === name)
  const found = match(described?.file ?? { name }, present.workspaces, plan, path)
  compareContainer(plan, 'workspace', path, found)
  const file = described?.file
  compareVariables(plan, path, file?.variables, found?.variables ?? [], options)
  compareWebhooks(plan, path, file?.webhooks, found ? found.webhooks : present.webhooks && [], present)
  const projects = folder.projects.filter(({ file }) => file.workspace === name)
  for (const project of projects) compareProject(plan, project, found, present, options)
  if (!described) return
  for (const { id, name: other } of found?.projects ?? []) {
    const isDescribed = projects.some(({ file }) => file.name === other || file.id === id)
    if (!isDescribed) plan.undescribed.push(deletion('project', [name, other], id))
  }
}

function compareProject(
  plan: Plan,
  { file, services }: DescribedProject,
  workspace: PresentWorkspace | null,
  present: Present,
  options: Options,
): void {
  const path = [file.workspace, file.name]
  const found: PresentProject | null = match(file, workspace?.projects ?? [], plan, path)
  compareContainer(plan, 'project', path, found)
  compareVariables(plan, path, file.variables, found?.variables ?? [], options)
  compareWebhooks(plan, path, file.webhooks, found ? found.webhooks : present.webhooks && [], present)
  const known = found?.services ?? []
  const matched = new Set<PresentService>()
  for (const service of services) {
    const same = match(service.file, known, plan, [...path, service.file.name])
    if (same) matched.add(same)
    compareService(plan, path, service, same, present, options)
  }
  for (const service of known) {
    if (matched.has(service)) continue
    const { id, version } = service
    plan.undescribed.push({ kind: 'service', op: 'delete', path: [...path, service.name], id, version, fields: {} })
  }
}

function compareContainer(
  plan: Plan,
  kind: ContainerChange['kind'],
  path: Path,
  found: { id: string; name: string } | null,
): void {
  const name = path.at(-1) as string
  if (found) plan.ids.set(pathKey(path), found.id)
  if (!found) plan.changes.push({ kind, op: 'create', path, fields: {} })
  else if (found.name !== name) {
    plan.changes.push({ kind, op: 'update', path, id: found.id, fields: { name: { from: found.name, to: name } } })
  }
}

/** An id finds a resource that has another name; without an id, or when the id is of another installation, the name. */
function match<T extends { id: string; name: string }>(
  file: { id?: string | undefined; name: string },
  present: readonly T[],
  plan: Plan,
  path: Path,
): T | null {
  const byName = present.find(({ name }) => name === file.name) ?? null
  const byId = present.find(({ id }) => id === file.id) ?? null
  if (byId && byName && byId !== byName) {
    plan.problems.push(`${pathText(path)}: id: ${file.id} has another name, and this name is taken`)
  }
  return byId ?? byName
}

function isRenamed(workspaces: Folder['workspaces'], id: string): boolean {
  return workspaces.some(({ file }) => file.id === id)
}

function deletion(kind: ContainerChange['kind'], path: Path, id: string): ContainerChange {
  return { kind, op: 'delete', path, id, fields: {} }
}
