import { CannotStart, runOnce } from './program.ts'
import { bringUpToDate, reachDatabase } from './reach-database.ts'
import { settings } from './settings.ts'

// `npm run migrate`: for installs that run web and worker on machines of their own. `npm start` migrates by itself.

await runOnce(async () => {
  const url = settings().DATABASE_URL
  if (!url) throw new CannotStart('DATABASE_URL: must be set (`npm start` migrates its own database by itself)')
  await reachDatabase(url, true)
  await bringUpToDate(url)
  console.log('The database is at the newest schema.')
})
