import { withCheckedDatabase } from '../process/check-database.ts'
import { readDataFile } from '../process/data-folder.ts'
import { requireDatabaseUrl } from '../process/embedded-database.ts'
import { runOnce, StartupError } from '../process/lifecycle.ts'
import { parseSettings, settings } from '../process/settings.ts'
import { createVault } from '../vault.ts'
import { reseal } from './resealing.ts'

// `npm run rotate-keys`: seals everything anew with the first of SECRET_KEYS, while the service runs.

await runOnce(async () => {
  const given = settings()
  const url = requireDatabaseUrl(given)
  // What `npm start` keeps for itself where neither is set.
  const kept = given.DATABASE_URL ? null : readDataFile(given.DATA_DIR, 'secret-keys')
  const keys = given.SECRET_KEYS ?? parseSettings({ SECRET_KEYS: kept ?? '' }).SECRET_KEYS
  if (!keys) throw new StartupError('SECRET_KEYS: must be set, the newest first and the older ones behind it')
  await withCheckedDatabase(url, 'soundline-rotate-keys', async (db) => {
    const vault = createVault(keys)
    const onBatch = (table: string, changed: number) => console.log(`${table}: ${changed} so far`)
    const done = await reseal(db, vault, { onBatch })
    for (const { table, changed } of done) console.log(`${table}: ${changed} sealed anew with "${vault.newestKey}"`)
    const failed = done.flatMap(({ table, failed }) => failed.map((id) => `${table} ${id}`))
    if (failed.length > 0) {
      throw new StartupError(`${failed.length} do not open with any of SECRET_KEYS, and stay:\n${failed.join('\n')}`)
    }
    console.log(keys.length > 1 ? 'The older keys are no longer needed for what is stored.' : 'Nothing else to do.')
  })
})
