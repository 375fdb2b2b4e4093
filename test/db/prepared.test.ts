import { expect, test } from 'vitest'
import { anyOf } from '#db/any-of.ts'
import { closeDatabase, type Db, openDatabase, type Queryable } from '#db/client.ts'
import { eq, sql } from '#db/drizzle.cjs'
import { services } from '#db/schema/resources.ts'
import { results } from '#db/schema/results.ts'
import { testApi } from '#test/support/api/api.ts'

// The tests read the prepared statements that the database lists for a connection, so their pools have one connection.

const api = testApi()

async function onOneConnection(work: (db: Db) => Promise<void>): Promise<void> {
  const db = openDatabase(api.runtime.settings.DATABASE_URL as string, { max: 1, name: 'soundline-test-prepared' })
  try {
    await work(db)
  } finally {
    await closeDatabase(db)
  }
}

async function preparedOf(db: Queryable, words: string): Promise<number> {
  const rows = await db.execute<{ statement: string }>(sql`select statement from pg_prepared_statements`)
  return rows.filter(({ statement }) => statement.includes(words) && !statement.includes('pg_prepared')).length
}

async function someServices(count: number) {
  const project = await api.create.project(await api.create.workspace(await api.create.organization()))
  return Promise.all(Array.from({ length: count }, () => api.create.service(project)))
}

test('a repeated statement is prepared, in transactions too, and returns the same', async () => {
  const [one, two] = await someServices(2)
  await onOneConnection(async (db) => {
    const nameOf = (tx: Queryable, id: string) =>
      tx.select({ id: services.id }).from(services).where(eq(services.id, id))
    expect(await nameOf(db, one?.id as string)).toEqual([{ id: one?.id }])
    expect(await preparedOf(db, 'from "services"')).toBe(0)
    await db.transaction(async (tx) => {
      expect(await nameOf(tx, two?.id as string)).toEqual([{ id: two?.id }])
      expect(await preparedOf(tx, 'from "services"')).toBe(1)
      await tx.transaction(async (inner) => {
        for (let i = 0; i < 2; i++) await inner.execute(sql`select ${i}::int as within_savepoint`)
      })
    })
    expect(await preparedOf(db, 'within_savepoint')).toBe(1)
  })
})

test('a condition on ids is the same statement for any number of ids', async () => {
  const ids = (await someServices(4)).map(({ id }) => id)
  await onOneConnection(async (db) => {
    for (const wanted of [[], ids.slice(0, 1), ids.slice(1), ids]) {
      const found = await db.select({ id: services.id }).from(services).where(anyOf(services.id, wanted))
      expect(found.map(({ id }) => id).sort()).toEqual(wanted.toSorted())
    }
    expect(await preparedOf(db, 'any(')).toBe(1)
  })
})

test('a statement on partitions is planned with its values, and an unrepeated one is not kept', async () => {
  await onOneConnection(async (db) => {
    for (let i = 0; i < 3; i++) {
      await db.select({ id: results.id }).from(results).where(eq(results.serviceId, crypto.randomUUID()))
    }
    expect(await preparedOf(db, 'results')).toBe(0)
    const once = (i: number) => db.execute(sql`select ${i}::int as ${sql.identifier(`only_${i}`)}`)
    for (let i = 0; i < 50; i++) await once(i)
    expect(await preparedOf(db, 'only_')).toBe(0)
  })
})

test('the number of prepared statements is limited', async () => {
  await onOneConnection(async (db) => {
    for (let i = 0; i < 450; i++) {
      for (let time = 0; time < 2; time++) {
        const [row] = await db.execute<Record<string, number>>(sql`select ${i}::int as ${sql.identifier(`twice_${i}`)}`)
        expect(row?.[`twice_${i}`]).toBe(i)
      }
    }
    expect(await preparedOf(db, 'twice_')).toBeLessThanOrEqual(400)
    expect(await preparedOf(db, 'twice_')).toBeGreaterThan(300)
  })
})
