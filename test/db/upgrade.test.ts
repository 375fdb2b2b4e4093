import { v7 as uuidv7 } from 'uuid'
import { beforeAll, expect, test } from 'vitest'
import type { Db } from '#db/client.ts'
import { eq, inArray, isNull, sql } from '#db/drizzle.cjs'
import { migrateDatabase, schemaState } from '#db/migrate.ts'
import { DAY_MS, ensurePartitions } from '#db/partitions.ts'
import { certificates, incidentChanges, incidents } from '#db/schema/alerts.ts'
import { auditEntries } from '#db/schema/audit.ts'
import { deletedRows, deletions } from '#db/schema/deletions.ts'
import { organizations } from '#db/schema/organizations.ts'
import { agents, services } from '#db/schema/resources.ts'
import { serviceAgentStates, serviceStates } from '#db/schema/results.ts'
import { grants, variables } from '#db/schema/scoped.ts'
import { webhookAttempts } from '#db/schema/webhooks.ts'
import { parentsFirst } from '#server/backup/tables.ts'
import { parseSettings } from '#server/process/settings.ts'
import { UNKNOWN_FAILURE } from '#server/results/results/failure.ts'
import { insertJson, oldestDatabase } from '#test/support/database.ts'
import { testFolder } from '#test/support/folder.ts'
import { upkeep } from '#worker/tasks/upkeep.ts'

// A database of the oldest schema that is upgraded, with a row in every table, is migrated to the newest one.

const database = oldestDatabase()
const folder = testFolder()
/** The one id of all rows, so that every reference is to a row that exists. */
const ID = '01900000-0000-7000-8000-000000000001'
const AT = new Date(Date.now() - 40 * DAY_MS)
const SCRIPT = 'get("https://shop.example/cart").expect(status: 200)'
/** Processes that stop delete their rows. */
const WITHOUT_ROWS = ['workers']

/** Values that constraints demand. */
const VALUES: Record<string, Record<string, unknown>> = {
  agent_keys: { public_key: `\\x${'00'.repeat(32)}` },
  alert_messages: { state: 'sent' },
  api_keys: { access: 'read' },
  draft_runs: { state: 'done' },
  follows: { workspace_id: ID },
  grants: { level: 1, membership_id: ID, workspace_id: ID },
  results: { status: 'success', steps: [] },
  runs: { cause: 'schedule', state: 'done' },
  setup_links: { is_only: true },
  silences: { channel: 'all' },
  variables: { type: 'metric', value: '1' },
  webhook_bindings: { workspace_id: ID },
  webhook_deliveries: { state: 'delivered' },
}

const BY_TYPE: Record<string, unknown> = {
  uuid: ID,
  text: 'x',
  'timestamp with time zone': AT.toISOString(),
  date: AT.toISOString(),
  bytea: '\\x00',
  jsonb: {},
  boolean: false,
  ARRAY: [],
}

let filled: string[]

beforeAll(async () => {
  const { db } = database
  await ensurePartitions(db, AT, 0)
  filled = await fillTables(db)
  await insertEarlierForms(db)
  await migrateDatabase(database.url)
}, 120_000)

/** Inserts one row into each table, with a value in each column that needs one. */
async function fillTables(db: Db): Promise<string[]> {
  const tables = await db.execute<{ name: string }>(sql`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`)
  const references = await db.execute<{ child: string; parent: string }>(sql`
    select conrelid::regclass::text as child, confrelid::regclass::text as parent from pg_constraint
    where contype = 'f' and connamespace = 'public'::regnamespace and conrelid <> confrelid`)
  const names = tables.map(({ name }) => name).filter((name) => !WITHOUT_ROWS.includes(name))
  const ordered = parentsFirst(names, [...references])
  for (const name of ordered) {
    const columns = await db.execute<{ column: string; type: string }>(sql`
      select column_name as column, data_type as type from information_schema.columns
      where table_schema = 'public' and table_name = ${name} and is_nullable = 'NO' and column_default is null`)
    const needed = columns.map(({ column, type }) => [column, type in BY_TYPE ? BY_TYPE[type] : 1])
    await insertJson(db, name, { ...Object.fromEntries(needed), ...VALUES[name] })
  }
  return ordered
}

const [STATE, OTHER] = ['01900000-0000-7000-8000-000000000002', '01900000-0000-7000-8000-000000000003']
const ASSERTIONS = [{ stepNum: 1, method: 'check', scope: 'status', op: 'eq', expected: 200, actual: 503 }]

