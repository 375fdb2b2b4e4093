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

/** Whether a service may run on an agent: it names the agent or none, and the agent is usable. As `eligibleAgents`. */
export function isEligible(agent: SQL, { organizationId, id }: { organizationId: SQL; id: SQL }): SQL<boolean> {
  const named = sql`service_agents n where n.organization_id = ${organizationId} and n.service_id = ${id}`
  return sql`(${isUsable(agent, organizationId)}
    and (not exists (select 1 from ${named}) or exists (select 1 from ${named} and n.agent_id = ${agent}.id)))`
}
