import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { migrate } from 'drizzle-orm/postgres-js/migrator'
import postgres from 'postgres'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { closeDatabase, type Db, openDatabase } from '#db/client.ts'
import { migrateDatabase } from '#db/migrate.ts'
import { required } from '#test/support/database.ts'
import { testFolder } from '#test/support/folder.ts'
import { withDatabase } from '#test/support/vitest/global-setup.ts'

// A database of the release in which an organization's agents ran every service that names no agent.

const NAME = 'agents_upgraded'
/** The last migration of that release. */
const FORMER = 41

const folder = testFolder()
const [acme, plain] = [uuidv7(), uuidv7()]
const userId = uuidv7()
const AGENTS = [
  { slug: 'shared', owner: null, isSeen: true, isActive: true },
  { slug: 'shared-off', owner: null, isSeen: true, isActive: false },
  { slug: 'shared-unseen', owner: null, isSeen: false, isActive: true },
  { slug: 'excluded', owner: null, isSeen: true, isActive: true },
  { slug: 'own', owner: acme, isSeen: true, isActive: true },
  { slug: 'own-off', owner: acme, isSeen: true, isActive: false },
  { slug: 'own-unseen', owner: acme, isSeen: false, isActive: true },
  { slug: 'plain-unseen', owner: plain, isSeen: false, isActive: true },
].map((agent) => ({ id: uuidv7(), ...agent }))
const idOf = (slug: string) => AGENTS.find((agent) => agent.slug === slug)?.id ?? ''
const SERVICES = [
  { name: 'unnamed', owner: acme },
  { name: 'named', owner: acme },
  { name: 'of another', owner: plain },
  { name: 'unnamed on all', owner: acme, mode: 'simultaneous' },
].map((service) => ({ id: uuidv7(), mode: 'consecutive', ...service }))
const [recent, older, ambiguous] = [uuidv7(), uuidv7(), uuidv7()]
let admin: postgres.Sql
let db: Db | null = null

beforeAll(async () => {
  admin = postgres(inject('postgresUrl'), { max: 1, onnotice: () => {} })
  await admin.unsafe(`create database ${NAME}`)
  const url = withDatabase(inject('postgresUrl'), NAME)
  db = openDatabase(url, { max: 2, name: 'soundline-test' })
  await cp('db/migrations', folder, { recursive: true })
  const path = join(folder, 'meta/_journal.json')
  const journal = JSON.parse(await readFile(path, 'utf8')) as { entries: { idx: number }[] }
  await writeFile(path, JSON.stringify({ ...journal, entries: journal.entries.filter(({ idx }) => idx <= FORMER) }))
  await migrate(db, { migrationsFolder: folder })
  await insertFormerRows(db)
  await migrateDatabase(url)
})
afterAll(async () => {
  if (db) await closeDatabase(db)
  await admin.unsafe(`drop database if exists ${NAME} with (force)`)
  await admin.end()
})

async function insertFormerRows(former: Db): Promise<void> {
  for (const [id, name] of [[acme, 'Acme'] as const, [plain, 'Plain'] as const]) {
    await former.execute(sql`insert into organizations (id, name) values (${id}, ${name})`)
    await former.execute(sql`insert into workspaces (id, organization_id, name) values (${id}, ${id}, 'W')`)
    await former.execute(
      sql`insert into projects (id, organization_id, workspace_id, name) values (${id}, ${id}, ${id}, 'P')`,
    )
  }
  for (const { id, slug, owner, isSeen, isActive } of AGENTS) {
    await former.execute(sql`
      insert into agents (id, slug, label, organization_id, is_active, last_seen_at)
      values (${id}, ${slug}, ${slug}, ${owner}, ${isActive}, ${isSeen ? sql`now() - interval '10 days'` : sql`null`})`)
  }
  await former.execute(sql`
    insert into agent_exclusions (organization_id, agent_id) values (${acme}, ${idOf('excluded')})`)
  for (const { id, name, owner, mode } of SERVICES) {
    await former.execute(sql`
      insert into services (id, organization_id, project_id, name, probe_mode)
      values (${id}, ${owner}, ${owner}, ${name}, ${mode})`)
  }
  await former.execute(sql`
    insert into service_agents (organization_id, service_id, agent_id)
    values (${acme}, ${SERVICES[1]?.id}, ${idOf('shared')})`)
  await insertFormerKeys(former)
}

/** Keys whose maker the tokens of the last day tell, the audit log, and neither. */
async function insertFormerKeys(former: Db): Promise<void> {
  const agentId = idOf('own')
  const hours = (ago: number) => new Date(Date.UTC(2026, 10, 20) - ago * 3_600_000).toISOString()
  let bytes = 0
  for (const [id, at] of [[recent, hours(1)] as const, [older, hours(50)] as const, [ambiguous, hours(99)] as const]) {
    bytes++
    await former.execute(sql`
      insert into agent_keys (id, agent_id, public_key, name, created_at)
      values (${id}, ${agentId}, decode(lpad(to_hex(${bytes}::int), 64, '0'), 'hex'), 'probe', ${at})`)
  }
  await former.execute(sql`
    insert into agent_enrolments (id, organization_id, agent_id, token_digest, created_by, expires_at, used_at)
    values (${uuidv7()}, ${acme}, ${agentId}, 'x'::bytea, ${userId}, ${hours(0)}, ${hours(1)})`)
  for (const [maker, ago] of [[userId, 50.1] as const, [userId, 99.1] as const, [uuidv7(), 99.2] as const]) {
    await former.execute(sql`
      insert into audit_entries (id, organization_id, actor_id, action, entity_type, entity_id, created_at)
      values (${uuidv7()}, ${acme}, ${maker}, 'agent.invite', 'agent', ${agentId}, ${hours(ago)})`)
  }
}

test('services that name no agent name what they ran on, in organizations that used agents of their own', async () => {
  const rows = await required(db).execute<{ name: string; slugs: string[] }>(sql`
    select s.name, array_agg(a.slug order by a.slug) as slugs
    from services s join service_agents n on (n.organization_id, n.service_id) = (s.organization_id, s.id)
      join agents a on a.id = n.agent_id
    group by s.name order by s.name`)
  expect([...rows]).toEqual([
    { name: 'named', slugs: ['shared'] },
    { name: 'unnamed', slugs: ['own', 'own-off', 'shared'] },
    { name: 'unnamed on all', slugs: ['own', 'shared'] },
  ])
})

test('keys know their maker where it can be told', async () => {
  const rows = await required(db).execute<{ id: string; created_by: string | null }>(
    sql`select id, created_by from agent_keys order by created_at desc`,
  )
  expect([...rows]).toEqual([
    { id: recent, created_by: userId },
    { id: older, created_by: userId },
    { id: ambiguous, created_by: null },
  ])
})

test('a slug is unique among shared agents and within an organization', async () => {
  const add = (owner: string | null) =>
    required(db).execute(sql`
      insert into agents (id, slug, label, organization_id) values (${uuidv7()}, 'own', 'Own', ${owner})`)
  await add(plain)
  await add(null)
  for (const owner of [plain, acme, null]) await expect(add(owner)).rejects.toThrow()
})
