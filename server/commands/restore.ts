import { existsSync } from 'node:fs'
import { restoreBackup } from '../backup/restore-backup.ts'
import { checkDatabase } from '../process/check-database.ts'
import { openDataFolder } from '../process/data-folder.ts'
import { runEmbeddedDatabase } from '../process/embedded-database.ts'
import { runOnce, StartupError } from '../process/lifecycle.ts'
import { findSecretKeys } from '../process/secret-keys.ts'
import { settings } from '../process/settings.ts'
import { createProgress } from './progress.ts'

// `npm run restore -- FILE`: restores a backup into an empty installation that does not run.

await runOnce(async () => {
  const [file, ...others] = process.argv.slice(2)
  if (!file || others.length > 0) throw new StartupError('Usage: npm run restore -- FILE')
  if (!existsSync(file)) throw new StartupError(`${file} does not exist`)
  const current = settings()
  await using stops = new AsyncDisposableStack()
  const url = current.DATABASE_URL ?? (await runEmbeddedDatabase(openDataFolder(current.DATA_DIR), stops))
  await checkDatabase(url, true, current.DATABASE_SESSION_URL)
  const keys = findSecretKeys(current) ?? null
  const { manifest, summary } = await restoreBackup({
    url: current.DATABASE_SESSION_URL ?? url,
    file,
    settings: current,
    keys,
    onProgress: createProgress(),
  })
  const rows = Object.values(summary.rows).reduce((sum, source) => sum + source.rows, 0)
  console.log(
    `Restored ${rows.toLocaleString('en')} rows and ${summary.bodies.count.toLocaleString('en')} bodies from the backup of ${manifest.createdAt}.`,
  )
  console.log('Stop the installation that made the backup before you start this one. Otherwise both run its services.')
})
