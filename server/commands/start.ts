import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { closeDatabase, openDatabase } from '#db/client.ts'
import { databaseNow } from '#db/clock.ts'
import { setupFromSettings } from '../identity/accounts/setup.ts'
import { findSetupToken, logSetupLink } from '../identity/accounts/setup-links.ts'
import { applyMigrations, checkDatabase } from '../process/check-database.ts'
import { buildDashboard, isDashboardBuilt } from '../process/dashboard-build.ts'
import { openDataFolder, readDataFile, writeDataFile } from '../process/data-folder.ts'
import { requireOwnDatabase, runEmbeddedDatabase } from '../process/embedded-database.ts'
import { childEnvironment, SettingsError, setNodeEnv } from '../process/environment.ts'
import { wasHolderKilled } from '../process/folder-lock.ts'
import { runProgram, STOP_LIMIT_MS, sendToParent } from '../process/lifecycle.ts'
import { checkAddress, publicAddress } from '../process/listen.ts'
import { log } from '../process/log.ts'
import { ROOT } from '../process/program.ts'
import { parseSettings, type Settings, settings } from '../process/settings.ts'
import { supervise } from '../process/supervise.ts'
import { createVault, type SecretKey } from '../vault.ts'
import { watchSources } from './watch-sources.ts'

// `npm start`: the whole product on one machine. Prepares database, schema, first account and dashboard, then runs web
// and one worker as child processes.

/** How long the children of a killed start may take to end. */
const ORPHANS_WAIT_MS = 10_000

const dev = process.argv.includes('--dev')

await runProgram(async (stops) => {
  const current = settings()
  setNodeEnv(dev ? 'development' : 'production')
  const folder = openDataFolder(current.DATA_DIR)
  // Before anything else is written to the folder.
  if (!current.DATABASE_URL) requireOwnDatabase(folder)
  const waitMs = (await wasHolderKilled(folder, 'start')) ? ORPHANS_WAIT_MS : 0
  await checkAddress(current.PORT, current.HOST, waitMs)
  const secretKeys = secretKeysFor(current, folder)

  // Stopped last, because the others use it.
  const databaseStops = stops.use(new AsyncDisposableStack())
  const worker = supervise('worker', join(ROOT, 'worker/main.ts'), [])
  stops.defer(worker.stop)
  const web = supervise('web', join(ROOT, 'server/commands/web.ts'), dev ? ['--dev'] : [])
  stops.defer(web.stop)
  const url = current.DATABASE_URL ?? (await runEmbeddedDatabase(folder, databaseStops))
  await checkDatabase(url, true, current.DATABASE_SESSION_URL)
  await applyMigrations(current.DATABASE_SESSION_URL ?? url)
  const setupToken = await setUp(current, url, secretKeys.keys)

  if (!dev && !isDashboardBuilt()) {
    const abort = new AbortController()
    stops.defer(() => abort.abort())
    await buildDashboard((progress) => log.info(progress), abort.signal)
  }

  const environment = childEnvironment({ DATABASE_URL: url, SECRET_KEYS: secretKeys.text, DATA_DIR: folder })
  web.start(environment)
  worker.start(environment)
  stops.defer(() => log.info('stopping: running work is finished first'))
  const [{ port }] = await Promise.all([web.ready, worker.ready])

  if (dev) {
    const restart = (file: string) => {
      log.info({ file }, 'a source changed: web and worker restart')
      web.restart()
      worker.restart()
    }
    // Next itself reloads what changes in `app`.
    stops.defer(watchSources(ROOT, ['server', 'worker', 'db'], restart))
  }
  sendToParent({ type: 'ready', port: port ?? current.PORT })
  const address = publicAddress(current, port ?? current.PORT)
  log.info(`the dashboard is at ${address}`)
  if (setupToken) logSetupLink(address, setupToken)
}, 3 * STOP_LIMIT_MS)

/** Returns the keys that seal secrets: the setting's, or for an embedded database a key generated once and stored. */
function secretKeysFor(current: Settings, folder: string): { text: string; keys: SecretKey[] } {
  if (current.SECRET_KEYS) {
    const text = current.SECRET_KEYS.map((key) => `${key.id}:${key.secret}`).join(',')
    return { text, keys: current.SECRET_KEYS }
  }
  if (current.DATABASE_URL) {
    throw new SettingsError(
      'SECRET_KEYS: must be set with DATABASE_URL, as id:secret with a secret of 32 characters or more',
    )
  }
  const name = 'secret-keys'
  const text = readDataFile(folder, name) ?? writeDataFile(folder, name, `k1:${randomBytes(32).toString('base64url')}`)
  return { text, keys: parseSettings({ SECRET_KEYS: text }).SECRET_KEYS ?? [] }
}

/** Creates the first account if the settings ask for it. Returns the setup token while there is no account. */
async function setUp(current: Settings, url: string, keys: SecretKey[]): Promise<string | null> {
  const db = openDatabase(url, { max: 2, name: 'soundline-start', sessionUrl: current.DATABASE_SESSION_URL })
  try {
    const at = await databaseNow(db)
    const runtime = { db, settings: current, now: () => at, vault: createVault(keys) }
    if (await setupFromSettings(runtime)) log.info(`created the first account, ${current.SETUP_EMAIL}`)
    return await findSetupToken(runtime)
  } finally {
    await closeDatabase(db)
  }
}
