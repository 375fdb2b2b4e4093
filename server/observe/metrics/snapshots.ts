import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Db } from '#db/client.ts'
import { withinRequestBounds, withoutRequestBounds } from '#db/connections/request-bounds.ts'
import { eq, sql } from '#db/drizzle.cjs'
import { processMetrics } from '#db/schema/system.ts'
import { log } from '../../process/log.ts'
import type { Family } from './families.ts'
import type { ProcessMetrics } from './process-metrics.ts'

const [compress, decompress] = [promisify(gzip), promisify(gunzip)]

export const STORE_INTERVAL_MS = 10_000
/** A process that stored nothing for this long is left out of scrapes, and its row is deleted soon after. */
const STALE_SECONDS = 35
const DELETE_SECONDS = 60
/** Metrics of a process past this size are not stored, and those of all processes past this size not read. */
const PROCESS_MAX_BYTES = 4 * 1024 * 1024
const ALL_MAX_BYTES = 24 * 1024 * 1024
/** The longest that storing may take: a scrape waits for it. */
const STORE_MS = 2_500

/** Writes to the row of a process, one after another, so that older values never replace newer ones. */
const chains = new WeakMap<ProcessMetrics, Promise<void>>()

function enqueue(metrics: ProcessMetrics, work: () => Promise<void>): Promise<void> {
  const bounded = () => withoutRequestBounds(() => withinRequestBounds(STORE_MS, work))
  const done = (chains.get(metrics) ?? Promise.resolve()).then(bounded)
  chains.set(
    metrics,
    done.catch(() => {}),
  )
  return done
}

/** Stores the metrics of a process for the scrapes that other processes answer. */
export function storeSnapshot(db: Db, metrics: ProcessMetrics): Promise<void> {
  return enqueue(metrics, () => store(db, metrics))
}

async function store(db: Db, { id, kind, read }: ProcessMetrics): Promise<void> {
  const text = JSON.stringify(await read())
  if (text.length > PROCESS_MAX_BYTES) {
    log.error({ bytes: text.length }, 'the metrics of this process are too large to be stored')
    return
  }
  const stored = { kind, families: await compress(text), sizeBytes: text.length, storedAt: sql`now()` }
  await db
    .insert(processMetrics)
    .values({ processId: id, ...stored })
    .onConflictDoUpdate({ target: processMetrics.processId, set: stored })
  // Skips rows that their process is replacing.
  await db.execute(sql`
    delete from ${processMetrics} where process_id in (
      select process_id from ${processMetrics} where stored_at < now() - make_interval(secs => ${DELETE_SECONDS})
      limit 100 for update skip locked)`)
}

/** Deletes the row of a process that stops. */
export function removeSnapshot(db: Db, metrics: ProcessMetrics): Promise<void> {
  return enqueue(metrics, async () => {
    await db.delete(processMetrics).where(eq(processMetrics.processId, metrics.id))
  })
}

/** Returns the metrics of all live processes, the youngest rows first if they exceed the bound. */
export async function readSnapshots(db: Db): Promise<Family[][]> {
  const rows = await db.execute<{ families: Buffer; is_within: boolean }>(sql`
    select case when is_within then families end as families, is_within from (
      select families, stored_at, sum(size_bytes) over (order by stored_at desc, process_id) <= ${ALL_MAX_BYTES} as is_within
      from ${processMetrics} where stored_at > now() - make_interval(secs => ${STALE_SECONDS})) recent
    order by stored_at desc limit 1000`)
  const kept = rows.filter((row) => row.is_within)
  if (kept.length < rows.length) log.error({ processes: rows.length - kept.length }, 'a scrape left out processes')
  const lists: Family[][] = []
  // One after another: parsing blocks the event loop.
  for (const { families } of kept) lists.push(JSON.parse(String(await decompress(families))) as Family[])
  return lists
}

/** Stores the metrics of a process every ten seconds. Returns a function that stops it and deletes what is stored. */
export function keepSnapshots(db: Db, metrics: ProcessMetrics): () => Promise<void> {
  const keep = () => {
    storeSnapshot(db, metrics).catch((error) => log.warn({ err: error }, 'the metrics of this process were not stored'))
  }
  keep()
  const keeping = setInterval(keep, STORE_INTERVAL_MS).unref()
  return async () => {
    clearInterval(keeping)
    await removeSnapshot(db, metrics).catch(() => {})
  }
}
