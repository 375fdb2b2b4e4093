import type { Queryable } from '#db/client.ts'
import { type SQL, sql } from '#db/drizzle.cjs'
import { matchesRow } from '#db/row-match.ts'
import { projects, services, workspaces } from '#db/schema/resources.ts'
import { type Reach, reachesProject, reachesService, reachesWorkspace } from '../../access.ts'
import type { Actor } from '../../context.ts'
import { FOUND_PLACES, type FoundPlace } from '../../schemas/organization/places.ts'
import { contains } from './contains.ts'

/**
 * Finds workspaces, projects and services whose names, with the names above them, contain every word of a text. Workspaces
 * come first, so that a team is found before its many services.
 */
export async function findPlaces(db: Queryable, actor: Actor, q: string, reach: Reach): Promise<FoundPlace[]> {
  const matches = (text: SQL) => contains(text, q) ?? sql`true`
  const ofWorkspace = sql`${workspaces.name}`
  const ofProject = sql`concat(${workspaces.name}, ' / ', ${projects.name})`
  const ofService = sql`concat(${workspaces.name}, ' / ', ${projects.name}, ' / ', ${services.name})`
  const inWorkspace = sql`join ${workspaces} on ${matchesRow(projects.workspaceId, workspaces)}`
  return db.execute<FoundPlace>(sql`
    select "resourceType", "resourceId", name, path from (
      (select 1 as rank, 'workspace' as "resourceType", ${workspaces.id} as "resourceId", ${workspaces.name} as name,
        null as path from ${workspaces}
      where ${reachesWorkspace(actor, reach)} and ${matches(ofWorkspace)}
      order by ${workspaces.name}, ${workspaces.id} limit ${FOUND_PLACES})
      union all
      (select 2, 'project', ${projects.id}, ${projects.name}, ${workspaces.name}
      from ${projects} ${inWorkspace}
      where ${reachesProject(actor, reach)} and ${matches(ofProject)}
      order by ${projects.name}, ${projects.id} limit ${FOUND_PLACES})
      union all
      (select 3, 'service', ${services.id}, ${services.name}, concat(${workspaces.name}, ' / ', ${projects.name})
      from ${services} join ${projects} on ${matchesRow(services.projectId, projects)} ${inWorkspace}
      where ${reachesService(actor, reach)} and ${matches(ofService)}
      order by ${services.name}, ${services.id} limit ${FOUND_PLACES})
    ) found order by rank, name, "resourceId" limit ${FOUND_PLACES}`)
}
