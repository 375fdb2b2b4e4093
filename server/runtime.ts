import { type Db, openDatabase } from '#db/client.ts'
import { type Reads, readsFromPrimary, readsFromReplica } from '#db/replica.ts'
import { createBodyReader } from './bodies/reader.ts'
import type { Runtime } from './context.ts'
import { findUsableSessions } from './identity/auth/sessions.ts'
import { LiveHub, type LiveOptions } from './live/hub.ts'
import { RunWaits } from './live/run-waits.ts'
import { databaseTime } from './observe/system/database-clock.ts'
import { SettingsError } from './process/environment.ts'
import { oncePerProcess } from './process/once-per-process.ts'
import { type Settings, settings } from './process/settings.ts'
import { findOpenRuns } from './schedule/open-runs.ts'
import { createVault } from './vault.ts'

/** The longest time of a statement. A request whose connection is silent fails soon after it. */
const STATEMENT_MS = 10_000

/**
 * Returns what this process creates once: settings, connection pool, vault.
 * @throws SettingsError when `DATABASE_URL` or `SECRET_KEYS` is not set; `npm start` provides both
 */
export function processRuntime(): Runtime {
  return oncePerProcess('runtime', create)
}

function create(): Runtime {
  const current = settings()
  if (!current.DATABASE_URL) throw new SettingsError('DATABASE_URL: must be set')
  if (!current.SECRET_KEYS) throw new SettingsError('SECRET_KEYS: must be set')
  const db = openDatabase(current.DATABASE_URL, {
    name: 'soundline-web',
    max: current.DATABASE_POOL_MAX,
    statementMs: STATEMENT_MS,
    sessionUrl: current.DATABASE_SESSION_URL,
  })
  const reads = createReads(db, current)
  return {
    settings: current,
    db,
    reads,
    vault: createVault(current.SECRET_KEYS),
    bodies: createBodyReader(current),
    ...createLive({ db, reads, now: databaseTime }),
    now: databaseTime,
  }
}

function createReads(db: Db, current: Settings): Reads {
  const { DATABASE_READ_URL: url, DATABASE_READ_LAG_MAX_SECONDS, DATABASE_POOL_MAX: max } = current
  if (!url) return readsFromPrimary(db)
  const maxLagMs = DATABASE_READ_LAG_MAX_SECONDS * 1_000
  return readsFromReplica(db, { url, max, statementMs: STATEMENT_MS, name: 'soundline-web', maxLagMs })
}

/** Creates the live updates of a web process, and its waits, which listen to them. */
export function createLive({ db, reads, now }: Pick<Runtime, 'db' | 'reads' | 'now'>): Pick<Runtime, 'live' | 'waits'> {
  const live = createLiveHub(db, now, { untilReadable: reads.caughtUp })
  return { live, waits: new RunWaits({ db, live, findOpen: findOpenRuns }) }
}

/** Creates the live updates of a web process. A stream ends with the session that opened it. */
export function createLiveHub(
  db: Db,
  now: () => Date,
  options: Pick<LiveOptions, 'bounds' | 'untilReadable'> = {},
): LiveHub {
  return new LiveHub({ db, findSessions: (ids) => findUsableSessions({ db, now }, ids), ...options })
}
