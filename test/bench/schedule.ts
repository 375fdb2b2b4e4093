import { withDatabase } from './database.ts'
import type { Report } from './frame/report.ts'
import { measureDispatch } from './schedules/dispatch.ts'
import { measureBusyWorker, measureHanging } from './schedules/workers.ts'

/** Measures how late runs start, and what one worker carries. */
export async function run(report: Report): Promise<void> {
  await withDatabase((db) => measureDispatch(db, report))
  await measureBusyWorker(report)
  await measureHanging(report)
}
