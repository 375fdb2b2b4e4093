import { posix } from 'node:path'
import type { DescribedProject, DescribedService, Folder, ServiceFile, VariableEntry } from '../format/files.ts'
import { byText, fileNames } from '../format/paths.ts'
import { ORGANIZATION_FILE, PROJECT_FILE, WORKSPACE_FILE } from '../format/read.ts'
import {
  ALERTING_KEYS,
  type Present,
  type PresentBinding,
  type PresentProject,
  type PresentService,
  type PresentVariable,
  type PresentWorkspace,
} from './present.ts'
import { separateScripts } from './separate-scripts.ts'

/**
 * Describes the configuration of an installation as a folder. Paths and the places of values are those of `before`, the
 * folder that is exported again.
 */
export function describe(present: Present, before: Folder | null): Folder {
  const folder: Folder = { organization: null, workspaces: [], projects: [] }
  if (present.organization) {
    const old = before?.organization?.file.variables
    const variables = variablesOf(present.organization.variables, old)
    folder.organization = {
      path: before?.organization?.path ?? ORGANIZATION_FILE,
      file: { kind: 'organization', variables },
    }
  }
  const folders = foldersOf(present.workspaces, before?.workspaces ?? [], '.')
  for (const { resource: workspace, old, folder: base } of folders) {
    if (workspace.isComplete) folder.workspaces.push(describeWorkspace(workspace, base, old))
    for (const located of foldersOf(workspace.projects, before?.projects ?? [], base, workspace.name)) {
      folder.projects.push(describeProject(workspace.name, located))
    }
  }
  return separateScripts(folder, before)
}

type ResourceFolder<R, F> = { resource: R; old: F | undefined; folder: string }

/**
 * Finds the folder of each resource: the one that it has, else a new one in `parent`. Folders that the files name stay
 * theirs, even if the resource is not exported.
 */
function foldersOf<
  R extends { id: string; name: string },
  F extends { path: string; file: { id?: string | undefined; name: string; workspace?: string } },
>(resources: R[], before: F[], parent: string, workspace?: string): ResourceFolder<R, F>[] {
  const candidates = before.filter(({ file }) => file.workspace === workspace)
  const taken = before.map(({ path }) => posix.dirname(path)).filter((folder) => posix.dirname(folder) === parent)
  const found = resources
    .toSorted((a, b) => byText(a.name, b.name))
    .map((resource) => ({ resource, old: candidates.find(({ file }) => isSame(file, resource)) }))
  const fresh = fileNames(
    found.filter(({ old }) => !old).map(({ resource }) => resource.name),
    taken.map((folder) => posix.basename(folder)),
  )
  return found.map(({ resource, old }) => ({
    resource,
    old,
    folder: old ? posix.dirname(old.path) : posix.join(parent, fresh.shift() as string),
  }))
}

function describeWorkspace(
  workspace: PresentWorkspace,
  base: string,
  old: Folder['workspaces'][number] | undefined,
): Folder['workspaces'][number] {
  const { name, webhooks, variables } = workspace
  return {
    path: old?.path ?? posix.join(base, WORKSPACE_FILE),
    file: {
      kind: 'workspace',
      ...idOf(old),
      name,
      ...webhooksOf(webhooks),
      variables: variablesOf(variables, old?.file.variables),
    },
  }
}

function describeProject(
  workspace: string,
  { resource: project, old, folder }: ResourceFolder<PresentProject, DescribedProject>,
): DescribedProject {
  const services = project.services.toSorted((a, b) => byText(a.name, b.name))
  const known = services.map((service) => old?.services.find(({ file }) => isSame(file, service)))
  const taken = known.flatMap((found) => (found ? [posix.basename(found.path).replace(/\.ya?ml$/, '')] : []))
  const fresh = fileNames(
    services.filter((_, index) => !known[index]).map(({ name }) => name),
    [...taken, 'soundline', 'workspace', 'organization'],
  )
  return {
    path: old?.path ?? posix.join(folder, PROJECT_FILE),
    file: {
      kind: 'project',
      ...idOf(old),
      workspace,
      name: project.name,
      ...webhooksOf(project.webhooks),
      variables: variablesOf(project.variables, old?.file.variables),
    },
    services: services.map((service, index) => {
      const found = known[index]
      return describeService(service, found ?? { path: posix.join(folder, `${fresh.shift()}.yaml`) })
    }),
  }
}

function describeService(service: PresentService, old: { path: string; file?: ServiceFile }): DescribedService {
  const { name, label, labels, isActive, schedule, timezone, serviceWindow, script } = service
  const { saveResponseBodies, sendTraceparent, agents } = service
  const stem = posix.basename(old.path).replace(/\.ya?ml$/, '')
  return {
    path: old.path,
    script,
    file: {
      kind: 'service',
      ...idOf(old),
      name,
      // A file that has `labels` keeps the field.
      ...(labels.length > 1 || old.file?.labels ? { labels } : { label }),
      ...{ isActive, schedule, timezone, serviceWindow },
      script: script === null ? null : (old.file?.script ?? `${stem}.lace`),
      probeMode: service.probeMode as NonNullable<ServiceFile['probeMode']>,
      queuePolicy: service.queuePolicy as NonNullable<ServiceFile['queuePolicy']>,
      ...{ saveResponseBodies, sendTraceparent, agents },
      alerting: alertingOf(service.variables),
      ...webhooksOf(service.webhooks),
      variables: variablesOf(service.variables, old.file?.variables),
    },
  }
}

function isSame(file: { id?: string | undefined; name: string }, resource: { id: string; name: string }): boolean {
  return file.id === undefined ? file.name === resource.name : file.id === resource.id
}

function idOf(old: { file?: { id?: string | undefined } } | undefined): { id?: string } {
  return old?.file?.id === undefined ? {} : { id: old.file.id }
}

function webhooksOf(webhooks: PresentBinding[] | null): { webhooks?: { name: string; enabled: boolean }[] } {
  return webhooks === null ? {} : { webhooks: webhooks.map(({ name, enabled }) => ({ name, enabled })) }
}

function alertingOf(variables: PresentVariable[]): NonNullable<ServiceFile['alerting']> {
  const entries = ALERTING_KEYS.flatMap((key) => {
    const value = variables.find((variable) => variable.isSystem && variable.key === key)?.value
    return value == null ? [] : [[key, value === 'true' || (value !== 'false' && Number(value))] as const]
  })
  return Object.fromEntries(entries)
}

/** A value that the installation hides stays as the folder had it before. */
function variablesOf(
  variables: PresentVariable[],
  before: Record<string, VariableEntry> | undefined,
): Record<string, VariableEntry> {
  const own = variables.filter(({ isSystem }) => !isSystem)
  return Object.fromEntries(
    own.map(({ key, type, value, allowedHosts }) => {
      const old = before?.[key]?.type === type ? before[key] : undefined
      const entry: VariableEntry = { type: type as VariableEntry['type'] }
      if (value !== null) entry.value = value
      else if (old?.value !== undefined) entry.value = old.value
      if (old?.fromEnv !== undefined) entry.fromEnv = old.fromEnv
      if (type === 'secret') entry.allowedHosts = allowedHosts
      return [key, entry]
    }),
  )
}
