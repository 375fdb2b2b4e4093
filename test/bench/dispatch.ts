import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { type Db, withSession } from '#db/client.ts'
import { FairPermits } from '#server/fairness/fair-permits.ts'
import { createOrganization, createProject, createWorkspace } from '#test/support/factories.ts'
import { findOrCreateAgent, sendHeartbeat } from '#worker/heartbeat.ts'
import { type Loop, startLoop } from '#worker/loop.ts'
import { permitsFor } from '#worker/runs/admission.ts'
import { dispatchDue } from '#worker/runs/dispatch.ts'
import { dispatchTick } from '#worker/runs/dispatch-tick.ts'
import { LOOK_INTERVAL_MS } from '#worker/runs/find-work.ts'
import { createPicker } from '#worker/runs/picker.ts'
import { FIRST_SERVICE, groupSchedules } from '#worker/runs/schedule-groups.ts'
import { withDatabase } from './database.ts'
import { alternate, type Measure, percentile } from './frame/alternate.ts'
import { measureWithDatabase } from './frame/database-time.ts'
import type { Report } from './frame/report.ts'
import type { BenchOptions } from './main.ts'

/** One service in ten is due. */
const DUE_SHARE = 10
const [SERVICES, SERVICES_LARGE] = [200_000, 1_000_000]
const BATCH = 2_000
const CRON = '*/5 * * * *'
const DUE_PER_SECOND = 1_000
const MINUTE_MS = 60_000
/** After the last services were due. */
const SETTLE_MS = 15_000

/**
 * Compares the dispatch of due services among many schedules with a bare `add_jobs` of as many jobs, in batches of the
 * same size. Dispatch claims, places, inserts runs and advances schedules. The floor beside it is one statement per batch
 * that applies no rule.
 */
export async function run({ large, cases }: BenchOptions, report: Report): Promise<void> {
  const isWanted = (name: string) => cases.length === 0 || cases.includes(name)
  if (isWanted('throughput'))
    await withDatabase((db) => measureThroughput(db, large ? SERVICES_LARGE : SERVICES, report))
  if (isWanted('lateness')) await withDatabase((db) => measureLateness(db, report))
}

async function measureThroughput(db: Db, services: number, report: Report): Promise<void> {
  const count = services / DUE_SHARE
  await createServices(db, services, CRON, DUE_SHARE)
  const agent = await findOrCreateAgent(db, 'bench')
  const amount = `${count} due of ${services}`
  const bare = async (): Promise<Measure> => {
    await clearQueue(db)
    return measureWithDatabase(db, () => addBareJobs(db, count))
  }
  await alternate(report, {
    name: `dispatch of ${amount} against bare add_jobs`,
    own: async () => {
      await sendHeartbeat(db, { id: agent.id, agentId: agent.id, poolIds: ['bench'], lastTaken: null })
      await makeDue(db)
      const measure = await measureWithDatabase(db, () => dispatchAll(db))
      const runs = await db.$count(sql`runs`)
      if (measure.count !== count || runs !== count) throw new Error(`${runs} runs of ${count} services`)
      return measure
    },
    peer: bare,
    by: 'time',
    goal: { atMost: 2.5 },
  })
  await alternate(report, {
    name: `one statement per batch without rules, ${amount}, against bare add_jobs`,
    own: async () => {
      await makeDue(db)
      return measureWithDatabase(db, () => dispatchWithoutRules(db, agent.id, count))
    },
    peer: bare,
    by: 'time',
  })
}

async function dispatchAll(db: Db): Promise<number> {
  let dispatched = 0
  for (let n = 1; n > 0; dispatched += n) n = await dispatchDue(db, { variablesMax: 100 }, () => true)
  return dispatched
}

/** Services as the program creates them: their ids grow with time, and their offsets spread them. All have a state. */
async function createServices(db: Db, count: number, cron: string, offsets: number): Promise<void> {
  const project = await createProject(db, await createWorkspace(db, await createOrganization(db)))
  // A million rows take longer than a statement may.
  await withSession(db, async (session) => {
    await session.execute(sql`
      insert into services (id, organization_id, project_id, name, script, is_active)
      select uuidv7(i * interval '1 millisecond'), ${project.organizationId}, ${project.id}, 'Service ' || i,
        'get("https://a.example/")', true
      from generate_series(1, ${count}::int) i`)
    await session.execute(sql`
      insert into schedules (service_id, organization_id, cron, offset_seconds, next_slot, next_run_at)
      select id, organization_id, ${cron}, row_number() over (order by id) % ${offsets}::int,
        now() + interval '1 day', now() + interval '1 day'
      from services`)
    await session.execute(sql`
      insert into service_states (service_id, organization_id, last_status, mean_run_ms)
      select id, organization_id, 'success', 100 from services`)
    while ((await groupSchedules(session)) > 0);
    await session.execute(sql`vacuum analyze`)
    // Otherwise one begins during the first rounds, after which each page is logged as a whole.
    await session.execute(sql`checkpoint`)
  })
}

let slots = 0

/** Makes the services of one offset due, in a slot that they have not had yet. */
async function makeDue(db: Db): Promise<void> {
  await clearQueue(db)
  slots += 1
  await db.execute(sql`
    update schedules set next_slot = now() - ${`${slots} minutes`}::interval, next_run_at = now() - interval '1 second'
    where offset_seconds = 0`)
  await db.execute(sql`update schedule_groups set next_run_at = now() - interval '1 second' where offset_seconds = 0`)
}

