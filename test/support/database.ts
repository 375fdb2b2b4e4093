import { randomBytes } from 'node:crypto'
import postgres from 'postgres'
import { afterAll, beforeAll, inject } from 'vitest'
import { closeDatabase, type Db, openDatabase } from '#db/client.ts'
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
  const server = inject('postgresUrl')
  const sessionUrl = withDatabase(server, name)
  const url = urlThroughPooler?.(sessionUrl) ?? sessionUrl
  let db: Db | null = null
  beforeAll(async () => {
    // Copying files takes half the processor time of copying by the write-ahead log.
    await administer(server, `create database ${name} template ${TEMPLATE} strategy file_copy`)
    db = openDatabase(url, { max: 8, name: 'soundline-test', sessionUrl })
  })
  afterAll(async () => {
    if (db) await closeDatabase(db)
    await administer(server, `drop database if exists ${name} with (force)`)
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

/** Returns a value that a `beforeAll` sets. @throws Error before that */
export function required<T>(value: T | null): T {
  if (value === null) throw new Error('Available only after beforeAll')
  return value
}

// One at a time in the whole test run: PostgreSQL refuses two concurrent clones of one template.
async function administer(server: string, statement: string): Promise<void> {
  const admin = postgres(server, { max: 1, onnotice: () => {} })
  try {
    await admin`select pg_advisory_lock(1)`
    await admin.unsafe(statement)
  } finally {
    await admin.end()
  }
}
