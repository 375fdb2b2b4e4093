import type { Queryable } from '#db/client.ts'
import { and, asc, eq, type SQL, sql } from '#db/drizzle.cjs'
import { byName } from '#db/order.ts'
import { matchesRow } from '#db/row-match.ts'
import { projects, serviceAgents, services } from '#db/schema/resources.ts'
import { reachesService } from '../../access.ts'
import type { ActorContext } from '../../context.ts'
import { AGENT_SERVICES_MAX, type AgentServices } from '../../schemas/organization/agents.ts'

const ofService = sql`(sa.organization_id, sa.service_id) = (services.organization_id, services.id)`

/** Returns the services of the caller's organization that name an agent. The counts cover those that the caller cannot see. */
export async function readServicesNaming(db: Queryable, ctx: ActorContext, agentId: string): Promise<AgentServices> {
  const naming = namesAgent(ctx.actor.organizationId, agentId)
  const [counts] = await db
    .select({
      total: sql<number>`count(*)::int`,
      onlyThis: sql<number>`(count(*) filter (where ${isOnly(agentId)}))::int`,
    })
    .from(services)
    .where(naming)
  const items = await db
    .select({
      id: services.id,
      name: services.name,
      projectName: projects.name,
      isActive: services.isActive,
      isOnly: isOnly(agentId),
    })
    .from(services)
    .innerJoin(projects, matchesRow(services.projectId, projects))
    .where(and(naming, reachesService(ctx.actor, 'visible')))
    .orderBy(byName(services.name), asc(services.id))
    .limit(AGENT_SERVICES_MAX)
  return { total: counts?.total ?? 0, onlyThis: counts?.onlyThis ?? 0, items }
}

/** Whether a service of the organization names the agent. */
export function namesAgent(organizationId: string, agentId: string): SQL {
  return and(
    eq(services.organizationId, organizationId),
    sql`exists (select 1 from ${serviceAgents} sa
      where ${ofService} and sa.agent_id = ${agentId})`,
  ) as SQL
}

/** Whether a service that names the agent names no other. */
function isOnly(agentId: string): SQL<boolean> {
  return sql<boolean>`not exists (
    select 1 from ${serviceAgents} sa where ${ofService} and sa.agent_id <> ${agentId})`
}
