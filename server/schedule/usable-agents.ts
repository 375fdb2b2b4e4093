import { type SQL, sql } from 'drizzle-orm'

/**
 * Whether an organization's runs may go to an agent: it is active, it is the organization's own or shared, and the
 * organization did not switch it off for itself. Both parameters are SQL: the name of the agents table in the statement,
 * and the organization's id.
 */
export function isUsable(agent: SQL, organizationId: SQL): SQL<boolean> {
  return sql`(${agent}.is_active and (${agent}.organization_id is null or ${agent}.organization_id = ${organizationId})
    and not ${isExcluded(sql`${agent}.id`, organizationId)})`
}

/** Whether the organization switched a shared agent off for itself. */
export function isExcluded(agentId: SQL, organizationId: SQL): SQL<boolean> {
  return sql`exists (select 1 from agent_exclusions x
    where x.organization_id = ${organizationId} and x.agent_id = ${agentId})`
}
