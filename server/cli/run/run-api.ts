import { dataOf } from '../client/api-failure.ts'
import type { ApiClient, Schemas } from '../client/create-client.ts'

/** What a run may bring. */
export type RunBody = { variables?: Record<string, string>; note?: string }

/** By the last status of a service; `new` has never run. */
export type State = 'failed' | 'success' | 'new'

/** Which services of a project or workspace a batch runs. */
export type BatchBody = RunBody & { label?: string; state?: State }

/** The requests of the command `run`. Waiting requests return after `waitSeconds`, or when it is done. */
export type RunApi = {
  startRun: (serviceId: string, body: RunBody) => Promise<{ runId: string; url: string }>
  startBatch: (kind: 'project' | 'workspace', id: string, body: BatchBody) => Promise<Schemas['Batch']>
  readRun: (serviceId: string, runId: string, waitSeconds: number) => Promise<Schemas['Run']>
  readBatch: (batchId: string, waitSeconds: number) => Promise<Schemas['Batch']>
  readResult: (serviceId: string, resultId: string) => Promise<Schemas['Result']>
}

/** `patient` retries until the deadline of the command; `brief` is for reads that no verdict needs. */
export function createRunApi(patient: ApiClient, brief: ApiClient): RunApi {
  return {
    startRun: (id, body) =>
      dataOf(patient.POST('/api/public/v1/services/{id}/run', { params: { path: { id } }, body })),
    startBatch: (kind, id, body) =>
      kind === 'project'
        ? dataOf(patient.POST('/api/public/v1/projects/{id}/run', { params: { path: { id } }, body }))
        : dataOf(patient.POST('/api/public/v1/workspaces/{id}/run', { params: { path: { id } }, body })),
    readRun: (id, runId, wait) =>
      dataOf(
        (wait > 0 ? patient : brief).GET('/api/public/v1/services/{id}/runs/{runId}', {
          params: { path: { id, runId }, query: { wait } },
        }),
      ),
    readBatch: (id, wait) =>
      dataOf(patient.GET('/api/public/v1/batches/{id}', { params: { path: { id }, query: { wait } } })),
    readResult: (id, resultId) =>
      dataOf(brief.GET('/api/public/v1/services/{id}/results/{resultId}', { params: { path: { id, resultId } } })),
  }
}
