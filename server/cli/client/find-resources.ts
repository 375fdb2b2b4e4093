import { CliError } from '../exit-codes.ts'
import { dataOf } from './api-failure.ts'
import type { ApiClient, Schemas } from './create-client.ts'
import { PAGE_SIZE, readAllPages } from './pages.ts'

// Workspaces, projects and services by what users write: an id or a name.

/** Narrows a search. Each is a name or an id. */
export type Within = { workspace?: string | undefined; project?: string | undefined }

type Workspace = Schemas['Workspace']
type Project = Schemas['Project']
type Service = Schemas['Service']

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function listWorkspaces(client: ApiClient): Promise<Workspace[]> {
  return readAllPages((page) =>
    dataOf(client.GET('/api/public/v1/workspaces', { params: { query: { page, pageSize: PAGE_SIZE } } })),
  )
}

export function listProjects(client: ApiClient, workspaceId: string): Promise<Project[]> {
  return readAllPages((page) =>
    dataOf(client.GET('/api/public/v1/projects', { params: { query: { page, pageSize: PAGE_SIZE, workspaceId } } })),
  )
}

export function listServices(client: ApiClient, projectId: string): Promise<Service[]> {
  return readAllPages((page) =>
    dataOf(client.GET('/api/public/v1/services', { params: { query: { page, pageSize: PAGE_SIZE, projectId } } })),
  )
}

/** @throws CliError when there is none, or when several have this name */
export async function findWorkspace(client: ApiClient, reference: string): Promise<Workspace> {
  if (ID.test(reference)) {
    return dataOf(client.GET('/api/public/v1/workspaces/{id}', { params: { path: { id: reference } } }))
  }
  const all = await listWorkspaces(client)
  return pickOne('workspace', reference, all, ({ name }) => name)
}

/** @throws CliError when there is none, or when several have this name */
export async function findProject(client: ApiClient, reference: string, workspace?: string): Promise<Project> {
  if (ID.test(reference)) {
    return dataOf(client.GET('/api/public/v1/projects/{id}', { params: { path: { id: reference } } }))
  }
  const workspaces = workspace === undefined ? await listWorkspaces(client) : [await findWorkspace(client, workspace)]
  const all = await readEach(workspaces, ({ id }) => listProjects(client, id))
  const names = namesOf(workspaces)
  return pickOne('project', reference, all, ({ workspaceId, name }) => `${names.get(workspaceId)} / ${name}`)
}

/** Returns the projects within a project or workspace, by default of the organization. @throws CliError */
export async function projectsWithin(client: ApiClient, { workspace, project }: Within): Promise<Project[]> {
  if (project !== undefined) return [await findProject(client, project, workspace)]
  const workspaces = workspace === undefined ? await listWorkspaces(client) : [await findWorkspace(client, workspace)]
  return readEach(workspaces, ({ id }) => listProjects(client, id))
}

export function servicesOf(client: ApiClient, projects: Project[]): Promise<Service[]> {
  return readEach(projects, ({ id }) => listServices(client, id))
}

/**
 * Finds services by ids and names, in this order, each once. A name without a project costs a request for each project.
 * @throws CliError when there is none, or when several have this name
 */
export async function findServices(client: ApiClient, references: string[], within: Within): Promise<Service[]> {
  const hasNames = references.some((reference) => !ID.test(reference))
  const projects = hasNames ? await projectsWithin(client, within) : []
  const services = await servicesOf(client, projects)
  const names = namesOf(projects)
  const found = new Map<string, Service>()
  for (const reference of references) {
    const service = ID.test(reference)
      ? await dataOf(client.GET('/api/public/v1/services/{id}', { params: { path: { id: reference } } }))
      : pickOne('service', reference, services, ({ projectId, name }) => `${names.get(projectId)} / ${name}`)
    found.set(service.id, service)
  }
  return [...found.values()]
}

export async function findService(client: ApiClient, reference: string, within: Within): Promise<Service> {
  const [found] = await findServices(client, [reference], within)
  return found as Service
}

/** Returns the id of the narrowest that is given, as the API takes it; none for the whole organization. */
export async function findScope(client: ApiClient, { service, ...within }: Within & { service?: string | undefined }) {
  const { project, workspace } = within
  if (service !== undefined) return { serviceId: (await findService(client, service, within)).id }
  if (project !== undefined) return { projectId: (await findProject(client, project, workspace)).id }
  return workspace === undefined ? {} : { workspaceId: (await findWorkspace(client, workspace)).id }
}

/** The name as written, in the form NFC that names are stored in, wins over names that differ in upper and lower case. */
function pickOne<T extends { id: string; name: string }>(
  kind: string,
  given: string,
  all: T[],
  describe: (one: T) => string,
): T {
  const name = given.normalize('NFC')
  const exact = all.filter((one) => one.name === name)
  const candidates = exact.length > 0 ? exact : all.filter((one) => one.name.toLowerCase() === name.toLowerCase())
  const [first, second] = candidates
  if (!first) throw new CliError(`There is no ${kind} ${JSON.stringify(name)} that this key can see`)
  if (!second) return first
  const lines = candidates.map((one) => `  ${one.id}  ${describe(one)}`)
  throw new CliError([`Several ${kind}s are called ${JSON.stringify(name)}; use an id:`, ...lines].join('\n'))
}

function namesOf(all: { id: string; name: string }[]): Map<string, string> {
  return new Map(all.map(({ id, name }) => [id, name]))
}

/** One after another, so that a command takes no more than its share. */
async function readEach<T, R>(all: T[], read: (one: T) => Promise<R[]>): Promise<R[]> {
  const found: R[] = []
  for (const one of all) found.push(...(await read(one)))
  return found
}
