import { expect, test } from 'vitest'
import { sql } from '#db/drizzle.cjs'
import { testDatabase } from '#test/support/database.ts'

// Past one primary, rows are placed by their organization, so the keys of their tables begin with it.

const database = testDatabase()

/** Keys without the organization in front, and why. */
const EXCEPTIONS: { pattern: RegExp; why: string }[] = [
  {
    pattern: /^(agents|agent_enrolments|body_stores)_/,
    why: 'all organizations share the rows without an organization, so every place has a copy of these tables',
  },
  { pattern: /^sessions_pkey$/, why: 'a session belongs to an account, and changes its organization' },
  {
    pattern: /^(api_keys_digest|invitations_token|project_tokens_digest)_key$/,
    why: 'the digest is looked up before the organization is known',
  },
]

/** Tables without an organization, and why. */
const WITHOUT: Record<string, string[]> = {
  'the organizations themselves': ['organizations'],
  'an account can belong to several organizations': [
    'email_confirmations',
    'passkeys',
    'password_resets',
    'recovery_codes',
    'users',
  ],
  'an agent can serve all organizations': ['agent_hours', 'agent_keys', 'agent_nonces', 'workers'],
  'the installation and its processes': [
    'process_metrics',
    'rate_limits',
    'setup_links',
    'system_marks',
    'system_samples',
    'system_warnings',
    'web_processes',
  ],
}

test('every table has an organization, or a reason to have none', async () => {
  const rows = await database.db.execute<{ name: string }>(sql`
    select c.relname as name from pg_class c
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace and not exists (
      select from pg_attribute a where a.attrelid = c.oid and a.attname = 'organization_id')`)
  expect(rows.map(({ name }) => name).sort()).toEqual(Object.values(WITHOUT).flat().sort())
})

test('every key of a table with an organization begins with it', async () => {
  const rows = await database.db.execute<{ name: string }>(sql`
    select k.relname as name from pg_index i join pg_class k on k.oid = i.indexrelid
      join pg_class c on c.oid = i.indrelid and c.relnamespace = 'public'::regnamespace and not c.relispartition
      join pg_attribute o on o.attrelid = c.oid and o.attname = 'organization_id'
    where i.indisunique and i.indkey[0] <> o.attnum`)
  const names = rows.map(({ name }) => name).filter((name) => !EXCEPTIONS.some(({ pattern }) => pattern.test(name)))
  expect(names).toEqual([])
  for (const { pattern } of EXCEPTIONS) expect(rows.some(({ name }) => pattern.test(name))).toBe(true)
})

test('every reference from such a table to another one begins with the organization', async () => {
  const rows = await database.db.execute<{ name: string }>(sql`
    select f.conname as name from pg_constraint f
      join pg_attribute o on o.attrelid = f.conrelid and o.attname = 'organization_id'
      join pg_attribute p on p.attrelid = f.confrelid and p.attname = 'organization_id' and p.attnotnull
    where f.contype = 'f' and f.connamespace = 'public'::regnamespace
      and (f.conkey[1] <> o.attnum or f.confkey[1] <> p.attnum)`)
  expect(rows.map(({ name }) => name)).toEqual([])
})
