import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { closeDatabase, type Db, openDatabase } from '#db/client.ts'
import { appliedMigrations, migrateDatabase } from '#db/migrate.ts'
import { effectOf } from '#db/migration-plan.ts'
import { testDatabase } from '#test/support/database.ts'
import { testFolder } from '#test/support/folder.ts'
import { runCommand } from '#test/support/processes/commands.ts'
import { TEST_SECRET_KEYS } from '#test/support/runs/worker-processes.ts'
import { withDatabase } from '#test/support/vitest/global-setup.ts'

const COMMAND = 'server/commands/migrate.ts'

describe('npm run migrate -- --dry-run', () => {
  const NAME = 'dry_run'
  /** The migrations of the oldest schema that is upgraded. */
  const OLDEST = 47
  const url = withDatabase(inject('postgresUrl'), NAME)
  let admin: postgres.Sql
  let db: Db

  beforeAll(async () => {
    admin = postgres(inject('postgresUrl'), { max: 1, onnotice: () => {} })
    await admin.unsafe(`create database ${NAME}`)
    await migrateDatabase(url, OLDEST)
    db = openDatabase(url, { max: 1, name: 'soundline-test' })
  }, 120_000)
  afterAll(async () => {
    await closeDatabase(db)
    await admin.unsafe(`drop database ${NAME} with (force)`)
    await admin.end()
  })

  test('prints what would be applied and takes long, and changes nothing', async () => {
    const before = await appliedMigrations(db)
    expect(before).toHaveLength(OLDEST)
    const { code, stdout, stderr } = await runCommand(COMMAND, ['--dry-run'], { DATABASE_URL: url })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('0048_former_release:')
    expect(stdout).not.toContain('0046_names:')
    expect(stdout).toMatch(/DELETE FROM "certificates".*\n\s+-> changes rows of certificates \([\d.]+ kB\)/)
    expect(stdout).toMatch(/Nothing was changed\.\n$/)
    expect(await appliedMigrations(db)).toEqual(before)
  })

  test('refuses other arguments, so that a mistyped one does not migrate', async () => {
    const { code, stderr } = await runCommand(COMMAND, ['--dryrun'], { DATABASE_URL: url })
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'Usage: npm run migrate [-- --dry-run]\n' })
    expect(await appliedMigrations(db)).toHaveLength(OLDEST)
  })

  test('then migrates, after which nothing is left to apply', async () => {
    const migrated = await runCommand(COMMAND, [], { DATABASE_URL: url })
    expect(migrated).toMatchObject({ code: 0, stdout: 'The database has the newest schema.\n' })
    const { stdout } = await runCommand(COMMAND, ['--dry-run'], { DATABASE_URL: url })
    expect(stdout).toBe('The database has the newest schema. Nothing would be applied.\n')
  })
})

describe('a database that a newer release has migrated', () => {
  const database = testDatabase()
  const folder = testFolder()

  test.each([
    ['migrate', COMMAND],
    ['web', 'server/commands/web.ts'],
    ['worker', 'worker/main.ts'],
    ['start', 'server/commands/start.ts'],
  ])('%s refuses to start, in one line', async (_, file) => {
    await database.db.execute(sql`
      insert into drizzle.__drizzle_migrations (hash, created_at) values ('of a later release', 4000000000000)`)
    const { code, stderr } = await runCommand(file, [], {
      DATABASE_URL: database.url,
      SECRET_KEYS: TEST_SECRET_KEYS,
      DATA_DIR: folder,
      PORT: '0',
    })
    expect(code).toBe(1)
    expect(stderr).toBe(
      'DATABASE_URL: a newer release has migrated it, so this release cannot use it: install that release or a later one\n',
    )
  })
})

describe('the effect of a statement', () => {
  test.each([
    ['CREATE TABLE "a" ("id" uuid)', null, ''],
    ['DROP INDEX IF EXISTS "a_idx";', null, ''],
    ['CREATE UNIQUE INDEX "a_idx" ON public."a" ("b")', 'reads all of', 'a'],
    ['ALTER TABLE "a" ADD COLUMN "b" text DEFAULT \'x\' NOT NULL', null, ''],
    ['ALTER TABLE "a" ADD COLUMN "b" uuid DEFAULT gen_random_uuid()', 'rewrites', 'a'],
    ['ALTER TABLE "a" ALTER COLUMN "b" SET DATA TYPE bigint', 'rewrites', 'a'],
    ['ALTER TABLE "a" ALTER COLUMN "b" SET NOT NULL', 'reads all of', 'a'],
    ['ALTER TABLE "a" ADD CONSTRAINT "c"\n FOREIGN KEY ("b") REFERENCES "d"("id")', 'reads all of', 'a'],
    ['ALTER TABLE "a" ADD CONSTRAINT "c" CHECK (b > 0) NOT VALID', null, ''],
    ['UPDATE "a" SET "b" = 1', 'changes rows of', 'a'],
    ['DO $$ begin end $$', 'unknown', ''],
  ])('%s', (statement, effect, table) => {
    expect(effectOf(statement)).toEqual({ effect, table })
  })
})
