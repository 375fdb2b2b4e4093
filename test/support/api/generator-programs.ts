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

export const GENERATOR_PROGRAMS: Record<string, string> = {
  'openapi-typescript': OPENAPI_TYPESCRIPT,
  'hey-api': HEY_API,
}
