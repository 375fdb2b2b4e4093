import { applyMigrations, checkDatabase } from '../process/check-database.ts'
import { runOnce, StartupError } from '../process/lifecycle.ts'
import { settings } from '../process/settings.ts'

// `npm run migrate`: for installations that run web and worker separately. `npm start` migrates by itself.

await runOnce(async () => {
  const url = settings().DATABASE_URL
  if (!url) throw new StartupError('DATABASE_URL: must be set (`npm start` migrates its embedded database by itself)')
  await checkDatabase(url, true)
  await applyMigrations(url)
  console.log('The database has the newest schema.')
})
