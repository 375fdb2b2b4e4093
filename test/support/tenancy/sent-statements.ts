import { fileURLToPath } from 'node:url'
import { PgDatabase } from 'drizzle-orm/pg-core'
import { PostgresJsSession } from 'drizzle-orm/postgres-js'
import { Connection } from '#db/connections/connection.ts'
import { ROOT } from '#server/process/program.ts'

// All statements that the program sends in a test process. Tests look at rows by any condition, so a statement that only
// tests built is left out: the first caller of drizzle tells them apart.

const sent = new Set<string>()
const builtByTests = new Set<string>()
const builtByProgram = new Set<string>()
const METHODS = [
  'select',
  'selectDistinct',
  'selectDistinctOn',
  'insert',
  'update',
  'delete',
  'execute',
  '$count',
  'with',
]

type Query = { sql: string }
type Session = { prepareQuery: (query: Query, ...rest: unknown[]) => unknown }
type Database = { session: Session } & Record<string, (...given: unknown[]) => unknown>

/** Returns the statements since the last call. */
export function takeStatements(): string[] {
  const statements = [...sent].filter((text) => builtByProgram.has(text) || !builtByTests.has(text))
  sent.clear()
  return statements
}

/** Watches the connections of this process from now on. */
export function watchStatements(): void {
  const { run } = Connection.prototype
  Connection.prototype.run = function (this: Connection, ...given: Parameters<typeof run>) {
    sent.add(given[0])
    return run.apply(this, given)
  }
  const session = PostgresJsSession.prototype as unknown as Session
  const { prepareQuery } = session
  session.prepareQuery = function (this: Session, query, ...rest) {
    builtByProgram.add(query.sql)
    return prepareQuery.call(this, query, ...rest)
  }
  const database = PgDatabase.prototype as unknown as Database
  for (const method of METHODS) {
    const original = database[method] as Database[string]
    database[method] = function (this: Database, ...given) {
      return original.apply(isCalledByTest() ? forTests(this, prepareQuery) : this, given)
    }
  }
}

/** The same database, with a session that notes its statements as those of tests. */
function forTests(database: Database, prepareQuery: Session['prepareQuery']): Database {
  const session: Session = Object.create(database.session)
  session.prepareQuery = (query, ...rest) => {
    builtByTests.add(query.sql)
    return prepareQuery.call(database.session, query, ...rest)
  }
  return Object.create(database, { session: { value: session } })
}

/** Looks at the caller of a method of drizzle, two frames up. The source maps of errors would take longer than the rest. */
function isCalledByTest(): boolean {
  const { prepareStackTrace, stackTraceLimit } = Error
  Error.prepareStackTrace = (_, frames) => frames[2]?.getFileName() ?? ''
  Error.stackTraceLimit = 3
  const file = String(new Error('frames').stack)
  Error.prepareStackTrace = prepareStackTrace
  Error.stackTraceLimit = stackTraceLimit
  return (file.startsWith('file:') ? fileURLToPath(file) : file).startsWith(`${ROOT}test/`)
}
