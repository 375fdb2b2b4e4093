import { ApiFailure } from '../client/api-failure.ts'
import type { ApiClient, Schemas } from '../client/create-client.ts'
import { findProject, findServices, findWorkspace } from '../client/find-resources.ts'
import { CliError } from '../exit-codes.ts'
import { applyBatch, refuse } from './judge.ts'
import type { RunOptions } from './options.ts'
import { newItem, type RunItem } from './report.ts'
import type { BatchBody, RunApi, RunBody } from './run-api.ts'

/** The services that run; with `batch` when a whole project or workspace was chosen. */
export type Started = { items: RunItem[]; batch: Schemas['Batch'] | null }

/** Requests the runs. @throws CliError when nothing could be requested */
export async function startRuns(
  client: ApiClient,
  api: RunApi,
  references: string[],
  options: RunOptions,
): Promise<Started> {
  const { project, workspace, label, state, note } = options
  const body: RunBody = { ...(options.var && { variables: options.var }), ...(note !== undefined && { note }) }
  if (references.length > 0) {
    const items = (await findServices(client, references, options)).map(newItem)
    for (const item of items) await start(api, item, body)
    return { items, batch: null }
  }
  const chosen: BatchBody = { ...body, ...(label !== undefined && { label }), ...(state !== undefined && { state }) }
  const batch =
    project !== undefined
      ? await api.startBatch('project', (await findProject(client, project, workspace)).id, chosen)
      : await api.startBatch('workspace', (await findWorkspace(client, workspace ?? '')).id, chosen)
  const items: RunItem[] = []
  applyBatch(items, batch)
  return { items, batch }
}

/** A service that is refused does not keep the others from running. */
async function start(api: RunApi, item: RunItem, body: RunBody): Promise<void> {
  try {
    const { runId, url } = await api.startRun(item.serviceId, body)
    Object.assign(item, { runId, url })
  } catch (error) {
    if (!(error instanceof CliError)) throw error
    refuse(item, error instanceof ApiFailure ? error.code : null, error.message)
  }
}
