import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { closeDatabase, type Db, openDatabase } from '#db/client.ts'
import { databaseNow } from '#db/clock.ts'
import { migrateDatabase } from '#db/migrate.ts'
import { DAY_MS, ensurePartitions, partitionName } from '#db/partitions.ts'
import { alertEvents, incidents } from '#db/schema/alerts.ts'
import { results, serviceAgentStates } from '#db/schema/results.ts'
import { scheduleGroups, schedules } from '#db/schema/runs.ts'
import { variables } from '#db/schema/scoped.ts'
import { scriptVersions } from '#db/schema/scripts.ts'
import { webhooks } from '#db/schema/webhooks.ts'
import { storeRuns } from '#server/record/store-runs.ts'
import { required } from '#test/support/database.ts'
import { testFolder } from '#test/support/folder.ts'
import { runOf } from '#test/support/runs/stored-runs.ts'
import type { Outcome } from '#test/support/runs/verdict-oracle.ts'
import { withDatabase } from '#test/support/vitest/global-setup.ts'

// A database of the release before incidents, with data, is migrated to the newest schema.

const NAME = 'upgraded'
/** The last migration of that release. */
const FORMER = 16

const folder = testFolder()
const organizationId = uuidv7()
const [projectId, workspaceId] = [uuidv7(), uuidv7()]
const [failed, passing] = [uuidv7(), uuidv7()]
const agents = ['a', 'b', 'c'].map((slug) => ({ id: uuidv7(), slug }))
const authorId = uuidv7()
const since = new Date(Date.now() - 3_600_000)
let admin: postgres.Sql
let db: Db | null = null
let migratedAt: Date

beforeAll(async () => {
  admin = postgres(inject('postgresUrl'), { max: 1, onnotice: () => {} })
  await admin.unsafe(`create database ${NAME}`)
  const url = withDatabase(inject('postgresUrl'), NAME)
  db = openDatabase(url, { max: 2, name: 'soundline-test' })
  await migrate(db, { migrationsFolder: await formerMigrations() })
  await ensurePartitions(db, new Date(Date.now() - DAY_MS), 2)
  await insertFormerRows(db)
  migratedAt = await databaseNow(db)
  await migrateDatabase(url)
})
afterAll(async () => {
  if (db) await closeDatabase(db)
  await admin.unsafe(`drop database if exists ${NAME} with (force)`)
  await admin.end()
})

/** Copies the migrations, and cuts their journal after the last one of the former release. */
async function formerMigrations(): Promise<string> {
  await cp('db/migrations', folder, { recursive: true })
  const path = join(folder, 'meta/_journal.json')
  const journal = JSON.parse(await readFile(path, 'utf8')) as { entries: { idx: number }[] }
  const entries = journal.entries.filter(({ idx }) => idx <= FORMER)
  await writeFile(path, JSON.stringify({ ...journal, entries }))
  return folder
}

