/**
 * A program against the generated client beside it: from a workspace to the stored body of a step. It takes the address
 * to probe from TARGET_URL and prints what it found as JSON. Lines that must not compile say so.
 */
export const FROM_WORKSPACE_TO_BODY = `
import { setTimeout as sleep } from 'node:timers/promises'
import { createSoundlineClient, type Schemas } from './soundline-client/client.ts'

const { SOUNDLINE_URL = '', SOUNDLINE_KEY = '', TARGET_URL = '' } = process.env
// A trailing slash in the address is accepted.
const client = createSoundlineClient({ baseUrl: SOUNDLINE_URL + '/', apiKey: SOUNDLINE_KEY })

function data<T>(answer: { data?: T; error?: unknown; response: Response }): T {
  if (answer.data === undefined) throw new Error(answer.response.status + ' ' + JSON.stringify(answer.error))
  return answer.data
}

const key = data(await client.GET('/api/public/v1/key'))
const workspace: Schemas['Workspace'] = data(await client.POST('/api/public/v1/workspaces', { body: { name: 'Driven' } }))
const again = await client.POST('/api/public/v1/workspaces', { body: { name: 'Driven' } })
const project = data(
  await client.POST('/api/public/v1/projects', { body: { workspaceId: workspace.id, name: 'Checkout' } }),
)
const service = data(
  await client.POST('/api/public/v1/services', { body: { projectId: project.id, name: 'Shop', schedule: '0 0 1 1 *' } }),
)
const byId = { params: { path: { id: service.id } } }
const saved = data(
  await client.PATCH('/api/public/v1/services/{id}/script', {
    ...byId,
    body: { script: 'get("' + TARGET_URL + '").expect(status: 200)', version: service.version },
  }),
)
const run = data(await client.POST('/api/public/v1/services/{id}/run', byId))

let summary: Schemas['ResultSummary'] | undefined
while (!summary) {
  await sleep(300)
  const query = { since: run.requestedAt }
  const page = data(
    await client.GET('/api/public/v1/services/{id}/results', { params: { path: { id: service.id }, query } }),
  )
  summary = page.items[0]
}
const result = data(
  await client.GET('/api/public/v1/services/{id}/results/{resultId}', {
    params: { path: { id: service.id, resultId: summary.id } },
  }),
)
const [step] = result.steps
if (!step) throw new Error('a result without steps')
const path = { id: service.id, resultId: result.id, stepId: step.id }
const body = data(
  await client.GET('/api/public/v1/services/{id}/results/{resultId}/steps/{stepId}/body', { params: { path } }),
)
const removed = data(
  await client.DELETE('/api/public/v1/workspaces/{id}', { params: { path: { id: workspace.id } } }),
)

console.log(
  JSON.stringify({
    access: key.access,
    refusal: [again.response.status, again.error?.error],
    isActive: saved.isActive,
    status: result.status,
    statusCode: step.statusCode,
    // For a step without a stored body, the response is 204 without content.
    content: body?.content,
    removed: removed.ok,
  }),
)

export const laterState: Schemas['Run']['state'] = 'of a later version'

export async function neverCalled() {
  // @ts-expect-error the name is required
  await client.POST('/api/public/v1/workspaces', { body: {} })
  // @ts-expect-error the name is a string
  await client.POST('/api/public/v1/workspaces', { body: { name: 1 } })
  // @ts-expect-error both parameters are required
  await client.GET('/api/public/v1/webhooks/bindings', { params: { query: { resourceType: 'workspace' } } })
  // @ts-expect-error the path does not exist
  await client.GET('/api/public/v1/nothing')
  // @ts-expect-error the field does not exist
  service.nothing
}
`

/**
 * A program against the client of hey-api: create, run, read, be refused, delete. It prints what it found as JSON, and holds
 * what its types must accept and reject.
 */
export const HEY_API_PROGRAM = `
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
