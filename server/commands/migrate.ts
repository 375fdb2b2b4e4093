import { parseArgs } from 'node:util'
import { schemaState } from '#db/migrate.ts'
import { planMigrations } from '#db/migration-plan.ts'
import { applyMigrations, checkDatabase, newerSchema, withDatabase } from '../process/check-database.ts'
import { runOnce, StartupError } from '../process/lifecycle.ts'
import { settings } from '../process/settings.ts'
import { describePlan } from './describe-plan.ts'

// `npm run migrate [-- --dry-run]`: for installations that run web and worker separately. `npm start` migrates by itself.

await runOnce(async () => {
  const isDry = readDryRun()
  const { DATABASE_URL, DATABASE_SESSION_URL } = settings()
  const url = DATABASE_SESSION_URL ?? DATABASE_URL
  if (!url) throw new StartupError('DATABASE_URL: must be set (`npm start` migrates its embedded database by itself)')
  await checkDatabase(DATABASE_URL ?? url, true, DATABASE_SESSION_URL)
  if (isDry) {
    await withDatabase(url, 'soundline-migrate', async (db) => {
      if ((await schemaState(db)) === 'newer') throw newerSchema()
      console.log(describePlan(await planMigrations(db)))
    })
    return
  }
  await applyMigrations(url)
  console.log('The database has the newest schema.')
})

/** An argument that is not known must not migrate. */
function readDryRun(): boolean {
  try {
    return parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } }).values['dry-run']
  } catch {
    throw new StartupError('Usage: npm run migrate [-- --dry-run]')
  }
}
