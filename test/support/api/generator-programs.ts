// One short scenario, written for the client of each generator: create, run, read, be refused, delete. Each program prints
// what it found as JSON, and holds what its types must accept and reject.

const OPENAPI_TYPESCRIPT = `
import { createSoundlineClient, type Schemas } from './soundline-client/client.ts'

const { SOUNDLINE_URL = '', SOUNDLINE_KEY = '' } = process.env
const client = createSoundlineClient({ baseUrl: SOUNDLINE_URL, apiKey: SOUNDLINE_KEY })

function data<T>(answer: { data?: T; error?: unknown; response: Response }): T {
  if (answer.data === undefined) throw new Error(answer.response.status + ' ' + JSON.stringify(answer.error))
  return answer.data
}

const workspace = data(await client.POST('/api/public/v1/workspaces', { body: { name: 'openapi-typescript' } }))
const project = data(
  await client.POST('/api/public/v1/projects', { body: { workspaceId: workspace.id, name: 'Checkout' } }),
)
const service = data(
  await client.POST('/api/public/v1/services', {
    body: { projectId: project.id, name: 'Shop', schedule: '0 0 1 1 *', script: 'get("https://shop.example.com/").expect(status: 200)' },
  }),
)
const requested = data(
  await client.POST('/api/public/v1/services/{id}/run', {
    params: { path: { id: service.id } },
    body: { note: 'deploy 42' },
  }),
)
const run: Schemas['Run'] = data(
  await client.GET('/api/public/v1/services/{id}/runs/{runId}', {
    params: { path: { id: service.id, runId: requested.runId }, query: { wait: 0 } },
  }),
)
const { error, response } = await client.POST('/api/public/v1/workspaces', { body: { name: 'openapi-typescript' } })
const removed = data(
  await client.DELETE('/api/public/v1/workspaces/{id}', { params: { path: { id: workspace.id } } }),
)
console.log(
  JSON.stringify({
    run: [run.state, run.cause, run.note],
    refusal: [response.status, error?.error, error?.details?.field],
    removed: removed.ok,
  }),
)

export const laterState: Schemas['Run']['state'] = 'of a later version'
// @ts-expect-error the name is required
export const neverCalled = () => client.POST('/api/public/v1/workspaces', { body: {} })
`

const HEY_API = `
import { client } from './hey-api/client.gen.ts'
import {
  createProject, createService, createWorkspace, deleteWorkspace, getRun, type Run, runService,
} from './hey-api/index.ts'

const { SOUNDLINE_URL = '', SOUNDLINE_KEY = '' } = process.env
client.setConfig({ baseUrl: SOUNDLINE_URL, auth: SOUNDLINE_KEY })

const throwOnError = true
const { data: workspace } = await createWorkspace({ body: { name: 'hey-api' }, throwOnError })
const { data: project } = await createProject({ body: { workspaceId: workspace.id, name: 'Checkout' }, throwOnError })
const { data: service } = await createService({
  body: { projectId: project.id, name: 'Shop', schedule: '0 0 1 1 *', script: 'get("https://shop.example.com/").expect(status: 200)' },
  throwOnError,
})
const { data: requested } = await runService({ path: { id: service.id }, body: { note: 'deploy 42' }, throwOnError })
const read = await getRun({ path: { id: service.id, runId: requested.runId }, query: { wait: 0 }, throwOnError })
const run: Run = read.data
const { error, response } = await createWorkspace({ body: { name: 'hey-api' } })
const { data: removed } = await deleteWorkspace({ path: { id: workspace.id }, throwOnError })
console.log(
  JSON.stringify({
    run: [run.state, run.cause, run.note],
    refusal: [response?.status, error?.error, error?.details?.field],
    removed: removed.ok,
  }),
)

export const laterState: Run['state'] = 'of a later version'
// @ts-expect-error the name is required
export const neverCalled = () => createWorkspace({ body: {} })
`

