import type { AnyPgColumn } from '#db/drizzle.cjs'
import { and, eq, isNull, type SQL } from '#db/drizzle.cjs'
import type { Scope } from './schemas/scopes.ts'

// Scope: the owner of a variable, silence or binding. One of three columns names a workspace, project or service; when
// all are null, the organization owns the row.

type ScopedTable = Record<'organizationId' | 'workspaceId' | 'projectId' | 'serviceId', AnyPgColumn>

export type ScopeRef = { organizationId: string; scope: Scope; resourceId: string }

/** Returns the four columns of a row that belongs to the scope. */
export function scopeIds(ref: ScopeRef) {
  return {
    organizationId: ref.organizationId,
    workspaceId: ref.scope === 'workspace' ? ref.resourceId : null,
    projectId: ref.scope === 'project' ? ref.resourceId : null,
    serviceId: ref.scope === 'service' ? ref.resourceId : null,
  }
}

/** Returns the condition for rows that belong to exactly this scope. */
export function belongsToScope(table: ScopedTable, ref: ScopeRef): SQL {
  const own = eq(table.organizationId, ref.organizationId)
  switch (ref.scope) {
    case 'workspace':
      return and(own, eq(table.workspaceId, ref.resourceId)) as SQL
    case 'project':
      return and(own, eq(table.projectId, ref.resourceId)) as SQL
    case 'service':
      return and(own, eq(table.serviceId, ref.resourceId)) as SQL
    case 'organization':
      return and(own, isNull(table.workspaceId), isNull(table.projectId), isNull(table.serviceId)) as SQL
  }
}
