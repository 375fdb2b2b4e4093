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

/**
 * Describes what an installation holds as a folder. Paths and the places of values are those of `before`, the folder that
 * is exported again.
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
  const workspaces = present.workspaces.toSorted((a, b) => byText(a.name, b.name))
  const names = fileNames(workspaces.map(({ name }) => name))
  workspaces.forEach((workspace, index) => {
    const base = names[index] as string
    if (workspace.isComplete) folder.workspaces.push(describeWorkspace(workspace, base, before))
    const projects = workspace.projects.toSorted((a, b) => byText(a.name, b.name))
    const folders = fileNames(projects.map(({ name }) => name))
    projects.forEach((project, at) => {
      folder.projects.push(describeProject(workspace.name, project, posix.join(base, folders[at] as string), before))
    })
  })
  return folder
}

function describeWorkspace(
  workspace: PresentWorkspace,
  base: string,
  before: Folder | null,
): Folder['workspaces'][number] {
  const old = before?.workspaces.find(({ file }) => isSame(file, workspace))
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
  project: PresentProject,
  base: string,
  before: Folder | null,
): DescribedProject {
  const inWorkspace = before?.projects.filter(({ file }) => file.workspace === workspace)
  const old = inWorkspace?.find(({ file }) => isSame(file, project))
  const folder = old ? posix.dirname(old.path) : base
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
  const { name, label, isActive, schedule, serviceWindow, script, saveResponseBodies, agents } = service
  const stem = posix.basename(old.path).replace(/\.ya?ml$/, '')
  return {
    path: old.path,
    script,
    file: {
      kind: 'service',
      ...idOf(old),
      ...{ name, label, isActive, schedule, serviceWindow },
      script: script === null ? null : (old.file?.script ?? `${stem}.lace`),
      probeMode: service.probeMode as NonNullable<ServiceFile['probeMode']>,
      queuePolicy: service.queuePolicy as NonNullable<ServiceFile['queuePolicy']>,
      ...{ saveResponseBodies, agents },
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
    return value == null ? [] : [[key, key === 'alertOnRecovery' ? value === 'true' : Number(value)] as const]
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