/** Two services: one on three agents at once, of which two fail, and one that passes. The schema has other columns now. */
async function insertFormerRows(former: Db): Promise<void> {
  await former.execute(sql`insert into organizations (id, name) values (${organizationId}, 'Acme')`)
  await former.execute(sql`
    insert into workspaces (id, organization_id, name) values (${workspaceId}, ${organizationId}, 'Shop')`)
  await former.execute(sql`
    insert into projects (id, organization_id, workspace_id, name)
    values (${projectId}, ${organizationId}, ${workspaceId}, 'Checkout')`)
  await former.execute(sql`
    insert into services (id, organization_id, project_id, name, probe_mode, script, version)
    values (${failed}, ${organizationId}, ${projectId}, 'Pay', 'simultaneous', 'the script', 3),
      (${passing}, ${organizationId}, ${projectId}, 'Cart', 'consecutive', null, 1)`)
  for (const version of [2, 3]) {
    await former.execute(sql`
      insert into audit_entries (id, organization_id, actor_id, actor_email, action, entity_type, entity_id, details,
        created_at)
      values (${uuidv7()}, ${organizationId}, ${authorId}, 'ana@example.com', 'service.script', 'service', ${failed},
        ${JSON.stringify({ version })}::jsonb, ${new Date(since.getTime() + version).toISOString()})`)
  }
  for (const { id, slug } of agents) {
    await former.execute(sql`insert into agents (id, slug, label) values (${id}, ${slug}, ${slug})`)
    const outcome = slug === 'c' ? 'success' : 'failure'
    const { result } = runOf({
      service: { id: failed, organizationId },
      agent: { id, slug },
      outcome,
      startedAt: since,
    })
    await former.execute(sql`
      insert into results (organization_id, service_id, started_at, id, agent_id, agent_slug, status, run_duration_ms,
        total_response_ms, call_count, failed_calls, raw, steps)
      values (${organizationId}, ${failed}, ${since.toISOString()}, ${result.id}, ${id}, ${slug}, ${outcome}, 25, 20, 1, 1,
        ${JSON.stringify(result.raw)}::jsonb, ${JSON.stringify(result.steps)}::jsonb)`)
    await former.execute(sql`
      insert into previous_results (service_id, agent_id, organization_id, started_at, result_id)
      values (${failed}, ${id}, ${organizationId}, ${since.toISOString()}, ${result.id})`)
  }
  const lastFailure = { resultId: uuidv7(), error: 'the TLS connection failed' }
  await former.execute(sql`
    insert into service_states (service_id, organization_id, last_status, last_status_since, last_result_id, last_failure,
      failing_runs, is_alerting)
    values (${failed}, ${organizationId}, 'failure', ${since.toISOString()}, ${lastFailure.resultId},
        ${JSON.stringify(lastFailure)}::jsonb, 2, true),
      (${passing}, ${organizationId}, 'success', ${since.toISOString()}, ${uuidv7()}, null, 0, false)`)
  await former.execute(sql`
    insert into schedules (service_id, organization_id, cron, offset_seconds, next_slot, next_run_at)
    values (${failed}, ${organizationId}, '*/5 * * * *', 7, ${since.toISOString()}, ${since.toISOString()}),
      (${passing}, ${organizationId}, '*/5 * * * *', 7, now(), now())`)
  // A member used the name of what is a system variable now.
  await former.execute(sql`
    insert into variables (id, organization_id, service_id, key, type, value)
    values (${uuidv7()}, ${organizationId}, ${passing}, 'remindMinutes', 'metric', 'mine')`)
  await former.execute(sql`
    insert into alert_events (id, organization_id, service_id, result_id, kind, payload)
    values (${uuidv7()}, ${organizationId}, ${failed}, ${lastFailure.resultId}, 'service.failed', '{}')`)
  await former.execute(sql`
    insert into webhooks (id, organization_id, name, sealed) values (${uuidv7()}, ${organizationId}, 'Hook', '\\x00')`)
}

test('a failed service has an open incident, with what was known of its failure', async () => {
  expect(await required(db).select().from(incidents)).toMatchObject([
    {
      serviceId: failed,
      openedAt: since,
      failingSince: since,
      closedAt: null,
      summary: 'the TLS connection failed',
      agents: [],
    },
  ])
})

test('the partitions without results find results by their run, and a worker of that release can store more', async () => {
  const indexes = await required(db).execute<{ table: string }>(sql`
    select tablename as table from pg_indexes where indexname like 'results\\_%run\\_id%' or indexname like '%\\_run\\_idx'`)
  const days = indexes.filter(({ table }) => /^results_\d/.test(table))
  const partitions = await required(db).execute<{ name: string }>(sql`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'results'::regclass`)
  const today = partitionName(migratedAt)
  const later = partitions.map(({ name }) => name).filter((name) => name > today)
  expect(later.length).toBeGreaterThan(0)
  expect(partitions.map(({ name }) => name)).toContain(today)
  expect(days.map(({ table }) => table).sort()).toEqual(later.sort())
  const id = uuidv7()
  const row = { organization_id: organizationId, service_id: passing, started_at: since, id, agent_id: id }
  const facts = { agent_slug: 'a', status: 'success', run_duration_ms: 1, total_response_ms: 1 }
  const rows = JSON.stringify([{ ...row, ...facts, call_count: 1, failed_calls: 0, steps: [] }])
  await required(db).execute(
    sql`insert into results select * from jsonb_populate_recordset(null::results, ${rows}::jsonb)`,
  )
  const [stored] = await required(db).select().from(results).where(eq(results.id, id))
  expect(stored).toMatchObject({ runId: null, cause: null, hasValues: null })
})

