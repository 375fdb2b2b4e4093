import { ApiFailure, dataOf } from '../../client/api-failure.ts'
import type { ApiClient, Schemas } from '../../client/create-client.ts'
import { listProjects, listServices, listWorkspaces } from '../../client/find-resources.ts'
import { PAGE_SIZE, readAllPages } from '../../client/pages.ts'
import { byText } from '../format/paths.ts'
import type { Present, PresentBinding, PresentProject, PresentService, PresentWorkspace } from './present.ts'
import { readVariables, type VariableScope } from './read-variables.ts'

/** What is read. Without workspaces and projects, everything that the key can see. */
export type Selection = {
  organization: boolean
  /** Workspaces with everything in them. */
  workspaces: (workspace: { id: string; name: string }) => boolean
  /** Further projects. */
  projects: (workspace: { id: string; name: string }, project: { id: string; name: string }) => boolean
  /** Whether a workspace may have one of the further projects. */
  mayHaveProjects: (workspace: { id: string; name: string }) => boolean
}

/** Requests that are sent at the same time. */
const PARALLEL = 4

export async function readPresent(client: ApiClient, selection: Selection): Promise<Present> {
  const [agents, webhooks, organization, all] = await Promise.all([
    dataOf(client.GET('/api/public/v1/agents')),
    readWebhooks(client),
    selection.organization ? readOrganization(client) : null,
    listWorkspaces(client),
  ])
  const wanted = all.filter((one) => selection.workspaces(one) || selection.mayHaveProjects(one))
  const reader: Reader = { client, hasWebhooks: webhooks !== null }
  const workspaces: PresentWorkspace[] = []
  for (const one of wanted) workspaces.push(await readWorkspace(reader, one, selection))
  // The others are known by name, so that the folder does not create them again.
  const others = all.filter((one) => !wanted.includes(one)).map(({ id, name }) => ({ ...EMPTY, id, name }))
  return { organization, workspaces: [...workspaces, ...others], agents: agents.map(({ slug }) => slug), webhooks }
}

const EMPTY = { variables: [], webhooks: null, projects: [], isComplete: false }

type Reader = { client: ApiClient; hasWebhooks: boolean }

/** A workspace that the key sees only because of a project in it is not read as a whole. */
async function readWorkspace(
  reader: Reader,
  workspace: Schemas['Workspace'],
  selection: Selection,
): Promise<PresentWorkspace> {
  const { id, name } = workspace
  const isWanted = selection.workspaces(workspace)
  const scope = isWanted ? await unless('not_found', () => readScope(reader, 'workspace', id)) : null
  const projects: PresentProject[] = []
  for (const project of await listProjects(reader.client, id)) {
    if (!isWanted && !selection.projects(workspace, project)) continue
    const read = await unless('not_found', () => readProject(reader, project))
    if (read) projects.push(read)
  }
  return { ...EMPTY, ...scope, id, name, projects, isComplete: scope !== null }
}

async function readProject(reader: Reader, { id, name }: Schemas['Project']): Promise<PresentProject> {
  const scope = await readScope(reader, 'project', id)
  const listed = await listServices(reader.client, id)
  const services = await inParallel(listed, (service) => readService(reader, service))
  return { id, name, ...scope, services }
}

async function readService(reader: Reader, service: Schemas['Service']): Promise<PresentService> {
  const { id, name, label, labels, schedule, timezone, serviceWindow, probeMode, queuePolicy, saveResponseBodies } =
    service
  const { sendTraceparent, isActive, script, version } = service
  const [agents, scope] = await Promise.all([
    dataOf(reader.client.GET('/api/public/v1/services/{id}/agents', { params: { path: { id } } })),
    readScope(reader, 'service', id),
  ])
  return {
    ...{ id, name, label, labels, schedule, timezone, serviceWindow, probeMode, queuePolicy, saveResponseBodies },
    ...{ sendTraceparent, isActive, script, version, agents: agents.toSorted(byText) },
    ...scope,
  }
}

async function readScope(reader: Reader, type: Exclude<VariableScope, 'organization'>, id: string) {
  const [variables, webhooks] = await Promise.all([
    readVariables(reader.client, type, id),
    reader.hasWebhooks ? readBindings(reader.client, type, id) : null,
  ])
  return { variables, webhooks }
}

async function readOrganization(client: ApiClient): Promise<Present['organization']> {
  return unless('insufficient_permissions', async () => ({
    variables: await readVariables(client, 'organization', ''),
  }))
}

async function readBindings(
  client: ApiClient,
  resourceType: Exclude<VariableScope, 'organization'>,
  resourceId: string,
): Promise<PresentBinding[]> {
  const all = await readAllPages((page) => {
    const query = { resourceType, resourceId, page, pageSize: PAGE_SIZE }
    return dataOf(client.GET('/api/public/v1/webhooks/bindings', { params: { query } }))
  })
  return all.map(({ id, webhookId, webhookName, enabled }) => ({ id, webhookId, name: webhookName, enabled }))
}

function readWebhooks(client: ApiClient): Promise<{ id: string; name: string }[] | null> {
  return unless('insufficient_permissions', async () => {
    const all = await readAllPages((page) =>
      dataOf(client.GET('/api/public/v1/webhooks', { params: { query: { page, pageSize: PAGE_SIZE } } })),
    )
    return all.map(({ id, name }) => ({ id, name }))
  })
}

/** Returns null when the API refuses with this code. */
async function unless<T>(code: string, read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof ApiFailure && error.code === code) return null
    throw error
  }
}

async function inParallel<T, R>(all: readonly T[], read: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const work = async () => {
    for (let index = next++; index < all.length; index = next++) results[index] = await read(all[index] as T)
  }
  await Promise.all(Array.from({ length: PARALLEL }, work))
  return results
}
