import type { Db } from '#db/client.ts'
import { findUsableSessions } from '../auth/sessions.ts'
import type { Runtime } from '../context.ts'
import { findOpenRuns } from '../schedule/open-runs.ts'
import { LiveHub, type LiveOptions } from './hub.ts'
import { RunWaits } from './run-waits.ts'

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
