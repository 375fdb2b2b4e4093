import { and, eq, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { withCheck } from '#db/checked.ts'
import type { Queryable } from '#db/client.ts'
import { observeStatements } from '#db/connections/statement-observer.ts'
import { services } from '#db/schema/resources.ts'
import { statement } from '#db/statement.ts'
import { statementName } from '#server/telemetry/statements.ts'
import { testDatabase } from '#test/support/database.ts'
import { statementsOf } from '#test/support/statements.ts'

// Statements that contain their check, against PostgreSQL.

type Service = { id: string; organizationId: string; name: string }

const database = testDatabase()
class Refused extends Error {}

/** Reads with a check that finds the service unless its name is Closed. */
function readChecked<T>({ organizationId, id }: Service, read: (db: Queryable) => Promise<T>): Promise<T> {
  const text = `services.organization_id = $1 and services.id = $2 and services.name <> 'Closed'`
  const check = { table: 'services', condition: { text, values: [organizationId, id] } }
  return withCheck(database.db, check, () => new Refused(), read)
}

async function createService(): Promise<Service> {
  return (await database.create.serviceTree()).service
}

async function close({ organizationId, id }: Service): Promise<void> {
  await database.db.execute(
    sql`update services set name = 'Closed' where organization_id = ${organizationId} and id = ${id}`,
  )
}

const numbers = statement<{ until: number }, { n: number; text: string | null }>(
  () => sql`select n, null::text as text from generate_series(1, ${sql.placeholder('until')}::int) n order by n desc`,
)

test('rows are returned in their order, of queries of drizzle and of statements that are built once', async () => {
  const service = await createService()
  const rows = await readChecked(service, (db) => numbers(db, { until: 3 }))
  expect(rows).toMatchObject([
    { n: 3, text: null },
    { n: 2, text: null },
    { n: 1, text: null },
  ])
  const { organizationId, id } = service
  const own = sql`${services.organizationId} = ${organizationId} and ${services.id} = ${id}`
  const names = (db: Queryable) => db.select({ name: services.name, again: services.name }).from(services).where(own)
  expect(await readChecked(service, (db) => names(db))).toEqual([{ name: service.name, again: service.name }])
  expect(await readChecked(service, (db) => db.$count(services, own))).toBe(1)
})

test('a statement without rows returns none, and a row of nulls is a row', async () => {
  const service = await createService()
  expect(await readChecked(service, (db) => numbers(db, { until: 0 }))).toEqual([])
  expect(await readChecked(service, async (db) => [...(await db.execute(sql`select null as n`))])).toMatchObject([
    { n: null },
  ])
  const named = and(eq(services.organizationId, service.organizationId), eq(services.name, 'None'))
  const none = (db: Queryable) => db.select({ id: services.id }).from(services).where(named)
  expect(await readChecked(service, (db) => none(db))).toEqual([])
})

test('nothing is read when the check finds no row, also by a read that sends no statement', async () => {
  const service = await createService()
  await close(service)
  const fails = (db: Queryable) => db.execute(sql`select 1 / (n - n) from generate_series(1, 2) n`)
  await expect(readChecked(service, fails)).rejects.toThrow(Refused)
  await expect(readChecked(service, async () => 'nothing')).rejects.toThrow(Refused)
  const failsBefore = async () => {
    throw new Error('before any statement')
  }
  await expect(readChecked(service, failsBefore)).rejects.toThrow(Refused)
  const ignores = (db: Queryable) => numbers(db, { until: 1 }).catch(() => [])
  await expect(readChecked(service, ignores)).rejects.toThrow(Refused)
})

test('an error of the read is its own where the check finds its row', async () => {
  const service = await createService()
  const fails = (db: Queryable) => db.execute(sql`select 1 / (n - n) from generate_series(1, 2) n`)
  await expect(readChecked(service, fails)).rejects.toThrow(/Failed query/)
  const failsBefore = async () => {
    throw new Error('before any statement')
  }
  await expect(readChecked(service, failsBefore)).rejects.toThrow('before any statement')
})

test('each statement is checked by itself, and the check is no statement of its own', async () => {
  const service = await createService()
  const both = (between: () => Promise<void>) =>
    readChecked(service, async (db) => {
      await numbers(db, { until: 1 })
      await between()
      return numbers(db, { until: 0 })
    })
  expect(await statementsOf(() => both(async () => {}))).toHaveLength(2)
  await expect(both(() => close(service))).rejects.toThrow(Refused)
})

test('traces show the part', async () => {
  const seen: string[] = []
  observeStatements((text) => {
    seen.push(statementName(text))
    return null
  })
  try {
    await readChecked(await createService(), (db) => db.execute(sql`select 1 from generate_series(1, 2)`))
  } finally {
    observeStatements(null)
  }
  expect(seen).toContain('SELECT generate_series')
})
