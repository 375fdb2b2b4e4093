import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import { type Db, withSession } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { slowAwareQueue } from '#server/fairness/fair-queue.ts'
import { findOrCreateAgent, sendHeartbeat } from '#worker/heartbeat.ts'
import { type Loop, startLoop } from '#worker/loop.ts'
import { permitsFor } from '#worker/runs/admission.ts'
import { dispatchDue, nextDueInMs } from '#worker/runs/dispatch.ts'
import { LOOK_INTERVAL_MS } from '#worker/runs/find-work.ts'
import { createPicker } from '#worker/runs/picker.ts'
import { percentile } from '../frame/alternate.ts'
import type { Report } from '../frame/report.ts'
import { latenessOf } from './lateness.ts'
import { createServices, MINUTE_MS, newProject, nextMinute, runEveryMinute } from './services.ts'

const PER_SECOND = 1_000
/** For the schedules before they are due, and for the last runs after that. */
const [SCHEDULING_MS, SETTLE_MS] = [30_000, 5_000]
const HEARTBEAT_MS = 5_000
const FLOOR_BATCHES = 10

/**
 * Dispatches and picks 1,000 runs a second as a worker process does, for one minute, and performs nothing: a run stays
 * started. Beside it, how long two bare statements take for as many rows.
 */
export async function measureDispatch(db: Db, report: Report): Promise<void> {
  const count = PER_SECOND * 60
  const project = await newProject(db)
  const services = await createServices(db, project, count, () => 'https://shop.example/')
  const begin = nextMinute(SCHEDULING_MS)
  await runEveryMinute(db, services, begin, 59)
  await withSession(db, (session) => session.execute(sql`vacuum analyze`))
  if (Date.now() > begin) throw new Error('the services were due before they were scheduled')
  const stop = await startDispatching(db)
  await sleep(begin + MINUTE_MS + SETTLE_MS - Date.now())
  await stop()
  const late = await latenessOf(db, services, begin, begin + MINUTE_MS)
  if (late.length < count) throw new Error(`only ${late.length} of ${count} runs were started`)
  report.add({
    name: `lateness at ${PER_SECOND} due runs a second, p99`,
    value: percentile(late, 99),
    unit: 's',
    bound: { atMost: 2 },
    note: `median ${percentile(late, 50).toFixed(2)} s`,
  })
  report.add({
    name: `bare insert and start of ${PER_SECOND} runs`,
    value: await measureFloor(db, project.organizationId),
    unit: 's',
    note: 'the floor: two statements, no rule; the longest of ten',
  })
}

async function startDispatching(db: Db): Promise<() => Promise<void>> {
  const { id: agentId } = await findOrCreateAgent(db, 'bench')
  const worker = { id: uuidv7(), agentId, agentSlug: 'bench', leaseSeconds: 600 }
  const beat = () => sendHeartbeat(db, { id: worker.id, agentId, poolIds: ['bench'], lastTaken: null })
  await beat()
  const permits = slowAwareQueue(permitsFor({ cores: availableParallelism(), memoryBytes: process.availableMemory() }))
  let pickLoop: Loop | null = null
  const onQueued = () => pickLoop?.trigger()
  const picker = createPicker({
    ...{ db, worker, permits, admit: () => permits.free, perform: async () => true },
    ...{ onDropped: () => {}, onPermitFree: onQueued },
  })
  pickLoop = startLoop('pick', LOOK_INTERVAL_MS, picker.pick)
  const dispatchLoop = startLoop('dispatch', LOOK_INTERVAL_MS, async () => {
    await dispatchDue(db, { variablesMax: 100 }, () => true)
    onQueued()
    return await nextDueInMs(db)
  })
  const heartbeat = setInterval(() => void beat(), HEARTBEAT_MS)
  return async () => {
    clearInterval(heartbeat)
    await dispatchLoop.stop()
    await pickLoop.stop()
  }
}

/** Returns the seconds of the slowest of ten batches of bare rows, one a second. */
async function measureFloor(db: Db, organizationId: string): Promise<number> {
  const times: number[] = []
  for (let n = 1; n <= FLOOR_BATCHES; n++) {
    const startedAt = performance.now()
    const rows = await db.execute<{ id: string }>(sql`
      insert into runs (id, organization_id, service_id, agent_id, slot, cause)
      select uuidv7(), organization_id, id, uuidv7(), now() - ${n} * interval '1 hour', 'schedule'
      from services where organization_id = ${organizationId} order by id limit ${PER_SECOND} returning id`)
    await db.execute(sql`
      update runs set state = 'running', started_at = now() where organization_id = ${organizationId}
        and id = any(${`{${rows.map(({ id }) => id).join(',')}}`}::uuid[])`)
    times.push((performance.now() - startedAt) / 1_000)
    await sleep(Math.max(0, 1_000 - (performance.now() - startedAt)))
  }
  return Math.max(...times)
}
