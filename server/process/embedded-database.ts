import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EmbeddedDatabase, embeddedUrl, startEmbeddedDatabase } from '#db/embedded/embedded.ts'
import { clearOrphan } from '#db/embedded/postmaster.ts'
import { readDataFile, writeDataFile } from './data-folder.ts'
import { lockFolder } from './folder-lock.ts'
import { StartupError } from './lifecycle.ts'
import { checkAddress } from './listen.ts'
import { log } from './log.ts'
import type { Settings } from './settings.ts'

const PASSWORD = 'postgres-password'
const PORT = 'postgres-port'
const RESTART_DELAY_MS = 1_000

/**
 * Starts the database that lives in the data folder, keeps it running, and stops it last. The folder is this process's
 * alone from then on.
 * @throws StartupError when another start uses the folder, or the database does not start
 */
export async function runEmbeddedDatabase(folder: string, stops: AsyncDisposableStack): Promise<string> {
  const release = await lockFolder(folder, 'start')
  if (!release) throw new StartupError(`DATA_DIR: another start already uses ${folder}`)
  stops.defer(release)

  const directory = join(folder, 'postgres')
  const orphan = await clearOrphan(directory)
  if (orphan === 'stopped') log.warn('stopped the database that an earlier start left running')
  const options = { directory, password: passwordOf(folder, directory), port: await portOf(folder) }
  const start = () =>
    startEmbeddedDatabase(options).catch((error: Error) => {
      throw new StartupError(error.message)
    })

  let stopping = false
  let database: EmbeddedDatabase = await start()
  const watch = async () => {
    while (!stopping) {
      await database.ended
      if (stopping) return
      log.error('the database ended; starting it again')
      await sleep(RESTART_DELAY_MS)
      try {
        if (!stopping) database = await start()
      } catch (error) {
        log.error({ err: error }, 'the database does not start')
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

/** Where the database of a data folder answers while a start runs it; null when the folder has none. */
function embeddedDatabaseUrl(folder: string): string | null {
  const [port, password] = [Number(readDataFile(folder, PORT)), readDataFile(folder, PASSWORD)]
  return port > 0 && password ? embeddedUrl({ port, password }) : null
}

/** The database of the settings, or the one that `npm start` keeps. @throws StartupError when there is neither */
export function requireDatabaseUrl({ DATABASE_URL, DATA_DIR }: Pick<Settings, 'DATABASE_URL' | 'DATA_DIR'>): string {
  const url = DATABASE_URL ?? embeddedDatabaseUrl(DATA_DIR)
  if (!url) throw new StartupError(`DATABASE_URL: must be set, since \`npm start\` has made no database in ${DATA_DIR}`)
  return url
}

function passwordOf(folder: string, directory: string): string {
  const kept = readDataFile(folder, PASSWORD)
  if (kept) return kept
  if (existsSync(join(directory, 'PG_VERSION'))) {
    throw new StartupError(
      `DATA_DIR: ${join(folder, PASSWORD)} is missing, and the database beside it cannot be opened`,
    )
  }
  return writeDataFile(folder, PASSWORD, randomBytes(24).toString('base64url'))
}

/** The port of last time, if nobody took it meanwhile: what an operator wrote down for `psql` stays true. */
async function portOf(folder: string): Promise<number> {
  const kept = Number(readDataFile(folder, PORT))
  if (kept > 0) {
    try {
      return await checkAddress(kept, '127.0.0.1')
    } catch {
      // Taken: another one will do.
    }
  }
  const port = await checkAddress(0, '127.0.0.1')
  writeDataFile(folder, PORT, String(port))
  return port
}