/** The responses of orval are unions by status. */
const ORVAL = `
import {
  createProject, createService, createWorkspace, deleteWorkspace, getRun, type Run, runService,
} from './orval.ts'

const options = { headers: { authorization: 'Bearer ' + process.env.SOUNDLINE_KEY } }

function refused(answer: { status: number; data: unknown }): never {
  throw new Error(answer.status + ' ' + JSON.stringify(answer.data))
}

const workspace = await createWorkspace({ name: 'orval' }, options)
if (workspace.status !== 200) refused(workspace)
const project = await createProject({ workspaceId: workspace.data.id, name: 'Checkout' }, options)
if (project.status !== 200) refused(project)
const service = await createService(
  { projectId: project.data.id, name: 'Shop', schedule: '0 0 1 1 *', script: 'get("https://shop.example.com/").expect(status: 200)' },
  options,
)
if (service.status !== 200) refused(service)
const requested = await runService(service.data.id, { note: 'deploy 42' }, undefined, options)
if (requested.status !== 202) refused(requested)
const read = await getRun(service.data.id, requested.data.runId, { wait: 0 }, options)
if (read.status !== 200) refused(read)
const run: Run = read.data
const again = await createWorkspace({ name: 'orval' }, options)
if (again.status === 200) throw new Error('The name was not refused')
const removed = await deleteWorkspace(workspace.data.id, options)
if (removed.status !== 200) refused(removed)
console.log(
  JSON.stringify({
    run: [run.state, run.cause, run.note],
    refusal: [again.status, again.data.error, again.data.details?.field],
    removed: removed.data.ok,
  }),
)

export const laterState: Run['state'] = 'of a later version'
// @ts-expect-error the name is required
export const neverCalled = () => createWorkspace({})
`

/** The responses of kubb have the type of success for each status, and its requests need their content type. */
const KUBB = `
import { setConfig } from '@kubb/plugin-client/clients/fetch'
import {
  createProject, createService, createWorkspace, deleteWorkspace, type Error as Refusal, getRun, type Run, runService,
  type Workspace,
} from './kubb/index.ts'

const { SOUNDLINE_URL = '', SOUNDLINE_KEY = '' } = process.env
setConfig({
  baseURL: SOUNDLINE_URL,
  headers: { Authorization: 'Bearer ' + SOUNDLINE_KEY, 'Content-Type': 'application/json' },
})

function data<T>(answer: { status: number; data: T }): T {
  if (answer.status >= 400) throw new Error(answer.status + ' ' + JSON.stringify(answer.data))
  return answer.data
}

function asRefusal(body: Workspace | Refusal): Refusal {
  if (!('error' in body)) throw new Error('The name was not refused')
  return body
}

const workspace = data(await createWorkspace({ data: { name: 'kubb' } }))
const project = data(await createProject({ data: { workspaceId: workspace.id, name: 'Checkout' } }))
const service = data(
  await createService({
    data: { projectId: project.id, name: 'Shop', schedule: '0 0 1 1 *', script: 'get("https://shop.example.com/").expect(status: 200)' },
  }),
)
const requested = data(await runService({ id: service.id, data: { note: 'deploy 42' } }))
const run: Run = data(await getRun({ id: service.id, runId: requested.runId, params: { wait: 0 } }))
const again = await createWorkspace({ data: { name: 'kubb' } })
const refusal = asRefusal(again.data)
const removed = data(await deleteWorkspace({ id: workspace.id }))
console.log(
  JSON.stringify({
    run: [run.state, run.cause, run.note],
    refusal: [again.status, refusal.error, refusal.details?.field],
    removed: removed.ok,
  }),
)

export const laterState: Run['state'] = 'of a later version'
// @ts-expect-error the name is required
export const neverCalled = () => createWorkspace({ data: {} })
`

/** The scenario for each generator, by its name. */
export const GENERATOR_PROGRAMS: Record<string, string> = {
  'openapi-typescript': OPENAPI_TYPESCRIPT,
  'hey-api': HEY_API,
  orval: ORVAL,
  kubb: KUBB,
}
