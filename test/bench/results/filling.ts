import { uuids } from '#db/any-of.ts'
import { type Db, type Tx, withSession } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { ensurePartitions } from '#db/partitions.ts'
import { DAY_MS, HOUR_MS } from '#server/durations.ts'
import type { FinishedRun } from '#server/runs/record/finished-run.ts'
import { foldDays } from '#server/runs/record/rollups/days.ts'
import { addToHours } from '#server/runs/record/rollups/hours.ts'
import { storeRuns } from '#server/runs/record/store-runs.ts'
import { copyRun, finishedRun, type Service } from './finished-runs.ts'

const SAMPLES = 1_000
const WRITERS = 2

/**
 * Inserts `count` results of the services, evenly over the last `days`, in chronological order. Rows are copies of
 * samples that the worker's own statements stored. Roll-ups are added an hour at a time with those statements, and days are
 * folded as in the worker's tasks.
 */
export async function fill(db: Db, services: Service[], count: number, days: number): Promise<void> {
  const startedAt = performance.now()
  const now = Date.now()
  const from = Math.ceil((now - days * DAY_MS) / HOUR_MS) * HOUR_MS
  await ensurePartitions(db, new Date(from), days + 1)
  // With ten million results, this avoids some checkpoints.
  await db.execute(sql`alter system set max_wal_size = '8GB'`)
  await db.execute(sql`select pg_reload_conf()`)
  const samples = await Promise.all(
    Array.from({ length: SAMPLES }, (_, i) =>
      finishedRun(services[i % services.length] as Service, new Date(now - i * 1_000)),
    ),
  )
  await keepSamples(db, samples)

  const rest = count - SAMPLES
  const hours = Math.floor((now - from) / HOUR_MS)
  let next = 0
  await Promise.all(
    Array.from({ length: WRITERS }, async () => {
      for (let hour = next++; hour < hours; hour = next++) {
        const first = Math.round((hour * rest) / hours)
        const last = Math.round(((hour + 1) * rest) / hours)
        const numbers = Array.from({ length: last - first }, () => Math.floor(Math.random() * SAMPLES))
        const runs = numbers.map((number, i) => {
          const at = from + hour * HOUR_MS + Math.floor((i / numbers.length) * HOUR_MS)
          return copyRun(
            samples[number] as FinishedRun,
            services[(first + i) % services.length] as Service,
            new Date(at),
          )
        })
        if (runs.length > 0) await db.transaction((tx) => load(tx, runs, numbers))
      }
    }),
  )
  await foldDays(db, new Date(now))
  await db.execute(sql`drop table samples`)
  await withSession(db, async (session) => {
    await session.execute(sql`vacuum analyze`)
    await session.execute(sql`checkpoint`)
  })
  const seconds = (performance.now() - startedAt) / 1_000
  console.log(`filled ${count} results in ${seconds.toFixed(0)} s (${(count / seconds).toFixed(0)}/s)`)
}

/** Stores the samples as the worker does, and copies the columns that do not depend on service and time. */
async function keepSamples(db: Db, samples: FinishedRun[]): Promise<void> {
  await db.transaction((tx) => storeRuns(tx, samples, { variablesMax: 100 }))
  await db.execute(sql`
    create table samples as
    select i.number - 1 as number, r.agent_id, r.agent_slug, r.status, r.run_duration_ms, r.total_response_ms,
      r.call_count, r.failed_calls, r.raw, r.steps
    from unnest(${uuids(samples.map((run) => run.result.id))}) with ordinality i(id, number) join results r on r.id = i.id`)
  await db.execute(sql`analyze samples`)
}

async function load(tx: Tx, runs: FinishedRun[], numbers: number[]): Promise<void> {
  const times = `{${runs.map((run) => run.result.startedAt.toISOString()).join(',')}}`
  await tx.execute(sql`
    insert into results
    select i.organization_id, i.service_id, i.started_at, i.id, s.agent_id, s.agent_slug, s.status, s.run_duration_ms,
      s.total_response_ms, s.call_count, s.failed_calls, s.raw, s.steps
    from unnest(${uuids(runs.map((run) => run.organizationId))}, ${uuids(runs.map((run) => run.serviceId))},
        ${times}::timestamptz[], ${uuids(runs.map((run) => run.result.id))}, ${`{${numbers.join(',')}}`}::int[])
      as i(organization_id, service_id, started_at, id, number)
    join samples s on s.number = i.number`)
  await addToHours(tx, runs)
}
