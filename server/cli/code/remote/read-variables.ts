import { dataOf } from '../../client/api-failure.ts'
import type { ApiClient } from '../../client/create-client.ts'
import { PAGE_SIZE, readAllPages } from '../../client/pages.ts'
import type { PresentVariable } from './present.ts'

export type VariableScope = 'organization' | 'workspace' | 'project' | 'service'

/** Variables that scripts write are results, and not part of a configuration. */
export async function readVariables(client: ApiClient, scope: VariableScope, id: string): Promise<PresentVariable[]> {
  const all = await readAllPages((page) => dataOf(listVariables(client, scope, id, page)))
  return all
    .filter(({ isScriptWritten }) => !isScriptWritten)
    .map(({ id, key, type, value, masked, systemType, allowedHosts }) => ({
      ...{ id, key, type, allowedHosts },
      value: masked ? null : value,
      isSystem: systemType !== null,
    }))
}

function listVariables(client: ApiClient, scope: VariableScope, id: string, page: number) {
  const query = { page, pageSize: PAGE_SIZE }
  const params = { path: { id }, query }
  switch (scope) {
    case 'organization':
      return client.GET('/api/public/v1/variables', { params: { query } })
    case 'workspace':
      return client.GET('/api/public/v1/workspaces/{id}/variables', { params })
    case 'project':
      return client.GET('/api/public/v1/projects/{id}/variables', { params })
    case 'service':
      return client.GET('/api/public/v1/services/{id}/variables', { params })
  }
}
