import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { afterAll, beforeAll, inject } from 'vitest'
import { closeDatabase, type Db, openDatabase } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { migrateDatabase } from '#db/migrate.ts'
import { type Factories, factoriesOf } from './factories.ts'
import { TEMPLATE, withDatabase } from './vitest/global-setup.ts'

/** `create` holds the factories on this database. */
export type TestDatabase = { readonly url: string; readonly db: Db; readonly create: Factories }

let urlThroughPooler: ((databaseUrl: string) => string) | null = null

/** Opens the databases of the test files that `load` imports through a pooler. */
export async function throughPooler(urlOf: (databaseUrl: string) => string, load: () => Promise<unknown>) {
  urlThroughPooler = urlOf
  await load().finally(() => {
    urlThroughPooler = null
  })
}

/** Clones a database for the test file from the migrated template (about 35 ms), and drops it afterwards. */
export function testDatabase(): TestDatabase {
  const name = `t_${randomBytes(8).toString('hex')}`
  const [server, folder] = [inject('postgresUrl'), inject('postgresFolder')]
  const sessionUrl = withDatabase(server, name)
  const url = urlThroughPooler?.(sessionUrl) ?? sessionUrl
  // The socket costs less. Tests and other processes that get `url` use TCP, as installations do.
  const ownUrl = urlThroughPooler ? url : withSocket(sessionUrl, folder)
  const ownSessionUrl = urlThroughPooler ? sessionUrl : ownUrl
  const admin = postgres(server, { host: folder, max: 1, onnotice: () => {} })
  let db: Db | null = null
  beforeAll(async () => {
    await cloneTemplate(admin, name)
    db = openDatabase(ownUrl, { max: 8, name: 'soundline-test', sessionUrl: ownSessionUrl })
  })
  afterAll(async () => {
    if (db) await closeDatabase(db)
    await admin.unsafe(`drop database if exists ${name} with (force)`)
    await admin.end()
  })
  return viewOf(url, () => db)
}

function viewOf(url: string, open: () => Db | null): TestDatabase {
  return {
    url,
    get db() {
      return required(open())
    },
    get create() {
      return factoriesOf(this.db)
    },
  }
}

/** The migrations of the oldest schema that is upgraded. */
export const OLDEST = 47

/** Creates an empty database of the oldest schema for the test file, or for the group, and drops it afterwards. */
export function oldestDatabase(): Pick<TestDatabase, 'url' | 'db'> {
  const name = `t_${randomBytes(8).toString('hex')}`
  const url = withDatabase(inject('postgresUrl'), name)
  const admin = postgres(inject('postgresUrl'), { max: 1, onnotice: () => {} })
  let db: Db | null = null
  beforeAll(async () => {
    await admin.unsafe(`create database ${name}`)
    await migrateDatabase(url, OLDEST)
    db = openDatabase(url, { max: 2, name: 'soundline-test' })
  }, 120_000)
  afterAll(async () => {
    if (db) await closeDatabase(db)
    await admin.unsafe(`drop database if exists ${name} with (force)`)
    await admin.end()
  })
  return {
    url,
    get db() {
      return required(db)
    },
  }
}

/** Inserts a row as JSON into a table that the schema may no longer have, or have with other columns. */
export async function insertJson(db: Db, table: string, row: Record<string, unknown>): Promise<void> {
  const columns = sql.join(Object.keys(row).map(sql.identifier), sql`, `)
  await db.execute(sql`
    insert into ${sql.identifier(table)} (${columns})
    select ${columns} from jsonb_populate_record(null::${sql.identifier(table)}, ${JSON.stringify(row)}::jsonb)`)
}

let isCloned = false

/** The database of this worker of the test run, which its test files share: empty at the start of each. */
export function sharedDatabase(): TestDatabase {
  const [server, folder] = [inject('postgresUrl'), inject('postgresFolder')]
  const url = withSocket(withDatabase(server, `w_${process.pid}`), folder)
  let db: Db | null = null
  beforeAll(async () => {
    if (!isCloned) {
      const admin = postgres(server, { host: folder, max: 1, onnotice: () => {} })
      await cloneTemplate(admin, `w_${process.pid}`)
      await admin.end()
      isCloned = true
    }
    db = openDatabase(url, { max: 8, name: 'soundline-test' })
    await empty(db)
  })
  afterAll(async () => {
    if (db) await closeDatabase(db)
  })
  return viewOf(url, () => db)
}

/** Deletes all rows. The migrations leave none but their own. */
async function empty(db: Db): Promise<void> {
  const tables = await db.execute<{ name: string }>(sql`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema') and tablename !~ 'migrations$'`)
  await db.execute(sql.raw(`truncate ${tables.map(({ name }) => name).join(', ')}`))
}

/** Returns a value that a `beforeAll` sets. @throws Error before that */
export function required<T>(value: T | null): T {
  if (value === null) throw new Error('Available only after beforeAll')
  return value
}

function withSocket(url: string, folder: string): string {
  const changed = new URL(url)
  changed.searchParams.set('host', folder)
  return changed.toString()
}

/** PostgreSQL refuses two concurrent clones of one template, so they take turns in the whole test run. */
export async function cloneTemplate(admin: postgres.Sql, name: string): Promise<void> {
  await admin`select pg_advisory_lock(1)`
  // Copying files takes half the processor time of copying by the write-ahead log.
  await admin.unsafe(`create database ${name} template ${TEMPLATE} strategy file_copy`)
  await admin`select pg_advisory_unlock(1)`
}
