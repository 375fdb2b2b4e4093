import { dataOf } from '../../client/api-failure.ts'
import type { ApiClient, Schemas } from '../../client/create-client.ts'
import { CliError } from '../../exit-codes.ts'
import type { ServiceFile } from '../format/files.ts'
import { pathKey, pathText, type ServiceChange } from '../plan/changes.ts'
import { idOf, type Performing } from './performing.ts'
import type { Step } from './steps.ts'

/** A service is created switched off, so that it does not run before its variables exist. */
export async function performService(performing: Performing, change: ServiceChange, part: Step['part']): Promise<void> {
  const { client } = performing
  if (part === 'service' && change.op === 'create') return create(performing, change)
  const id = change.id ?? idOf(performing, change.path)
  const params = { path: { id } }
  if (part === 'service') await update(client, id, change)
  if (part === 'agents') {
    const slugs = change.fields.agents?.to as string[]
    await dataOf(client.PUT('/api/public/v1/services/{id}/agents', { params, body: { slugs } }))
  }
  if (part === 'on' || part === 'off') await toggle(client, id, part === 'on')
}

export async function removeService({ client }: Performing, { id = '' }: ServiceChange): Promise<void> {
  await dataOf(client.DELETE('/api/public/v1/services/{id}', { params: { path: { id } } }))
}

async function create(performing: Performing, change: ServiceChange): Promise<void> {
  const { client, ids } = performing
  const { path, fields } = change
  const script = fields.script?.to as string | undefined
  const { probeMode, queuePolicy, serviceWindow, ...first } = fieldsOf(change)
  const body = {
    ...first,
    projectId: idOf(performing, path.slice(0, 2)),
    name: path[2] as string,
    ...(script !== undefined && { script, isActive: false }),
  }
  const { id } = await dataOf(client.POST('/api/public/v1/services', { body }))
  ids.set(pathKey(path), id)
  const rest = definedOf({ probeMode, queuePolicy, serviceWindow })
  if (Object.keys(rest).length === 0) return
  await dataOf(client.PATCH('/api/public/v1/services/{id}', { params: { path: { id } }, body: rest }))
}

/** @throws CliError when someone else changed the service after the plan */
async function update(client: ApiClient, id: string, change: ServiceChange): Promise<void> {
  const params = { path: { id } }
  const current = await dataOf(client.GET('/api/public/v1/services/{id}', { params }))
  requireSame(current, change)
  const script = change.fields.script?.to as string | undefined
  const body = { ...fieldsOf(change), ...(script !== undefined && { script, version: current.version }) }
  await dataOf(client.PATCH('/api/public/v1/services/{id}', { params, body }))
  // The API switches a service on with its first script.
  if (current.script === null && script !== undefined) await toggle(client, id, false)
}

async function toggle(client: ApiClient, id: string, isActive: boolean): Promise<void> {
  await dataOf(client.PATCH('/api/public/v1/services/{id}/toggle', { params: { path: { id } }, body: { isActive } }))
}

function requireSame(current: Schemas['Service'], { fields, path, version }: ServiceChange): void {
  const changed = Object.entries(fields).filter(([field, { from }]) => {
    if (field === 'agents' || field === 'isActive') return false
    if (field === 'script') return current.version !== version
    if (field === 'labels') return current.labels.join('\0') !== (from as string[]).join('\0')
    return current[field as keyof Schemas['Service']] !== from
  })
  if (changed.length === 0) return
  const names = changed.map(([field]) => field).join(', ')
  throw new CliError(`${pathText(path)} was changed by someone else after the plan was made (${names})`)
}

/** The fields that requests take as they are. */
function fieldsOf({ fields }: ServiceChange) {
  return definedOf({
    name: fields.name?.to as string | undefined,
    label: fields.label?.to as ServiceFile['label'],
    labels: fields.labels?.to as ServiceFile['labels'],
    schedule: fields.schedule?.to as ServiceFile['schedule'],
    timezone: fields.timezone?.to as ServiceFile['timezone'],
    saveResponseBodies: fields.saveResponseBodies?.to as ServiceFile['saveResponseBodies'],
    sendTraceparent: fields.sendTraceparent?.to as ServiceFile['sendTraceparent'],
    probeMode: fields.probeMode?.to as ServiceFile['probeMode'],
    queuePolicy: fields.queuePolicy?.to as ServiceFile['queuePolicy'],
    serviceWindow: fields.serviceWindow?.to as ServiceFile['serviceWindow'],
  })
}

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> }

function definedOf<T extends object>(fields: T): Defined<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>
}
