import { and, or, type SQL, type SQLWrapper, sql } from '#db/drizzle.cjs'
import { projects, services, workspaces } from '#db/schema/resources.ts'
import { reachesService } from '../access.ts'
import type { Actor } from '../context.ts'
import type { BoardQuery } from '../schemas/status/board.ts'
import { parseSearch } from '../schemas/status/search-terms.ts'
import type { ServiceState } from '../schemas/status/states.ts'

/**
 * The services that a query selects: a condition on `servicesWithState` without the state, the states, and what is
 * unclear.
 */
export type Selection = { where: SQL; states: ServiceState[] | null; problems: string[] }

/** Returns the services that the member can see and that the filters and the search of the query select. */
export function selectServices(actor: Actor, query: Partial<BoardQuery>): Selection {
  const terms = parseSearch(query.q ?? '')
  const { state } = query
  const inSearch = terms.states.length > 0 ? terms.states : null
  const where = and(
    reachesService(actor, 'visible'),
    query.workspaceId ? sql`${projects.workspaceId} = ${query.workspaceId}` : undefined,
    query.projectId ? sql`${services.projectId} = ${query.projectId}` : undefined,
    query.label ? hasLabel([query.label.toLowerCase()]) : undefined,
    query.agent ? runsOn([query.agent.toLowerCase()]) : undefined,
    hasLabel(terms.labels),
    oneOf(workspaces.name, terms.workspaces),
    oneOf(projects.name, terms.projects),
    runsOn(terms.agents),
    query.host ? callsHost([query.host]) : undefined,
    callsHost(terms.hosts),
    ...terms.words.map(contains),
  ) as SQL
  const states = state && inSearch ? inSearch.filter((one) => one === state) : state ? [state] : inSearch
  return { where, states, problems: terms.problems }
}

function oneOf(column: SQLWrapper, values: readonly string[]): SQL | undefined {
  return values.length === 0 ? undefined : sql`lower(${column}) in ${values}`
}

/** Any of the labels. */
export function hasLabel(labels: readonly string[]): SQL | undefined {
  if (labels.length === 0) return undefined
  return sql`exists (select from unnest(${services.labels}) held where lower(held) in ${labels})`
}

/** Any of the parts of a host. */
function callsHost(parts: readonly string[]): SQL | undefined {
  if (parts.length === 0) return undefined
  const matches = parts.map((part) => like(sql`host`, part))
  return sql`exists (select from unnest(${services.targetHosts}) host where ${or(...matches)})`
}

/** Names of services, projects and workspaces, labels, URLs as written in scripts, and hosts. */
function contains(word: string): SQL {
  const lines = (column: SQLWrapper) => sql`array_to_string(${column}, chr(10))`
  return like(
    sql`concat_ws(chr(10), ${services.name}, ${projects.name}, ${workspaces.name}, ${lines(services.labels)},
      ${lines(services.calls)}, ${lines(services.targetHosts)})`,
    word,
  )
}

/** Whether a text contains the word, in any case. */
export function like(text: SQLWrapper, word: string): SQL {
  return sql`${text} ilike ${`%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`}`
}

/** Services that name such an agent, or that it ran. `eu` also finds `eu-west`. */
function runsOn(slugs: readonly string[]): SQL | undefined {
  if (slugs.length === 0) return undefined
  const matches = (slug: SQL) =>
    sql.join(
      slugs.map((one) => sql`(${slug} = ${one} or starts_with(${slug}, ${`${one}-`}))`),
      sql` or `,
    )
  return sql`(exists (select 1 from service_agents sa join agents a on a.id = sa.agent_id
      where (sa.organization_id, sa.service_id) = (${services.organizationId}, ${services.id}) and (${matches(sql`a.slug`)}))
    or exists (select 1 from service_agent_states p where (p.organization_id, p.service_id) = (${services.organizationId}, ${services.id}) and (${matches(sql`p.agent_slug`)})))`
}
