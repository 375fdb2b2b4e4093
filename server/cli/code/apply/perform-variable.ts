import { VARIABLE_TYPES } from '../../../schemas/variables.ts'
import { dataOf } from '../../client/api-failure.ts'
import { CliError } from '../../exit-codes.ts'
import { pathText, type VariableChange } from '../plan/changes.ts'
import { readVariables, type VariableScope } from '../remote/read-variables.ts'
import { idOf, type Performing } from './performing.ts'

const SCOPES: VariableScope[] = ['organization', 'workspace', 'project', 'service']
type Target = { scope: VariableScope; id: string }

export async function performVariable(performing: Performing, change: VariableChange): Promise<void> {
  const { path, op } = change
  const scope = SCOPES[path.length] ?? 'service'
  const target: Target = { scope, id: scope === 'organization' ? '' : idOf(performing, path) }
  if (op === 'delete' || op === 'replace') await remove(performing, target, change.id ?? '')
  if (op === 'create' || op === 'replace') await create(performing, target, change)
  if (op === 'update') await update(performing, target, change)
}

function requiredValue(values: Performing['values'], change: VariableChange): string {
  const value = values.get(change)
  if (value === undefined) throw new CliError(`${change.key} of ${pathText(change.path)} has no value`)
  return value
}

async function create({ client, values }: Performing, { scope, id }: Target, change: VariableChange): Promise<void> {
  const type = VARIABLE_TYPES.find((one) => one === change.type) ?? 'variable'
  const { key, allowedHosts } = change
  const body = { key, type, value: requiredValue(values, change), ...(allowedHosts && { allowedHosts }) }
  const params = { path: { id } }
  switch (scope) {
    case 'organization':
      await dataOf(client.POST('/api/public/v1/variables', { body }))
      return
    case 'workspace':
      await dataOf(client.POST('/api/public/v1/workspaces/{id}/variables', { params, body }))
      return
    case 'project':
      await dataOf(client.POST('/api/public/v1/projects/{id}/variables', { params, body }))
      return
    case 'service':
      await dataOf(client.POST('/api/public/v1/services/{id}/variables', { params, body }))
  }
}

/** @throws CliError when someone else changed the variable after the plan */
async function update(performing: Performing, target: Target, change: VariableChange): Promise<void> {
  const { client, values } = performing
  const found = (await readVariables(client, target.scope, target.id)).find(({ key }) => key === change.key)
  const seen = change.fields.value?.from
  const isSame = found && (found.value === null || seen == null || found.value === seen)
  if (!isSame) {
    throw new CliError(`${change.key} of ${pathText(change.path)} was changed by someone else after the plan was made`)
  }
  const { allowedHosts } = change
  const body = { value: requiredValue(values, change), ...(allowedHosts && { allowedHosts }) }
  const params = { path: { id: target.id, varId: found.id } }
  switch (target.scope) {
    case 'organization':
      await dataOf(client.PATCH('/api/public/v1/variables/{varId}', { params, body }))
      return
    case 'workspace':
      await dataOf(client.PATCH('/api/public/v1/workspaces/{id}/variables/{varId}', { params, body }))
      return
    case 'project':
      await dataOf(client.PATCH('/api/public/v1/projects/{id}/variables/{varId}', { params, body }))
      return
    case 'service':
      await dataOf(client.PATCH('/api/public/v1/services/{id}/variables/{varId}', { params, body }))
  }
}

async function remove({ client }: Performing, { scope, id }: Target, varId: string): Promise<void> {
  const params = { path: { id, varId } }
  switch (scope) {
    case 'organization':
      await dataOf(client.DELETE('/api/public/v1/variables/{varId}', { params }))
      return
    case 'workspace':
      await dataOf(client.DELETE('/api/public/v1/workspaces/{id}/variables/{varId}', { params }))
      return
    case 'project':
      await dataOf(client.DELETE('/api/public/v1/projects/{id}/variables/{varId}', { params }))
      return
    case 'service':
      await dataOf(client.DELETE('/api/public/v1/services/{id}/variables/{varId}', { params }))
  }
}
