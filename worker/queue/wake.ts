import { sql } from 'drizzle-orm'
import type { Db } from '#db/client.ts'
import { log } from '#server/process/log.ts'

/** Calls within this time of each other share a wake. */
const SLOT_MS = 50

/** Wakes the queues of all workers for so many jobs, as the library announces new ones: so many of its workers look for one. */
export async function wakeQueues(db: Db, count: number): Promise<void> {
  await db.execute(sql`select pg_notify('jobs:insert', ${JSON.stringify({ count })})`)
}

/**
 * Returns a function that wakes the queues after a delay, for jobs that are due then. Without it, they are found up to a
 * second late. A wake that is lost costs this time, no job.
 */
export function createQueueWake(db: Db): (delayMs: number) => void {
  const waiting = new Map<number, number>()
  const wake = async (slot: number) => {
    const count = waiting.get(slot) ?? 1
    waiting.delete(slot)
    try {
      await wakeQueues(db, count)
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
