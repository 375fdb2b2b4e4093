import { sql } from 'drizzle-orm'
import { describe, expect, test } from 'vitest'
import { testApi } from '#test/support/api/api.ts'
import { BY_ID_ALONE, collectStatements, findStatementsWithoutOrganization } from '#test/support/tenant-statements.ts'

// `testApi` judges the statements of every operation that a test file calls. These tests show what it finds.

const api = testApi()

async function found(text: string): Promise<string[]> {
  await collectStatements(async () => await api.db.execute(sql.raw(text)))
  return await findStatementsWithoutOrganization(api.db)
}

describe('a statement about rows of organizations', () => {
  test.each([
    'select id, organization_id from results where service_id is null',
    `select organization_id, (select count(*) from groups) from run_hours order by organization_id`,
    'update webhooks set name = name where false returning organization_id',
    'delete from "run_days" where false',
  ])('is found without the organization: %s', async (text) => {
    expect(await found(text)).toEqual([text])
    expect(await found(text)).toEqual([])
  })

  test.each([
    'select id from results r where r.organization_id = gen_random_uuid()',
    'update "webhooks" set "name" = "name" where "webhooks"."organization_id" = gen_random_uuid()',
    'select from webhooks w join groups g on g.organization_id = w.organization_id',
    'select from users where false',
  ])('is fine with it, and so is another table: %s', async (text) => {
    expect(await found(text)).toEqual([])
  })
})

test('the tables that are not held to it yet exist, and have the organization', async () => {
  const rows = await api.db.execute<{ name: string }>(
    sql`select table_name as name from information_schema.columns where column_name = 'organization_id'`,
  )
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining([...BY_ID_ALONE]))
})

test('the tables that grow with runs have the organization first in their keys', async () => {
  const rows = await api.db.execute<{ name: string; first: string }>(sql`
    select c.relname as name, a.attname as first from pg_index i join pg_class c on c.oid = i.indrelid
      join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]
    where i.indisprimary and c.relname ~ '^(results|version_runs|(run|endpoint|assertion)_(hours|days))$'`)
  expect(rows).toHaveLength(8)
  for (const row of rows) expect(row).toMatchObject({ first: 'organization_id' })
})
