import { hostname } from 'node:os'
import type { Db } from '#db/client.ts'
import { databaseNow } from '#db/clock.ts'
import { log } from '../../process/log.ts'
import { oncePerProcess } from '../../process/once-per-process.ts'
import { createMeasuredClock } from './measured-clock.ts'
import { warnOperator } from './warnings.ts'

// All processes share the database's clock: a process whose own clock is wrong would move schedules and hide results.

/** A larger difference between this machine's clock and the database's is a warning. */
const DIFFERENCE_MAX_MS = 2_000

const measured = () => oncePerProcess('database-clock', () => ({ clock: createMeasuredClock(), isWrong: false }))

/** Returns the time by the database's clock, as this process measured it last; before that, by the machine's clock. */
export function databaseTime(): Date {
  return new Date(measured().clock.now())
}

/** Measures the database's clock. Each heartbeat does it, too. */
export async function measureDatabaseClock(db: Db): Promise<void> {
  const sentAt = performance.now()
  observeDatabaseTime(db, await databaseNow(db), sentAt)
}

/** Takes the database's time from a statement that was sent at `sentAt` (`performance.now()`) and has just returned. */
export function observeDatabaseTime(db: Db, at: Date, sentAt: number): void {
  const state = measured()
  const receivedAt = performance.now()
  state.clock.observe(at, sentAt, receivedAt)
  const aheadMs = state.clock.aheadMs() ?? 0
  // A slow response gives less precision.
  const isWrong = Math.abs(aheadMs) - (receivedAt - sentAt) > DIFFERENCE_MAX_MS
  if (isWrong) {
    const detail = `its clock is ${Math.round(Math.abs(aheadMs) / 1_000)} s ${aheadMs > 0 ? 'behind' : 'ahead of'} the database's`
    if (!state.isWrong) log.warn(`the clock of this machine is wrong: ${detail}`)
    warnOperator(db, 'process_clock', hostname(), detail)
  }
  state.isWrong = isWrong
}
