import { AsyncLocalStorage } from 'node:async_hooks'
import { sql } from 'drizzle-orm'
import type { Db } from '#db/client.ts'
import { Connection } from '#db/connections/connection.ts'

// Past one primary, rows are placed by their organization, so a statement about rows of an organization must name it. The
// statements of all operations that the suite calls are judged here, each text once in a process.

/**
 * Tables whose rows are still read or written by an id alone, which an earlier statement of the request has found within
 * the organization. A table leaves the list when its statements name the organization; none joins it.
 */
export const BY_ID_ALONE: ReadonlySet<string> = new Set([
  'alert_events',
  'alert_messages',
  'api_keys',
  'certificates',
  'deleted_rows',
  'deletions',
  'incident_notes',
  'incidents',
  'previous_results',
  'projects',
  'run_requests',
  'runs',
  'schedules',
  'script_versions',
  'service_agents',
  'service_states',
  'services',
  'silences',
  'variables',
  'webhook_bindings',
  'webhook_deliveries',
  'workspaces',
])

/** Statements that look for a row before the organization is known, or of several organizations. */
const ACROSS: { pattern: RegExp; why: string }[] = [
  { pattern: /digest = \$|"digest" = \$/, why: 'the digest of a key or a token tells the organization' },
  {
    pattern: /from unnest\(\$1::uuid\[\]\) e \(id\)/,
    why: 'the messages of events that were found within the organization',
  },
  { pattern: /^\s*select id from runs where id = any/, why: 'one statement asks for the waits of all organizations' },
  { pattern: /"user_id" = \$|\buser_id = \$/, why: 'an account has memberships and keys in several organizations' },
]

const collecting = new AsyncLocalStorage<true>()
const sent = new Set<string>()
const judged = new Set<string>()
let isHooked = false
let tables: string[] | null = null

/** Calls an operation, and remembers the statements that it sends. */
export function collectStatements<T>(work: () => Promise<T>): Promise<T> {
  if (!isHooked) hook()
  return collecting.run(true, work)
}

function hook(): void {
  isHooked = true
  const { run } = Connection.prototype
  Connection.prototype.run = function (this: Connection, ...given: Parameters<typeof run>) {
    if (collecting.getStore()) sent.add(given[0])
    return run.apply(this, given)
  }
}

/** Returns the new statements about tables of organizations that name no organization. */
export async function findStatementsWithoutOrganization(db: Db): Promise<string[]> {
  tables ??= await readTables(db)
  const fresh = [...sent].filter((text) => !judged.has(text))
  for (const text of fresh) judged.add(text)
  const strict = tables.filter((table) => !BY_ID_ALONE.has(table))
  return fresh.filter((text) => {
    const touched = strict.filter((table) =>
      new RegExp(`\\b(from|join|into|update)\\s+"?${table}"?(?!\\w)`, 'i').test(text),
    )
    return touched.length > 0 && !namesOrganization(text) && !ACROSS.some(({ pattern }) => pattern.test(text))
  })
}

/** Whether the organization stands in a condition, a join or the columns of an insert, rather than in a list of results. */
export function namesOrganization(text: string): boolean {
  const conditions = text
    .replace(/\s+/g, ' ')
    .replace(/\breturning\b.*$/i, '')
    .replace(/\bselect\b(?:(?!\bselect\b|\bfrom\b).)*\bfrom\b/gi, 'select from')
  const compared = /organization_id"?\s*(=|in\b|is not distinct)|=\s*("?\w+"?\.)?"?organization_id/i
  return compared.test(conditions) || /\binsert into\b[^)]*\borganization_id\b/i.test(conditions)
}

async function readTables(db: Db): Promise<string[]> {
  const rows = await db.execute<{ name: string }>(sql`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id'
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and (a.attnotnull or c.relname = 'results')`)
  return rows.map(({ name }) => name)
}