test('the present script of a service is its first stored version, with its author and time', async () => {
  expect(await required(db).select().from(scriptVersions)).toMatchObject([
    {
      serviceId: failed,
      version: 3,
      script: 'the script',
      actorId: authorId,
      actorEmail: 'ana@example.com',
      createdAt: new Date(since.getTime() + 3),
    },
  ])
})

test('services get the variable of reminders, but a variable of a member keeps its value', async () => {
  const rows = await required(db).select().from(variables).where(eq(variables.key, 'remindMinutes'))
  const byService = new Map(rows.map((row) => [row.serviceId, row]))
  expect(rows).toHaveLength(2)
  expect(byService.get(failed)).toMatchObject({ value: '0', type: 'metric', systemType: 'integer' })
  expect(byService.get(passing)).toMatchObject({ value: 'mine', systemType: null })
})

test('schedules have groups, so that what was due is found, and a new one is not grouped yet', async () => {
  const groups = await required(db).select().from(scheduleGroups)
  expect(groups).toEqual([{ cron: '*/5 * * * *', offsetSeconds: 7, nextRunAt: since }])
  const rows = await required(db).select({ isGrouped: schedules.isGrouped }).from(schedules)
  expect(rows).toEqual([{ isGrouped: true }, { isGrouped: true }])
  const [column] = await required(db).execute(sql`
    select column_default as value from information_schema.columns where column_name = 'is_grouped'`)
  expect(column).toEqual({ value: 'false' })
})

test('webhooks send what they sent, and events are kept', async () => {
  expect(await required(db).select().from(webhooks)).toMatchObject([{ name: 'Hook', preset: 'json' }])
  expect(await required(db).select().from(alertEvents)).toMatchObject([{ kind: 'service.failed', incidentId: null }])
})

test('agents that failed are failed until they pass, so that one failing agent recovers nothing', async () => {
  const states = await required(db).select().from(serviceAgentStates)
  const bySlug = new Map(states.map((state) => [state.agentSlug, state]))
  expect(bySlug.get('a')).toMatchObject({ status: 'failure', failingRuns: 1, isFailed: true, failingSince: since })
  expect(bySlug.get('b')).toMatchObject({ isFailed: true })
  await required(db).execute(sql`
    insert into workers (id, agent_id, pool_id, host, pid) select gen_random_uuid(), id, id::text, 'test', 1 from agents`)
  const store = async (slug: string, outcome: Outcome) => {
    const agent = agents.find((one) => one.slug === slug) as (typeof agents)[number]
    const run = runOf({ service: { id: failed, organizationId }, agent, outcome, startedAt: new Date() })
    await required(db).transaction((tx) => storeRuns(tx, [run], { variablesMax: 10 }))
    return run.result
  }
  const open = () => required(db).$count(incidents, and(eq(incidents.serviceId, failed), isNull(incidents.closedAt)))
  await store('c', 'success')
  await store('a', 'failure')
  expect(await open()).toBe(1)
  const recovered = await store('b', 'success')
  expect(await open()).toBe(0)
  const [, event] = await required(db).select().from(alertEvents).orderBy(alertEvents.createdAt)
  expect(event).toMatchObject({
    kind: 'service.recovered',
    resultId: recovered.id,
    payload: { incident: { downMs: recovered.startedAt.getTime() - since.getTime() } },
  })
})
