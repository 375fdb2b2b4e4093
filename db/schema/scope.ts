import { type AnyPgColumn, foreignKey, uuid } from 'drizzle-orm/pg-core'
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

/** References by both ids, so that no row can refer to another organization's resource. */
export function scopeForeignKeys<T extends string>(table: T, t: ScopeColumns<T>) {
  return [
    foreignKey({
      name: `${table}_workspace_fkey`,
      columns: [t.organizationId, t.workspaceId],
      foreignColumns: [workspaces.organizationId, workspaces.id],
    }).onDelete('cascade'),
    foreignKey({
      name: `${table}_project_fkey`,
      columns: [t.organizationId, t.projectId],
      foreignColumns: [projects.organizationId, projects.id],
    }).onDelete('cascade'),
    foreignKey({
      name: `${table}_service_fkey`,
      columns: [t.organizationId, t.serviceId],
      foreignColumns: [services.organizationId, services.id],
    }).onDelete('cascade'),
  ]
}
