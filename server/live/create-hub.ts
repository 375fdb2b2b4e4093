import type { Db } from '#db/client.ts'
import { findUsableSessions } from '../auth/sessions.ts'
import { LiveHub, type LiveOptions } from './hub.ts'

/** Creates the live updates of a web process. A stream ends with the session that opened it. */
export function createLiveHub(db: Db, now: () => Date, bounds: LiveOptions['bounds'] = {}): LiveHub {
  return new LiveHub({ db, findSessions: (ids) => findUsableSessions({ db, now }, ids), bounds })
}
