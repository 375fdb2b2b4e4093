import { type SQL, sql } from '#db/drizzle.cjs'

// Which agents an organization can see and use, and which its services may run on. The parameters are SQL: the name of the
// agents table in the statement, and the organization's id.

/**
 * Whether an organization can see an agent: its own and the shared ones. Its own agent hides a shared one with the same slug,
 * so a slug names one agent within an organization.
 */
export function isVisibleTo(agent: SQL, organizationId: SQL): SQL<boolean> {
  return sql`(${agent}.organization_id = ${organizationId} or ${agent}.organization_id is null and not exists (
    select 1 from agents own where own.organization_id = ${organizationId} and own.slug = ${agent}.slug))`
}

/** Whether an organization's runs may go to an agent: it sees it, and the agent is switched on for it. */
export function isUsable(agent: SQL, organizationId: SQL): SQL<boolean> {
  return sql`(${agent}.is_active and ${isVisibleTo(agent, organizationId)}
    and not ${isExcluded(sql`${agent}.id`, organizationId)})`
}

/** Whether services that name no agent may run on an agent: a shared one that the operator opened to all services. */
export function isOpen(agent: SQL): SQL<boolean> {
  return sql`(${agent}.organization_id is null and ${agent}.is_open)`
}

/** Whether the organization switched a shared agent off for itself. */
export function isExcluded(agentId: SQL, organizationId: SQL): SQL<boolean> {
  return sql`exists (select 1 from agent_exclusions x
    where x.organization_id = ${organizationId} and x.agent_id = ${agentId})`
}

type ServiceKey = { organizationId: SQL; id: SQL }

/** Whether a service names an agent. */
export function isNamedBy(agentId: SQL, { organizationId, id }: ServiceKey): SQL<boolean> {
  return sql`exists (select 1 from service_agents n
    where n.organization_id = ${organizationId} and n.service_id = ${id} and n.agent_id = ${agentId})`
}

/**
 * Whether a service may run on an agent: it names the agent, or it names none and the agent is open; and the agent is
 * usable. As `eligibleAgents`.
 */
export function isEligible(agent: SQL, service: ServiceKey): SQL<boolean> {
  const { organizationId, id } = service
  return sql`(${isUsable(agent, organizationId)} and (${isNamedBy(sql`${agent}.id`, service)}
    or (${isOpen(agent)} and not exists (
      select 1 from service_agents n where n.organization_id = ${organizationId} and n.service_id = ${id}))))`
}
