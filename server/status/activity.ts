import { sql } from '#db/drizzle.cjs'
import { projects, services, workspaces } from '#db/schema/resources.ts'
import { reachesProject, reachesService, reachesWorkspace } from '../access.ts'
import { daysUntil, EXPIRING_DAYS } from '../alerts/alerts/certificate-expiry.ts'
import type { ActorContext } from '../context.ts'
import { DAY_MS } from '../durations.ts'
import { isUsable } from '../schedule/usable-agents.ts'
import { type Activity, type BoardFilters, CHANGES_SHOWN } from '../schemas/status/board.ts'

/** The latest saved scripts, among which those of services that the member can see are looked for. */
const VERSIONS_SEARCHED = 1_000
const FILTER_VALUES_MAX = 500

/** Returns which scripts were saved lately in services that the member can see, newest first, each service once. */
export async function readScriptChanges({ db, actor }: ActorContext): Promise<Activity['scripts']> {
  const rows = await db.execute<Omit<Activity['scripts'][number], 'at'> & { at: string }>(sql`
    select * from (
      select distinct on (${services.id}) ${services.id} as "serviceId", ${services.name} as "serviceName", v.version,
        v.created_at as at, coalesce(u.display_name, v.actor_email) as by
      from (select organization_id, service_id, version, actor_id, actor_email, created_at from script_versions
          where organization_id = ${actor.organizationId} order by created_at desc limit ${VERSIONS_SEARCHED}) v
        join ${services} on (${services.organizationId}, ${services.id}) = (v.organization_id, v.service_id)
        left join users u on u.id = v.actor_id
      where ${reachesService(actor, 'visible')}
      order by ${services.id}, v.version desc) changed
    order by at desc, "serviceId" limit ${CHANGES_SHOWN}`)
  return rows.map((row) => ({ ...row, at: new Date(row.at).toISOString() }))
}

/** Returns the certificates of active services that have expired or will within 30 days, the next to expire first. */
export async function readExpiringCertificates(ctx: ActorContext): Promise<Activity['certificates']> {
  const now = ctx.now()
  const until = new Date(now.getTime() + EXPIRING_DAYS * DAY_MS)
  const rows = await ctx.db.execute<{ serviceId: string; serviceName: string; host: string; notAfter: string }>(sql`
    select ${services.id} as "serviceId", ${services.name} as "serviceName", c.host, c.not_after as "notAfter"
    from certificates c join ${services} on (${services.organizationId}, ${services.id}) = (c.organization_id, c.service_id)
    where c.organization_id = ${ctx.actor.organizationId} and c.not_after < ${until.toISOString()}::timestamptz
      and ${services.isActive} and ${reachesService(ctx.actor, 'visible')}
    order by c.not_after, c.host, ${services.id} limit ${CHANGES_SHOWN}`)
  return rows.map((row) => {
    const notAfter = new Date(row.notAfter)
    return { ...row, notAfter: notAfter.toISOString(), daysLeft: daysUntil(notAfter, now) }
  })
}

/** Returns the values that the board can be filtered by, of what the member can see. */
export async function readFilters({ db, actor }: ActorContext): Promise<BoardFilters> {
  const [inWorkspaces, inProjects, labels, agents] = await Promise.all([
    db
      .select({ id: workspaces.id, name: workspaces.name })
      .from(workspaces)
      .where(reachesWorkspace(actor, 'visible'))
      .orderBy(workspaces.name, workspaces.id)
      .limit(FILTER_VALUES_MAX),
    db
      .select({ id: projects.id, name: projects.name, workspaceId: projects.workspaceId })
      .from(projects)
      .where(reachesProject(actor, 'visible'))
      .orderBy(projects.name, projects.id)
      .limit(FILTER_VALUES_MAX),
    db.execute<{ label: string }>(sql`
      select distinct held as label from ${services} cross join unnest(${services.labels}) held
      where ${reachesService(actor, 'visible')} order by 1 limit ${FILTER_VALUES_MAX}`),
    db.execute<{ slug: string }>(sql`
      select a.slug from agents a where ${isUsable(sql`a`, sql`${actor.organizationId}::uuid`)} order by 1 limit ${FILTER_VALUES_MAX}`),
  ])
  return {
    workspaces: inWorkspaces,
    projects: inProjects,
    labels: labels.map(({ label }) => label),
    agents: agents.map(({ slug }) => slug),
  }
}
