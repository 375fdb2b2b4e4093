import type { Tx } from '#db/client.ts'
import { and, eq, type SQL, sql } from '#db/drizzle.cjs'
import { services } from '#db/schema/resources.ts'
import type { ActorContext } from '../context.ts'
import type { ScopeRef } from '../row-scope.ts'
import { SCOPE_PREFIXES } from '../scripts/computed-variables.ts'
import { targetHostsOf } from '../scripts/validation.ts'
import { lockedBatches, validateBatch } from './switching.ts'

/** Whether the script of a service names a variable of the scope. Served by the index `services_variables_idx`. */
export function namesVariable(scope: ScopeRef, key: string): SQL {
  const name = `${SCOPE_PREFIXES[scope.scope].slice(1)}${key}`
  return and(sql`script_variables(${services.script}) @> array[${name}]`, isWithinScope(scope)) as SQL
}

/**
 * Stores anew which hosts the scripts target that name a variable, after it was created, changed or deleted. Locks their
 * services, so that of two changes at once the later one sees both values.
 */
export async function refreshTargetHosts(tx: Tx, ctx: ActorContext, scope: ScopeRef, key: string): Promise<void> {
  for await (const batch of lockedBatches(tx, namesVariable(scope, key))) {
    await validateBatch(tx, ctx, batch, targetHostsOf)
  }
}

function isWithinScope({ organizationId, scope, resourceId }: ScopeRef): SQL | undefined {
  const isOfOrganization = eq(services.organizationId, organizationId)
  switch (scope) {
    case 'organization':
      return isOfOrganization
    case 'workspace':
      return and(
        isOfOrganization,
        sql`${services.projectId} in (select p.id from projects p
          where p.organization_id = ${organizationId} and p.workspace_id = ${resourceId})`,
      )
    case 'project':
      return and(isOfOrganization, eq(services.projectId, resourceId))
    case 'service':
      return and(isOfOrganization, eq(services.id, resourceId))
  }
}