/** Inserts rows as releases before the oldest schema stored them. */
async function insertEarlierForms(db: Db): Promise<void> {
  const failure = { resultId: ID, status: 'failure', assertions: ASSERTIONS }
  const degradation = { resultId: ID, since: AT.toISOString(), summary: 'slow' }
  for (const [id, lastResultId] of [
    [STATE, ID],
    [OTHER, OTHER],
  ] as const) {
    await db.execute(sql`
      insert into service_states (service_id, organization_id, last_result_id, probes_total, last_failure, degradation)
      values (${id}, ${ID}, ${lastResultId}, 7, ${JSON.stringify(failure)}::jsonb, ${JSON.stringify(degradation)}::jsonb)`)
  }
  await db.execute(sql`update incidents set summary = 'status 503', failure = '{"excerpt": "x"}',
    acknowledged_at = ${AT.toISOString()}, acknowledged_by = ${ID}, acknowledged_name = 'Grace'`)
  await db.execute(sql`
    insert into certificates (organization_id, service_id, host, agent_id, not_before, not_after, seen_at)
    values (${ID}, ${ID}, 'impossible', ${ID}, now(), '20000-01-01', now())`)
  await db.execute(sql`
    insert into service_agent_states (organization_id, service_id, agent_id, started_at, result_id, status, agent_slug,
      status_since)
    values (${ID}, ${STATE}, ${ID}, now(), ${ID}, 'success', 'x', now())`)
  await db.execute(sql`update services set label = 'prod', script = ${SCRIPT}`)
  await db.execute(sql`update deleted_rows set table_name = 'services', row = '{"label": "prod"}'`)
  await insertOrganizations(db)
  await db.execute(sql`
    update webhook_deliveries set attempts = 3, last_status = 500, last_error = 'refused', last_latency_ms = 12,
      response_body = 'sealed'`)
  for (const [action, details] of [
    ['webhook.update', { method: 'POST', changed: ['name', 'url'] }],
    ['access.set', { principalName: 'Grace', permissions: 2 }],
    ['body_store.forget', { location: '/var/lib/bodies' }],
    ['project.toggle', { isActive: true, changed: 3 }],
  ] as const) {
    await db.execute(sql`
      insert into audit_entries (id, organization_id, action, entity_type, entity_id, details)
      values (gen_random_uuid(), ${ID}, ${action}, 'x', ${ID}, ${JSON.stringify(details)}::jsonb)`)
  }
}

/** Organizations without a webhook. The alerts of all but the last reach somebody. */
const UPGRADED = ['grants', 'follows', 'alert_messages', 'nothing'] as const

async function insertOrganizations(db: Db): Promise<void> {
  for (const has of UPGRADED) {
    const [organization_id, membership_id, workspace_id, event_id] = [uuidv7(), uuidv7(), uuidv7(), uuidv7()]
    const copy = (table: string, changes: Record<string, unknown>) =>
      db.execute(sql`
        insert into ${sql.identifier(table)}
        select (jsonb_populate_record(t, ${JSON.stringify(changes)}::jsonb)).* from ${sql.identifier(table)} t where id = ${ID}`)
    await copy('organizations', { id: organization_id, name: has })
    await copy('memberships', { id: membership_id, organization_id, is_owner: false })
    await copy('workspaces', { id: workspace_id, organization_id })
    await copy('alert_events', { id: event_id, organization_id, service_id: null, incident_id: null })
    const id = uuidv7()
    if (has === 'alert_messages') await copy(has, { id, organization_id, event_id, membership_id })
    else if (has !== 'nothing') await copy(has, { id, organization_id, membership_id, workspace_id })
  }
}

/** 0047 carries rows over: see rollups-upgrade.test.ts. Groups of schedules held nothing of their own. */
const DROPPED = ['packed_days', 'recent_latencies', 'schedule_groups']

test('every row is there, and the newest release can use it', async () => {
  expect(filled.length).toBeGreaterThan(30)
  expect(await schemaState(database.db)).toBe('current')
  const empty: string[] = []
  for (const name of filled.filter((one) => !DROPPED.includes(one))) {
    const rows = await database.db.execute(sql`select from ${sql.identifier(name)} limit 1`)
    if (rows.length === 0) empty.push(name)
  }
  expect(empty).toEqual([])
})

