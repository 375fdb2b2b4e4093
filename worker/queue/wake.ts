import { sql } from 'drizzle-orm'
import type { Db } from '#db/client.ts'
import { log } from '#server/process/log.ts'

/** Calls within this time of each other share a wake. */
const SLOT_MS = 50

/**
 * Returns a function that wakes the queue after a delay, for jobs that are due then: the library looks for them every two
 * seconds only. A wake that is lost costs this time, no job.
 */
export function createQueueWake(db: Db): (delayMs: number) => void {
  const waiting = new Map<number, number>()
  const wake = async (slot: number) => {
    const count = waiting.get(slot)
    waiting.delete(slot)
    try {
      // As the library announces new jobs: so many of its workers look for one.
      await db.execute(sql`select pg_notify('jobs:insert', ${JSON.stringify({ count })})`)
    } catch (error) {
      log.debug({ err: error }, 'the queue could not be woken')
    }
  }
  return (delayMs) => {
    const now = performance.now()
    const slot = Math.ceil((now + delayMs) / SLOT_MS)
    const others = waiting.get(slot)
    waiting.set(slot, (others ?? 0) + 1)
    if (others === undefined) setTimeout(() => void wake(slot), slot * SLOT_MS - now).unref()
  }
}