async function clearQueue(db: Db): Promise<void> {
  await db.execute(sql`truncate runs`)
  await db.execute(sql`delete from graphile_worker._private_jobs`)
  await db.execute(sql`vacuum graphile_worker._private_jobs`)
}

async function addBareJobs(db: Db, count: number): Promise<number> {
  for (let done = 0; done < count; done += BATCH) {
    const specs = Array.from({ length: BATCH }, (_, i) => ({
      identifier: 'probe:bench',
      payload: { runId: `${done + i}` },
      job_key: `run:${done + i}`,
    }))
    await db.execute(sql`select graphile_worker.add_jobs(array(
      select j from json_populate_recordset(null::graphile_worker.job_spec, ${JSON.stringify(specs)}::json) j))`)
  }
  return count
}

async function dispatchWithoutRules(db: Db, agentId: string, count: number): Promise<number> {
  let after = FIRST_SERVICE
  for (let done = 0; done < count; done += BATCH) {
    const [last] = await db.execute<{ service_id: string }>(sql`
      with moved as (
        update schedules s set next_slot = s.next_slot + interval '1 day', next_run_at = s.next_run_at + interval '1 day'
        where s.ctid = any(array(
          select ctid from schedules where cron = ${CRON} and offset_seconds = 0 and next_run_at <= now()
            and service_id > ${after}
          order by service_id limit ${BATCH} for update skip locked))
        returning s.organization_id, s.service_id, s.next_slot),
      inserted as (
        insert into runs (id, organization_id, service_id, agent_id, slot, cause)
        select uuidv7(), organization_id, service_id, ${agentId}, next_slot, 'schedule' from moved)
      select service_id from moved order by service_id desc limit 1`)
    after = last?.service_id ?? after
  }
  return count
}

/** Dispatches and picks as a worker process does, but performs nothing, for a minute in which each service is due once. */
async function measureLateness(db: Db, report: Report): Promise<void> {
  await createServices(db, DUE_PER_SECOND * 60, '* * * * *', 60)
  const { id: agentId } = await findOrCreateAgent(db, 'bench')
  const worker = { id: uuidv7(), agentId, agentSlug: 'bench', leaseSeconds: 600 }
  const permits = new FairPermits(permitsFor({ cores: availableParallelism(), memoryBytes: process.availableMemory() }))
  await sendHeartbeat(db, { id: worker.id, agentId, poolIds: ['bench'], lastTaken: null })
  let pickLoop: Loop | null = null
  const pick = () => pickLoop?.trigger()
  const picker = createPicker({
    db,
    worker,
    permits,
    admit: () => permits.free,
    perform: async () => {},
    onDropped: () => {},
    onPermitFree: pick,
  })
  await startSlots(db)
  pickLoop = startLoop('pick', LOOK_INTERVAL_MS, picker.pick)
  const record = { variablesMax: 100 }
  const dispatchLoop = startLoop('dispatch', LOOK_INTERVAL_MS, () =>
    dispatchTick({ db, record, canTrustHeartbeats: () => true, onQueued: pick }),
  )
  const heartbeat = setInterval(
    () => void sendHeartbeat(db, { id: worker.id, agentId, poolIds: ['bench'], lastTaken: null }),
    5_000,
  )
  await sleep(MINUTE_MS + SETTLE_MS)
  clearInterval(heartbeat)
  await dispatchLoop.stop()
  await pickLoop.stop()
  await reportLateness(db, report)
}

/** Moves the schedules to one minute that begins in ten seconds. */
async function startSlots(db: Db): Promise<void> {
  const first = sql`date_trunc('second', now()) + interval '10 seconds'`
  // In one transaction, `now()` is the same for both.
  await db.transaction(async (tx) => {
    await tx.execute(sql`
      update schedules set next_slot = ${first}, next_run_at = ${first} + make_interval(secs => offset_seconds)`)
    await tx.execute(sql`update schedule_groups set next_run_at = ${first} + make_interval(secs => offset_seconds)`)
  })
  await db.execute(sql`vacuum analyze schedules`)
  await db.execute(sql`checkpoint`)
}

async function reportLateness(db: Db, report: Report): Promise<void> {
  const rows = await db.execute<{ ms: number }>(sql`
    select (extract(epoch from r.started_at - r.slot) * 1000)::float8 - s.offset_seconds * 1000 as ms
    from runs r join schedules s on (s.organization_id, s.service_id) = (r.organization_id, r.service_id)
    where r.state = 'running'`)
  if (rows.length < DUE_PER_SECOND * 60) throw new Error(`only ${rows.length} runs were started`)
  const late = rows.map(({ ms }) => ms)
  const unit = 'ms'
  for (const percent of [50, 95] as const) {
    const value = percentile(late, percent)
    report.add({ name: `lateness at ${DUE_PER_SECOND} due runs a second, p${percent}`, value, unit, better: 'lower' })
  }
  const value = percentile(late, 99)
  const name = `lateness at ${DUE_PER_SECOND} due runs a second, p99`
  report.add({ name, value, unit, goal: { atMost: 1_000 } })
}
