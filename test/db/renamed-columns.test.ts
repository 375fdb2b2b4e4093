import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { closeDatabase, type Db, openDatabase } from '#db/client.ts'
import { migrateDatabase } from '#db/migrate.ts'
import { DAY_MS, ensurePartitions } from '#db/partitions.ts'
import { rateLimits } from '#db/schema/credentials.ts'
import { results, serviceAgentStates, serviceStates } from '#db/schema/results.ts'
import { runs } from '#db/schema/runs.ts'
import { withDatabase } from '#test/support/vitest/global-setup.ts'

// Rows that were written under the former names of tables and columns are read under the new ones.

const NAME = 'renamed_columns'
/** The number of migrations before 0046. */
const BEFORE = 46
const url = withDatabase(inject('postgresUrl'), NAME)
const [organizationId, agentId, resultId] = [uuidv7(), uuidv7(), uuidv7()]
const at = new Date(Date.now() - DAY_MS).toISOString()
/** The first service still has its last failure in the column of the schema before 0036. */
const services = [uuidv7(), uuidv7()].sort()
const [older, newer] = [{ summary: 'older' }, { summary: 'newer' }]

let admin: postgres.Sql
let db: Db

beforeAll(async () => {
  admin = postgres(inject('postgresUrl'), { max: 1, onnotice: () => {} })
  await admin.unsafe(`create database ${NAME}`)
  await migrateDatabase(url, BEFORE)
  db = openDatabase(url, { max: 2, name: 'soundline-test' })
  await ensurePartitions(db, new Date(at), 0)
  await insertRows()
  await migrateDatabase(url)
}, 120_000)
afterAll(async () => {
  await closeDatabase(db)
  await admin.unsafe(`drop database ${NAME} with (force)`)
  await admin.end()
})

async function insertRows(): Promise<void> {
  const [workspaceId, projectId] = [uuidv7(), uuidv7()]
  await db.execute(sql`insert into organizations (id, name) values (${organizationId}, 'Acme')`)
  await db.execute(sql`
    insert into workspaces (id, organization_id, name) values (${workspaceId}, ${organizationId}, 'Shop')`)
  await db.execute(sql`
    insert into projects (id, organization_id, workspace_id, name)
    values (${projectId}, ${organizationId}, ${workspaceId}, 'Checkout')`)
  for (const id of services) {
    await db.execute(sql`
      insert into services (id, organization_id, project_id, name) values (${id}, ${organizationId}, ${projectId}, ${id})`)
    await db.execute(sql`
      insert into service_states (service_id, organization_id, slot_ms, failure)
      values (${id}, ${organizationId}, 250, ${JSON.stringify(older)}::jsonb)`)
  }
  await db.execute(sql`
    update service_states set last_failure = ${JSON.stringify(newer)}::jsonb where service_id = ${services[0]}`)
  await db.execute(sql`insert into budgets (key, win, spent) values ('\\x01', 600, 7)`)
  await db.execute(sql`
    insert into previous_results (service_id, agent_id, organization_id, started_at, result_id, failing_runs)
    values (${services[0]}, ${agentId}, ${organizationId}, ${at}, ${resultId}, 3)`)
  await db.execute(sql`
    insert into results (organization_id, service_id, started_at, id, agent_id, agent_slug, status, run_duration_ms,
      total_response_ms, call_count, failed_calls, steps, is_apart)
    values (${organizationId}, ${services[0]}, ${at}, ${resultId}, ${agentId}, 'a', 'success', 1, 1, 1, 0, '[]', true)`)
  await db.execute(sql`
    insert into runs (id, organization_id, service_id, agent_id, slot, cause, state, values_digest)
    values (${uuidv7()}, ${organizationId}, ${services[0]}, ${agentId}, ${at}, 'request', 'waiting_apart', 'x')`)
}

test('rows of all renamed tables and columns are kept', async () => {
  expect(await db.select().from(rateLimits)).toMatchObject([{ windowStart: 600, used: 7 }])
  expect(await db.select().from(serviceAgentStates)).toMatchObject([{ agentId, resultId, failingRuns: 3 }])
  expect(await db.select().from(results)).toMatchObject([{ id: resultId, hasValues: true }])
  expect(await db.select().from(runs)).toMatchObject([{ state: 'waiting_with_values' }])
})

test('a service keeps its mean run duration and its newest failure', async () => {
  const states = await db.select().from(serviceStates).orderBy(serviceStates.serviceId)
  expect(states).toMatchObject([
    { meanRunMs: 250, lastFailure: newer },
    { meanRunMs: 250, lastFailure: older },
  ])
})

test('no key, index or constraint has a former name', async () => {
  const rows = await db.execute<{ name: string }>(sql`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace
    union all select conname from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'`)
  expect(rows.map(({ name }) => name).filter((name) => /budgets|previous_results|apart/.test(name))).toEqual([])
})
