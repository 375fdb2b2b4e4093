import { type SQL, sql } from '#db/drizzle.cjs'
import { projects, services } from '#db/schema/resources.ts'

/**
 * The names of what a resource is in, such as `Shop / Checkout`; null for a workspace. For a query that joins `projects`
 * and `services`, of which a row has at most one.
 */
export const PATH_ABOVE: SQL<string | null> = sql`case
  when ${projects.id} is not null then (
    select w.name from workspaces w where (w.organization_id, w.id) = (${projects.organizationId}, ${projects.workspaceId}))
  when ${services.id} is not null then (
    select w.name || ' / ' || p.name from projects p
    join workspaces w on (w.organization_id, w.id) = (p.organization_id, p.workspace_id)
    where (p.organization_id, p.id) = (${services.organizationId}, ${services.projectId})) end`
