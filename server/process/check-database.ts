import { closeDatabase, type Db, openDatabase } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { causesOf } from '#db/errors.ts'
import { migrateDatabase, NewerSchemaError, schemaState } from '#db/migrate.ts'
import { CONNECTIONS_MIN } from './connection-limits.ts'
import { StartupError } from './lifecycle.ts'
import { settings } from './settings.ts'

const OLDEST_VERSION = 150_000
/** Longer than for a request: a start does not give up on a server that is only busy. */
const CONNECT_MS = 10_000

type Facts = {
  number: number
  version: string
  encoding: string
  /** The server replicates another one and accepts no writes. */
  isStandby: boolean
  database: string
  user: string
  mayUse: boolean
  mayCreate: boolean
  /** The number of connections that this user may open to this database. */
  connectionLimit: number
}

/** A pooler's error for an unknown start parameter. */
const REFUSED_PARAMETER = /unsupported startup parameter/

/**
 * Checks that the database responds and can be used, and with `toMigrate` that its schema can be changed. Returns the
 * number of connections that the server allows. `sessionUrl` is the server itself if `url` is a pooler's.
 * @throws StartupError with one line that says what is wrong and what to do
 */
export async function checkDatabase(url: string, toMigrate = false, sessionUrl?: string): Promise<number> {
  const setting = sessionUrl ? 'DATABASE_SESSION_URL' : 'DATABASE_URL'
  const facts = await withDatabase(sessionUrl ?? url, 'soundline-start', readFacts, { setting })
  const problem = problemOf(facts, toMigrate)
  if (problem) throw new StartupError(`${setting}: ${problem}`)
  if (sessionUrl) {
    const { database } = await withDatabase(url, 'soundline-start', readFacts, { sessionUrl })
    if (database !== facts.database) {
      throw new StartupError(`DATABASE_URL: leads to the database ${database}, ${setting} to ${facts.database}`)
    }
  }
  return facts.connectionLimit
}

/** Calls `work` with one connection. `names` gives the setting that the reasons name, and the URL behind a pooler. */
export async function withDatabase<T>(
  url: string,
  name: string,
  work: (db: Db) => Promise<T>,
  { setting = 'DATABASE_URL', sessionUrl }: { setting?: string; sessionUrl?: string | undefined } = {},
): Promise<T> {
  let db: Db
  try {
    db = openDatabase(url, { max: 1, name, sessionUrl, connectMs: CONNECT_MS })
  } catch (error) {
    throw new StartupError(`${setting}: ${reasonOf(error)}`)
  }
  try {
    return await work(db)
  } catch (error) {
    if (error instanceof StartupError) throw error
    const reason = reasonOf(error)
    const advice = REFUSED_PARAMETER.test(reason) ? ': a pooler needs DATABASE_SESSION_URL, too' : ''
    throw new StartupError(`${setting}: the database at ${new URL(url).host} cannot be used (${reason})${advice}`)
  } finally {
    await closeDatabase(db)
  }
}

async function readFacts(db: Db): Promise<Facts> {
  const [facts] = await db.execute<Facts>(sql`
    select current_setting('server_version_num')::int as number, current_setting('server_version') as version,
      current_setting('server_encoding') as encoding, pg_is_in_recovery() as "isStandby",
      d.datname as database, r.rolname as user,
      has_schema_privilege('public', 'usage') as "mayUse",
      has_schema_privilege('public', 'create') and (has_database_privilege(d.oid, 'create')
        or (select count(*) = 2 from pg_namespace n
            where n.nspname in ('drizzle', 'graphile_worker') and has_schema_privilege(n.oid, 'create'))) as "mayCreate",
      least(
        current_setting('max_connections')::int - case when r.rolsuper then 0 else
          current_setting('superuser_reserved_connections')::int
          + coalesce(current_setting('reserved_connections', true)::int, 0) end,
        nullif(d.datconnlimit, -1), nullif(r.rolconnlimit, -1)) as "connectionLimit"
    from pg_database d, pg_roles r where d.datname = current_database() and r.rolname = current_user`)
  return facts as Facts
}

function problemOf(facts: Facts, toMigrate: boolean): string | null {
  const { database, user } = facts
  if (facts.number < OLDEST_VERSION) return `PostgreSQL 15 or later is needed; this is ${facts.version}`
  if (facts.encoding !== 'UTF8') {
    return `the database ${database} has the encoding ${facts.encoding}: create another with \`create database … encoding 'UTF8' template template0\``
  }
  if (facts.isStandby) return `the server of ${database} is a standby and accepts no writes: use the primary`
  if (!facts.mayUse) return `the user ${user} may not use the schema public: \`grant all on schema public to ${user}\``
  if (toMigrate && !facts.mayCreate) {
    return `the user ${user} may not create in ${database}: \`grant create on database ${database} to ${user}; grant all on schema public to ${user}\``
  }
  if (facts.connectionLimit < CONNECTIONS_MIN) {
    return `${facts.connectionLimit} connections are allowed for ${user}, and ${CONNECTIONS_MIN} are needed: see max_connections, \`alter role … connection limit\` and \`alter database … connection limit\``
  }
  return null
}

/**
 * Applies all migrations.
 * @throws StartupError with the database's reason when one fails
 */
export async function applyMigrations(url: string): Promise<void> {
  try {
    await migrateDatabase(url)
  } catch (error) {
    if (error instanceof NewerSchemaError) throw newerSchema()
    throw new StartupError(`The database cannot be migrated: ${reasonOf(error)}`)
  }
}

/** Runs the work of a command over one connection, after it has checked the database and its schema. */
export async function withCheckedDatabase(url: string, name: string, work: (db: Db) => Promise<void>): Promise<void> {
  const { DATABASE_SESSION_URL: sessionUrl } = settings()
  await checkDatabase(url, false, sessionUrl)
  const db = openDatabase(url, { max: 1, name, sessionUrl })
  try {
    await requireSchema(db)
    await work(db)
  } finally {
    await closeDatabase(db)
  }
}

/** @throws StartupError when the database lacks migrations of this version, or has those of a newer one */
export async function requireSchema(db: Db): Promise<void> {
  const state = await schemaState(db)
  if (state === 'newer') throw newerSchema()
  if (state === 'current') return
  throw new StartupError('The database does not have the schema of this version: run `npm run migrate` first')
}

export function newerSchema(): StartupError {
  return new StartupError(`DATABASE_URL: ${new NewerSchemaError().message}`)
}

function reasonOf(error: unknown): string {
  const cause = causesOf(error).at(-1) ?? error
  const { code, message } = cause as { code?: string; message?: string }
  return (message || code || String(cause)).split('\n')[0] as string
}
