import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { clusterExists, type EmbeddedDatabase, embeddedUrl, startEmbeddedDatabase } from '#db/embedded/embedded.ts'
import { clearOrphan } from '#db/embedded/postmaster.ts'
import { inaccessible, openDataFolder, readDataFile, requireOwner, writeDataFile } from './data-folder.ts'
import { lockFolder } from './folder-lock.ts'
import { StartupError } from './lifecycle.ts'
import { checkAddress } from './listen.ts'
import { log } from './log.ts'
import type { Settings } from './settings.ts'

/** The file is written by the first start, so its owner is that of the installation. */
const PASSWORD = 'postgres-password'
const PORT = 'postgres-port'
const RESTART_DELAY_MS = 1_000
const PORT_ATTEMPTS = 3

/**
 * Starts the embedded database of the data folder, restarts it when it ends, and stops it last. Locks the folder. Returns
 * the database's URL.
 * @throws StartupError when another start uses the folder, or the database does not start
 */
export async function runEmbeddedDatabase(folder: string, stops: AsyncDisposableStack): Promise<string> {
  requireOwnDatabase(folder)
  const release = await lockFolder(folder, 'start')
  if (!release) throw new StartupError(`DATA_DIR: another start already uses ${folder}`)
  stops.defer(release)

  const directory = join(folder, 'postgres')
  const orphan = await clearOrphan(directory)
  if (orphan === 'stopped') log.warn('stopped the embedded database of an earlier start')
  const options = { directory, password: passwordOf(folder, hasCluster(directory)) }

  let stopping = false
  const { port, ...first } = await startOnFreePort(folder, options)
  let { database } = first
  const watch = async () => {
    while (!stopping) {
      await database.ended
      if (stopping) return
      log.error('the embedded database ended; restarting it')
      await sleep(RESTART_DELAY_MS)
      try {
        if (!stopping) database = await startEmbeddedDatabase({ ...options, port })
      } catch (error) {
        log.error({ err: error }, 'the embedded database does not start')
      }
    }
  }
  void watch()
  stops.defer(async () => {
    stopping = true
    await database.stop()
  })
  return database.url
}

/** @throws StartupError when this process is root's, and the embedded database of the folder is another user's */
export function requireOwnDatabase(folder: string): void {
  requireOwner(folder, PASSWORD)
}

/** Another program can take the port before the database does; then the database is started on another one. */
async function startOnFreePort(
  folder: string,
  options: { directory: string; password: string },
): Promise<{ database: EmbeddedDatabase; port: number }> {
  for (let attempt = 1; ; attempt++) {
    const port = await portOf(folder)
    try {
      return { database: await startEmbeddedDatabase({ ...options, port }), port }
    } catch (error) {
      if (attempt === PORT_ATTEMPTS || (await isFree(port))) throw new StartupError((error as Error).message)
    }
  }
}

/** Returns the URL of a data folder's embedded database, reachable while `npm start` runs; null when it has none. */
function embeddedDatabaseUrl(folder: string): string | null {
  const [port, password] = [Number(readDataFile(folder, PORT)), readDataFile(folder, PASSWORD)]
  return port > 0 && password ? embeddedUrl({ port, password }) : null
}

/** Returns `DATABASE_URL`, or the URL of the embedded database. @throws StartupError when there is neither */
export function requireDatabaseUrl({ DATABASE_URL, DATA_DIR }: Pick<Settings, 'DATABASE_URL' | 'DATA_DIR'>): string {
  const url = DATABASE_URL ?? embeddedDatabaseUrl(DATA_DIR)
  if (!url)
    throw new StartupError(`DATABASE_URL: must be set, because ${DATA_DIR} has no embedded database of \`npm start\``)
  return url
}

/**
 * Returns the URL of the installation's database for a command that needs a session: the server itself behind a pooler.
 * Without `DATABASE_URL`, the command uses the embedded database of a running `npm start`, or starts it for its own time.
 * @throws StartupError when there is neither
 */
export async function reachDatabase(settings: Settings, stops: AsyncDisposableStack): Promise<string> {
  if (settings.DATABASE_URL) return settings.DATABASE_SESSION_URL ?? settings.DATABASE_URL
  const url = requireDatabaseUrl(settings)
  const folder = openDataFolder(settings.DATA_DIR)
  const release = await lockFolder(folder, 'start')
  if (!release) return url
  release()
  return runEmbeddedDatabase(folder, stops)
}

function passwordOf(folder: string, hasCluster: boolean): string {
  const stored = readDataFile(folder, PASSWORD)
  if (stored) return stored
  if (hasCluster) {
    throw new StartupError(
      `DATA_DIR: ${join(folder, PASSWORD)} is missing, and without it the embedded database cannot be opened`,
    )
  }
  return writeDataFile(folder, PASSWORD, randomBytes(24).toString('base64url'))
}

function hasCluster(directory: string): boolean {
  try {
    return clusterExists(directory)
  } catch (error) {
    throw inaccessible(error, 'read', directory, 'DATA_DIR')
  }
}

/** Returns the port of the last start if it is free, so that an operator's `psql` command keeps working. */
async function portOf(folder: string): Promise<number> {
  const stored = Number(readDataFile(folder, PORT))
  if (stored > 0 && (await isFree(stored))) return stored
  const port = await checkAddress(0, '127.0.0.1')
  writeDataFile(folder, PORT, String(port))
  return port
}

function isFree(port: number): Promise<boolean> {
  return checkAddress(port, '127.0.0.1').then(
    () => true,
    () => false,
  )
}
