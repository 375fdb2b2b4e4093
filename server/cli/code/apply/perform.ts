import { dataOf } from '../../client/api-failure.ts'
import { type ContainerChange, pathKey, type WebhookChange } from '../plan/changes.ts'
import { performService, removeService } from './perform-service.ts'
import { performVariable } from './perform-variable.ts'
import { idOf, type Performing } from './performing.ts'
import type { Step } from './steps.ts'

/** Sends the requests of one step. @throws CliError when the API refuses, or when someone else changed the resource */
export function perform(performing: Performing, { change, part }: Step): Promise<void> {
  switch (change.kind) {
    case 'workspace':
      return performWorkspace(performing, change)
    case 'project':
      return performProject(performing, change)
    case 'variable':
      return performVariable(performing, change)
    case 'webhook':
      return performWebhook(performing, change)
    case 'service':
      return change.op === 'delete' ? removeService(performing, change) : performService(performing, change, part)
  }
}

async function performWorkspace({ client, ids }: Performing, { op, id = '', path }: ContainerChange): Promise<void> {
  const body = { name: path[0] as string }
  const params = { path: { id } }
  if (op === 'delete') await dataOf(client.DELETE('/api/public/v1/workspaces/{id}', { params }))
  else if (op === 'update') await dataOf(client.PATCH('/api/public/v1/workspaces/{id}', { params, body }))
  else ids.set(pathKey(path), (await dataOf(client.POST('/api/public/v1/workspaces', { body }))).id)
}

async function performProject(performing: Performing, { op, id = '', path }: ContainerChange): Promise<void> {
  const { client, ids } = performing
  const name = path[1] as string
  const params = { path: { id } }
  if (op === 'delete') await dataOf(client.DELETE('/api/public/v1/projects/{id}', { params }))
  else if (op === 'update') await dataOf(client.PATCH('/api/public/v1/projects/{id}', { params, body: { name } }))
  else {
    const body = { workspaceId: idOf(performing, path.slice(0, 1)), name }
    ids.set(pathKey(path), (await dataOf(client.POST('/api/public/v1/projects', { body }))).id)
  }
}

async function performWebhook(performing: Performing, change: WebhookChange): Promise<void> {
  const { client } = performing
  const { op, id = '', path, webhookId = '', enabled } = change
  const params = { path: { id } }
  if (op === 'delete') await dataOf(client.DELETE('/api/public/v1/webhooks/bindings/{id}', { params }))
  else if (op === 'update') {
    await dataOf(client.PATCH('/api/public/v1/webhooks/bindings/{id}', { params, body: { enabled } }))
  } else {
    const resourceType = (['workspace', 'project', 'service'] as const)[path.length - 1] ?? 'service'
    const query = { resourceType, resourceId: idOf(performing, path) }
    await dataOf(client.POST('/api/public/v1/webhooks/bindings', { params: { query }, body: { webhookId, enabled } }))
  }
}
