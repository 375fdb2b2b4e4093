import { describe, expect, test } from 'vitest'
import { appliedMigrations } from '#db/migrate.ts'
import { effectOf, planMigrations } from '#db/migration-plan.ts'
import { describePlan } from '#server/commands/describe-plan.ts'
import { OLDEST, oldestDatabase } from '#test/support/database.ts'
import { runCommand } from '#test/support/processes/commands.ts'

const COMMAND = 'server/commands/migrate.ts'

describe('npm run migrate -- --dry-run', () => {
  const database = oldestDatabase()
  const { url } = database

  test('prints what would be applied and takes long, and changes nothing', async () => {
    const before = await appliedMigrations(database.db)
    expect(before).toHaveLength(OLDEST)
    const { code, stdout, stderr } = await runCommand(COMMAND, ['--dry-run'], { DATABASE_URL: url })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('0048_former_release:')
    expect(stdout).not.toContain('0046_names:')
    expect(stdout).toMatch(/DELETE FROM "certificates".*\n\s+-> changes rows of certificates \([\d.]+ kB\)/)
    expect(stdout).toMatch(/Nothing was changed\.\n$/)
    expect(await appliedMigrations(database.db)).toEqual(before)
  })

  test('refuses other arguments, so that a mistyped one does not migrate', async () => {
    const { code, stderr } = await runCommand(COMMAND, ['--dryrun'], { DATABASE_URL: url })
    expect({ code, stderr }).toEqual({ code: 1, stderr: 'Usage: npm run migrate [-- --dry-run]\n' })
    expect(await appliedMigrations(database.db)).toHaveLength(OLDEST)
  })

  test('then migrates, after which nothing is left to apply', async () => {
    const migrated = await runCommand(COMMAND, [], { DATABASE_URL: url })
    expect(migrated).toMatchObject({ code: 0, stdout: 'The database has the newest schema.\n' })
    const plan = describePlan(await planMigrations(database.db))
    expect(plan).toBe('The database has the newest schema. Nothing would be applied.')
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
