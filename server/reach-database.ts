import { sql } from 'drizzle-orm'
import { closeDatabase, type Db, openDatabase } from '#db/client.ts'
import { isSchemaCurrent, migrateDatabase } from '#db/migrate.ts'
import { CannotStart } from './program.ts'

const OLDEST_VERSION = 150_000

/** Looks whether the database answers and is new enough. @throws CannotStart that says what is wrong with it */
export async function reachDatabase(url: string): Promise<void> {
  const db = openDatabase(url, { max: 1, name: 'soundline-start' })
  try {
    const [row] = await db.execute<{ number: string; version: string }>(
      sql`select current_setting('server_version_num') as number, current_setting('server_version') as version`,
    )
    if (Number(row?.number) < OLDEST_VERSION) {
      throw new CannotStart(`DATABASE_URL: PostgreSQL 15 or later is needed, and this is ${row?.version}`)
    }
  } catch (error) {
    if (error instanceof CannotStart) throw error
    throw new CannotStart(`DATABASE_URL: the database at ${new URL(url).host} cannot be used (${reasonOf(error)})`)
  } finally {
    await closeDatabase(db)
  }
}

/** Brings the database to the newest schema. @throws CannotStart with the database's own reason when it cannot be */
export async function bringUpToDate(url: string): Promise<void> {
  try {
    await migrateDatabase(url)
  } catch (error) {
    throw new CannotStart(`The database cannot be brought to the newest schema: ${reasonOf(error)}`)
  }
}

/** Does the work of a command that ends by itself, over one connection to a database at the schema of this version. */
export async function withReachedDatabase(url: string, name: string, work: (db: Db) => Promise<void>): Promise<void> {
  await reachDatabase(url)
  const db = openDatabase(url, { max: 1, name })
  try {
    await requireSchema(db)
    await work(db)
  } finally {
    await closeDatabase(db)
  }
}

/** @throws CannotStart when the database is behind the schema that this program knows */
export async function requireSchema(db: Db): Promise<void> {
  if (await isSchemaCurrent(db)) return
  throw new CannotStart('The database is not at the schema of this version: run `npm run migrate` first')
}

function reasonOf(error: unknown): string {
  let cause = error
  while (cause instanceof Error && cause.cause instanceof Error) cause = cause.cause
  const { code, message } = cause as { code?: string; message?: string }
  return (message || code || String(cause)).split('\n')[0] as string
}
