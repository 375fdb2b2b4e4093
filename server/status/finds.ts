import { and, type SQL, type SQLWrapper, sql } from '#db/drizzle.cjs'
import { matchesRow } from '#db/row-match.ts'
import { projects, services, workspaces } from '#db/schema/resources.ts'
import { reachesProject, reachesWorkspace } from '../access.ts'
import type { ActorContext } from '../context.ts'
import { type Finds, FOUND_CONTAINERS, FOUND_SERVICES } from '../schemas/status/finds.ts'
import { parseSearch, type SearchTerms } from '../schemas/status/search-terms.ts'
import { like, selectServices } from './filters.ts'
import { readOutlook } from './outlook.ts'
import { RANK, servicesWithState } from './state-columns.ts'

/** Finds services, projects and workspaces that the member can see, by words and terms. */
export async function readFinds(ctx: ActorContext, q: string): Promise<Finds> {
  const terms = parseSearch(q)
  const namesOnly = terms.words.length > 0 && !hasTerms(terms)
  const [found, foundProjects, foundWorkspaces] = await Promise.all([
    findServices(ctx, q, terms.words),
    namesOnly ? findProjects(ctx, terms.words) : [],
    namesOnly ? findWorkspaces(ctx, terms.words) : [],
  ])
  return { services: found, projects: foundProjects, workspaces: foundWorkspaces, problems: terms.problems }
}

/** Terms describe services; projects and workspaces are found by their names only. */
function hasTerms({ states, labels, agents, workspaces, projects, hosts }: SearchTerms): boolean {
  return [states, labels, agents, workspaces, projects, hosts].some(({ length }) => length > 0)
}

async function findServices({ db, actor }: ActorContext, q: string, words: string[]): Promise<Finds['services']> {
  const { where, states } = selectServices(actor, { q })
  const outlook = await readOutlook(db, actor.organizationId)
  return db.execute<Finds['services'][number]>(sql`
    select ${services.id}, ${services.name}, x.state, ${projects.name} as "projectName",
      ${workspaces.name} as "workspaceName"
    from ${servicesWithState(outlook)}
    where ${where} ${states ? sql`and x.state in ${states}` : sql``}
    order by ${closeness(services.name, words)}, ${RANK}, ${services.name}, ${services.id}
    limit ${FOUND_SERVICES}`)
}

function findProjects({ db, actor }: ActorContext, words: string[]) {
  return db
    .select({ id: projects.id, name: projects.name, workspaceName: workspaces.name })
    .from(projects)
    .innerJoin(workspaces, matchesRow(projects.workspaceId, workspaces))
    .where(and(reachesProject(actor, 'visible'), ...words.map((word) => like(projects.name, word))))
    .orderBy(closeness(projects.name, words), projects.name, projects.id)
    .limit(FOUND_CONTAINERS)
}

function findWorkspaces({ db, actor }: ActorContext, words: string[]) {
  return db
    .select({ id: workspaces.id, name: workspaces.name })
    .from(workspaces)
    .where(and(reachesWorkspace(actor, 'visible'), ...words.map((word) => like(workspaces.name, word))))
    .orderBy(closeness(workspaces.name, words), workspaces.name, workspaces.id)
    .limit(FOUND_CONTAINERS)
}

/** Sorts the whole name first, then its start, then the start of one of its words, then any other place. */
function closeness(name: SQLWrapper, words: string[]): SQL {
  const text = words.join(' ')
  return sql`case when lower(${name}) = ${text} then 0 when starts_with(lower(${name}), ${text}) then 1
    when strpos(' ' || lower(${name}), ${` ${text}`}) > 0 then 2 else 3 end`
}
