import { withCheckedDatabase } from '../process/check-database.ts'
import { requireDatabaseUrl } from '../process/embedded-database.ts'
import { runOnce, StartupError } from '../process/lifecycle.ts'
import { findSecretKeys } from '../process/secret-keys.ts'
import { settings } from '../process/settings.ts'
import { createVault } from '../vault.ts'
import { reseal } from './resealing.ts'

// `npm run rotate-keys`: re-seals every secret with the first of SECRET_KEYS, while the product runs.

await runOnce(async () => {
  const current = settings()
  const url = requireDatabaseUrl(current)
  const keys = findSecretKeys(current)
  if (!keys) throw new StartupError('SECRET_KEYS: must be set, the newest key first')
  await withCheckedDatabase(url, 'soundline-rotate-keys', async (db) => {
    const vault = createVault(keys)
    const onBatch = (table: string, changed: number) => console.log(`${table}: ${changed} so far`)
    const done = await reseal(db, vault, { onBatch })
    for (const { table, changed } of done) console.log(`${table}: ${changed} re-sealed with "${vault.newestKey}"`)
    const failed = done.flatMap(({ table, failed }) => failed.map((id) => `${table} ${id}`))
    if (failed.length > 0) {
      throw new StartupError(
        `${failed.length} values do not open with any of SECRET_KEYS and were not changed:\n${failed.join('\n')}`,
      )
    }
    console.log(keys.length > 1 ? 'Stored values no longer need the older keys.' : 'Nothing else to do.')
  })
})
