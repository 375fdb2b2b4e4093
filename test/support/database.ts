import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { afterAll, beforeAll, inject } from 'vitest'
import { closeDatabase, type Db, openDatabase } from '#db/client.ts'
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
  const name = newDatabaseName()
  const { url, ownUrl, ownSessionUrl } = databaseUrls(name)
  const admin = openServer()
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
  return {
    url,
    get db() {
      return required(db)
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
  const name = newDatabaseName()
  const url = withDatabase(inject('postgresUrl'), name)
  const admin = openServer()
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

export function newDatabaseName(): string {
  return `t_${randomBytes(8).toString('hex')}`
}

/** Clones a database from the template, which stays until the test run ends. */
export async function cloneDatabase(name: string): Promise<void> {
  const admin = openServer()
  await cloneTemplate(admin, name)
  await admin.end()
}

/** `url` is for other processes, which use TCP as installations do; the others for this one: a socket costs less. */
export function databaseUrls(name: string): { url: string; ownUrl: string; ownSessionUrl: string } {
  const sessionUrl = withDatabase(inject('postgresUrl'), name)
  const url = urlThroughPooler?.(sessionUrl) ?? sessionUrl
  const ownUrl = urlThroughPooler ? url : withSocket(sessionUrl, inject('postgresFolder'))
  return { url, ownUrl, ownSessionUrl: urlThroughPooler ? sessionUrl : ownUrl }
}

function openServer(): postgres.Sql {
  return postgres(inject('postgresUrl'), { host: inject('postgresFolder'), max: 1, onnotice: () => {} })
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
async function cloneTemplate(admin: postgres.Sql, name: string): Promise<void> {
  await admin`select pg_advisory_lock(1)`
  // Copying files takes half the processor time of copying by the write-ahead log.
  await admin.unsafe(`create database ${name} template ${TEMPLATE} strategy file_copy`)
  await admin`select pg_advisory_unlock(1)`
}
