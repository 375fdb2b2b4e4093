import type { Db } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { installationChecks } from '#server/observe/system/checks.ts'
import { databaseTime } from '#server/observe/system/database-clock.ts'
import { runParts } from '#server/observe/system/run-parts.ts'
import { takeSample } from '#server/observe/system/samples.ts'
import type { Settings } from '#server/process/settings.ts'

/** Job of the System page: samples sizes, looks for problems, and deletes old rows. */
export async function watchSystem(db: Db, settings: Settings, now = databaseTime()): Promise<void> {
  await runParts(db, 'system', {
    'clearing warnings': () => db.execute(sql`delete from system_warnings where last_at < now() - interval '30 days'`),
    'clearing samples': () => db.execute(sql`delete from system_samples where day < current_date - 400`),
    'clearing web processes': () =>
      db.execute(sql`delete from web_processes where heartbeat_at < now() - interval '1 day'`),
    'taking a sample': () => takeSample(db, now),
    ...installationChecks(db, settings, now),
  })
}
