import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { closeDatabase, openDatabase } from '#db/client.ts'
import { setupFromSettings } from '../accounts/setup.ts'
import { findSetupToken, logSetupLink } from '../accounts/setup-links.ts'
import { applyMigrations, checkDatabase } from '../process/check-database.ts'
import { buildDashboard, ROOT } from '../process/dashboard-build.ts'
import { openDataFolder, readDataFile, writeDataFile } from '../process/data-folder.ts'
import { runEmbeddedDatabase } from '../process/embedded-database.ts'
import { wasHolderKilled } from '../process/folder-lock.ts'
import { runProgram, STOP_LIMIT_MS } from '../process/lifecycle.ts'
import { checkAddress, publicAddress } from '../process/listen.ts'
import { log } from '../process/log.ts'
import {
  childEnvironment,
  parseSettings,
  type Settings,
  SettingsError,
  settings,
  settleNodeEnv,
} from '../process/settings.ts'
import { supervise } from '../process/supervise.ts'
import { createVault, type SecretKey } from '../vault.ts'

// `npm start`: everything on one machine, from nothing. Database, schema, first account, dashboard, then web and one
// worker as processes of their own.

/** So long what a killed start leaves may take to be gone. */
const ORPHANS_GONE_MS = 10_000

const dev = process.argv.includes('--dev')

await runProgram(async (stops) => {
  const given = settings()
  settleNodeEnv(dev ? 'development' : 'production')
  const folder = openDataFolder(given.DATA_DIR)
  const patienceMs = (await wasHolderKilled(folder, 'start')) ? ORPHANS_GONE_MS : 0
  await checkAddress(given.PORT, given.HOST, patienceMs)
  const secretKeys = secretKeysFor(given, folder)

  const url = given.DATABASE_URL ?? (await runEmbeddedDatabase(folder, stops))
  await checkDatabase(url, true)
  await applyMigrations(url)
  const setupToken = await setUp(given, url, secretKeys.keys)

  if (!dev) {
    const abort = new AbortController()
    stops.defer(() => abort.abort())
    await buildDashboard((progress) => log.info(progress), abort.signal)
  }

  const environment = childEnvironment({ DATABASE_URL: url, SECRET_KEYS: secretKeys.text, DATA_DIR: folder })
  const worker = supervise('worker', join(ROOT, 'worker/main.ts'), [], environment)
  stops.defer(worker.stop)
  const web = supervise('web', join(ROOT, 'server/commands/web.ts'), dev ? ['--dev'] : [], environment)
  stops.defer(web.stop)
  stops.defer(() => log.info('stopping: what is under way is finished first'))
  const [{ port }] = await Promise.all([web.ready, worker.ready])

  const address = publicAddress(given, port ?? given.PORT)
  log.info(`the dashboard is at ${address}`)
  if (setupToken) logSetupLink(address, setupToken)
}, 3 * STOP_LIMIT_MS)

/** The keys that seal secrets: the setting, or with a database of our own a key made once and kept beside it. */
function secretKeysFor(given: Settings, folder: string): { text: string; keys: SecretKey[] } {
  if (given.SECRET_KEYS) {
    const text = given.SECRET_KEYS.map((key) => `${key.id}:${key.secret}`).join(',')
    return { text, keys: given.SECRET_KEYS }
  }
  if (given.DATABASE_URL) {
    throw new SettingsError(
      'SECRET_KEYS: is needed with DATABASE_URL, as id:secret with 32 characters or more of secret',
    )
  }
  const name = 'secret-keys'
  const text = readDataFile(folder, name) ?? writeDataFile(folder, name, `k1:${randomBytes(32).toString('base64url')}`)
  return { text, keys: parseSettings({ SECRET_KEYS: text }).SECRET_KEYS ?? [] }
}

/** Makes the first account if the settings ask for it. Returns the token to make it with while there is none. */
async function setUp(given: Settings, url: string, keys: SecretKey[]): Promise<string | null> {
  const db = openDatabase(url, { max: 2, name: 'soundline-start' })
  try {
    const runtime = { db, settings: given, now: () => new Date(), vault: createVault(keys) }
    if (await setupFromSettings(runtime)) log.info(`made the first account, ${given.SETUP_EMAIL}`)
    return await findSetupToken(runtime)
  } finally {
    await closeDatabase(db)
  }
}