test('a service gets the system variables of rechecks', async () => {
  const rows = await database.db.select().from(variables).where(eq(variables.serviceId, ID))
  const system = rows.filter(({ systemType }) => systemType !== null).map(({ key, value }) => [key, value])
  expect(Object.fromEntries(system)).toMatchObject({
    ...{ confirmRecoveries: '1', recheckSeconds: '10', recheckWrites: 'false' },
  })
})

test('the label of a service, also of a deleted one, is the first of its labels, and its calls are known', async () => {
  const [row] = await database.db.select().from(services)
  expect(row).toMatchObject({ label: 'prod', labels: ['prod'], calls: ['GET https://shop.example/cart'] })
  const kept = await database.db.select().from(deletedRows).where(eq(deletedRows.table, 'services'))
  expect(kept).toMatchObject([{ row: { label: 'prod', labels: ['prod'] } }])
})

test('failures that an earlier release stored have every field', async () => {
  const [state] = await database.db.select().from(serviceStates).where(eq(serviceStates.serviceId, STATE))
  expect(state?.lastFailure).toEqual({
    ...{ resultId: ID, status: 'failure', assertions: ASSERTIONS },
    ...{ error: null, assertionsTotal: 1, summary: 'the run failed' },
  })
  const [incident] = await database.db.select().from(incidents)
  expect(incident?.failure).toEqual({ ...UNKNOWN_FAILURE, summary: 'status 503', cause: 'status 503', excerpt: 'x' })
})

test('an acknowledgement is in the timeline of its incident', async () => {
  expect(await database.db.select().from(incidentChanges)).toEqual([
    {
      ...{ id: expect.any(String), organizationId: ID, incidentId: ID, kind: 'acknowledged' },
      ...{ membershipId: ID, memberName: 'Grace', value: null, createdAt: AT },
    },
  ])
})

test('a degradation of an older run is gone', async () => {
  const rows = await database.db
    .select()
    .from(serviceStates)
    .where(inArray(serviceStates.serviceId, [STATE, OTHER]))
  expect(new Map(rows.map((row) => [row.serviceId, row.degradation?.summary]))).toEqual(
    new Map([
      [STATE, 'slow'],
      [OTHER, undefined],
    ]),
  )
})

test('certificates with impossible dates and agents without a status are gone, until a run sees them again', async () => {
  expect((await database.db.select().from(certificates)).map(({ host }) => host)).toEqual(['x'])
  const states = await database.db.select().from(serviceAgentStates)
  expect(states.map(({ serviceId, serviceRuns }) => [serviceId, serviceRuns])).toEqual([[STATE, 7]])
})

test('agents that exist run services that name none, as before', async () => {
  expect((await database.db.select().from(agents)).map(({ isOpen }) => isOpen)).toEqual([true])
})

test('audit entries have the fields that this release reads', async () => {
  const rows = await database.db.select().from(auditEntries)
  const details = Object.fromEntries(rows.map((row) => [row.action, row.details]))
  expect(details).toEqual({
    x: {},
    'webhook.update': { hidden: ['name', 'url'] },
    'access.set': { principalName: 'Grace', permissions: 'write' },
    'body_store.forget': {},
    'project.toggle': { isActive: true, changed: 3 },
  })
})

test('the last attempt of a delivery is in its log, under the id to which its response is sealed', async () => {
  expect(await database.db.select().from(webhookAttempts)).toMatchObject([
    { id: ID, deliveryId: ID, status: 500, error: 'refused', latencyMs: 12, responseBody: 'sealed' },
  ])
})

test('grants notify as before, and an organization whose alerts reach somebody is not asked where they go', async () => {
  const notify = await database.db.selectDistinct({ notify: grants.notify }).from(grants)
  expect(notify).toEqual([{ notify: true }])
  const asked = await database.db.select().from(organizations).where(isNull(organizations.alertsAnsweredAt))
  expect(asked.map(({ name }) => name)).toEqual(['nothing'])
})

test('a deletion without a member can still be restored', async () => {
  expect(await database.db.select().from(deletions)).toMatchObject([
    { membershipId: '00000000-0000-0000-0000-000000000000' },
  ])
})

test('upkeep can work with the rows', async () => {
  await upkeep(database.db, parseSettings({ DATA_DIR: folder, SECRET_KEYS: `k:${'s'.repeat(32)}` }))
})
