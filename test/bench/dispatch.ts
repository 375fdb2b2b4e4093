import { sql } from 'drizzle-orm'
import type { Db } from '#db/client.ts'
import { createOrganization, createProject, createWorkspace } from '#test/support/factories.ts'
import { findOrCreateAgent, sendHeartbeat } from '#worker/heartbeat.ts'
import { dispatchDue } from '#worker/runs/dispatch.ts'
import { withDatabase } from './database.ts'
import { median } from './frame/alternate.ts'

const SERVICES = 100_000
const DUE = 20_000
const ROUNDS = 5
const JOBS_PER_STATEMENT = 2_000

/**
 * Compares the dispatch of due services among many schedules with a bare `add_jobs` of as many jobs. Dispatch claims,
 * places, inserts runs, enqueues jobs and advances schedules. Both are measured in turn; the ratio counts.
 */
export async function run(): Promise<void> {
  await withDatabase(async (db) => {
    await createServices(db)
    const agent = await findOrCreateAgent(db, 'bench')
    const ratios: number[] = []
    for (let round = 0; round <= ROUNDS; round++) {
      await clearQueue(db)
      const bare = await timed(() => addBareJobs(db))
      await clearQueue(db)
      await sendHeartbeat(db, { id: agent.id, agentId: agent.id, poolIds: ['bench'], lastTaken: null })
      await db.execute(sql`
        update schedules set next_slot = now() - ${`${round} minutes`}::interval, next_run_at = now() - interval '1 second'
        where service_id in (select service_id from schedules order by service_id limit ${DUE})`)
      let dispatched = 0
      const own = await timed(async () => {
        for (let n = 1; n > 0; dispatched += n) n = await dispatchDue(db, { variablesMax: 100 }, () => true)
      })
      if (dispatched < DUE) throw new Error(`only ${dispatched} of ${DUE} were dispatched`)
      // The first round warms up.
      if (round === 0) continue
      ratios.push(own / bare)
      console.log(`${DUE} due of ${SERVICES}: ${own.toFixed(0)} ms   bare add_jobs: ${bare.toFixed(0)} ms`)
    }
    console.log(`median: ${median(ratios).toFixed(1)} x the time of bare add_jobs\n`)
  })
}

async function createServices(db: Db): Promise<void> {
  const project = await createProject(db, await createWorkspace(db, await createOrganization(db)))
  await db.execute(sql`
    insert into services (id, organization_id, project_id, name, script, is_active)
    select gen_random_uuid(), ${project.organizationId}, ${project.id}, 'Service ' || i, 'get("https://a.example/")', true
    from generate_series(1, ${SERVICES}::int) i`)
  await db.execute(sql`
    insert into schedules (service_id, organization_id, cron, next_slot, next_run_at)
    select id, organization_id, '*/5 * * * *', now() + interval '1 day', now() + interval '1 day' from services`)
  await db.execute(sql`analyze`)
}

async function clearQueue(db: Db): Promise<void> {
  await db.execute(sql`truncate runs`)
  await db.execute(sql`delete from graphile_worker._private_jobs`)
}

async function addBareJobs(db: Db): Promise<void> {
  for (let done = 0; done < DUE; done += JOBS_PER_STATEMENT) {
    const specs = Array.from({ length: JOBS_PER_STATEMENT }, (_, i) => ({
      identifier: 'probe:bench',
      payload: { runId: `${done + i}` },
      job_key: `run:${done + i}`,
    }))
    await db.execute(sql`select graphile_worker.add_jobs(array(
      select j from json_populate_recordset(null::graphile_worker.job_spec, ${JSON.stringify(specs)}::json) j))`)
  }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

if (import.meta.main) await run()
