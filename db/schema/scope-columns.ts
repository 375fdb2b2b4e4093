import { type AnyPgColumn, uuid } from '../drizzle.cjs'
import { parentForeignKey } from './columns.ts'
import { projects, services, workspaces } from './resources.ts'

/** The scope of a row. At most one of the three ids is set; without one, the scope is the organization. */
export const scopeColumns = () => ({
  organizationId: uuid('organization_id').notNull(),
  workspaceId: uuid('workspace_id'),
  projectId: uuid('project_id'),
  serviceId: uuid('service_id'),
})

type ScopeColumns<T extends string> = Record<
  'organizationId' | 'workspaceId' | 'projectId' | 'serviceId',
  AnyPgColumn<{ tableName: T }>
>

/** The references of a row with `scopeColumns`. */
export function scopeForeignKeys<T extends string>(table: T, t: ScopeColumns<T>) {
  return [
    parentForeignKey(`${table}_workspace_fkey`, [t.organizationId, t.workspaceId], workspaces),
    parentForeignKey(`${table}_project_fkey`, [t.organizationId, t.projectId], projects),
    parentForeignKey(`${table}_service_fkey`, [t.organizationId, t.serviceId], services),
  ]
}
