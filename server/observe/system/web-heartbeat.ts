import { hostname } from 'node:os'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '#db/client.ts'
import { eq, sql } from '#db/drizzle.cjs'
import { webProcesses } from '#db/schema/system.ts'
import { log } from '../../process/log.ts'
import { programVersion } from '../../process/program.ts'
import { measureDatabaseClock } from './database-clock.ts'

const INTERVAL_MS = 15_000

/**
 * Sends heartbeats of this web process for the System page and measures the database's clock, until `stop`, which
 * removes its row.
 */
export function startWebHeartbeat(db: Db): { stop: () => Promise<void> } {
  const own = { id: uuidv7(), version: programVersion(), host: hostname(), pid: process.pid }
  const beat = async () => {
    try {
      await db
        .insert(webProcesses)
        .values(own)
        .onConflictDoUpdate({ target: webProcesses.id, set: { heartbeatAt: sql`now()` } })
      await measureDatabaseClock(db)
    } catch (error) {
      log.debug({ err: error }, 'the heartbeat of the web process could not be stored')
    }
  }
  let latest = beat()
  const timer = setInterval(() => {
    latest = latest.then(beat)
  }, INTERVAL_MS)
  return {
    async stop() {
      clearInterval(timer)
      await latest
      await db
        .delete(webProcesses)
        .where(eq(webProcesses.id, own.id))
        .catch(() => {})
    },
  }
}
