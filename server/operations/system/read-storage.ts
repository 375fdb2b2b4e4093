import type { z } from 'zod'
import type { Db } from '#db/client.ts'
import { desc, isNull, sql } from '#db/drizzle.cjs'
import { DAY_MS, partitionName } from '#db/partitions.ts'
import { bodyStores } from '#db/schema/body-stores.ts'
import { systemSamples } from '#db/schema/system.ts'
import { isCurrentStore } from '../../bodies/store.ts'
import { readDisk } from '../../observe/system/checks.ts'
import { forecastOf } from '../../observe/system/forecast.ts'
import type { Settings } from '../../process/settings.ts'
import type { SystemStorage } from '../../schemas/system.ts'

type Storage = z.output<typeof SystemStorage>

const SAMPLES_SHOWN = 90
/** Growth of the last month decides the forecast. */
const SAMPLES_OF_FORECAST = 30
const STORES_MAX = 50
const SERVICES_MAX = 10_000

/** Returns sizes, growth, partitions, roll-ups and body stores. */
export async function readStorage(db: Db, settings: Settings, now: Date): Promise<Storage> {
  const [facts] = await db.execute<{ postgres: string; open: number; max: number; bytes: string; results: string }>(sql`
    select current_setting('server_version') as postgres, current_setting('max_connections')::int as max,
      (select count(*)::int from pg_stat_activity where datname = current_database()) as open,
      pg_database_size(current_database()) as bytes,
      coalesce((select sum(pg_total_relation_size(inhrelid)) from pg_inherits
        where inhparent = 'results'::regclass), 0) as results`)
  const newest = await db.select().from(systemSamples).orderBy(desc(systemSamples.day)).limit(SAMPLES_SHOWN)
  const samples = newest.reverse().map(({ day, databaseBytes }) => ({ day, databaseBytes }))
  const disk = await readDisk(settings.DATA_DIR)
  return {
    postgres: facts?.postgres ?? '',
    connections: { open: facts?.open ?? 0, max: facts?.max ?? 0 },
    databaseBytes: Number(facts?.bytes),
    resultBytes: Number(facts?.results),
    samples,
    forecast: forecastOf(samples.slice(-SAMPLES_OF_FORECAST)),
    disk: disk && { ...disk, hasDatabase: isOnThisMachine(settings.DATABASE_URL) },
    partitions: await readPartitions(db, now),
    rollups: await readRollups(db, now),
    stores: await readStores(db, settings, newest),
  }
}

function isOnThisMachine(url = ''): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(URL.parse(url)?.hostname ?? '')
}

async function readPartitions(db: Db, now: Date): Promise<Storage['partitions']> {
  const rows = await db.execute<{ name: string }>(sql`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'results'::regclass order by 1`)
  const names = rows.map(({ name }) => name)
  const dayOf = (name?: string) => name?.slice('results_'.length).replaceAll('_', '-') ?? null
  const needed = [0, 1].map((days) => new Date(now.getTime() + days * DAY_MS))
  const missing = needed
    .filter((day) => !names.includes(partitionName(day)))
    .map((day) => day.toISOString().slice(0, 10))
  return { count: names.length, first: dayOf(names[0]), last: dayOf(names.at(-1)), missing }
}

/** Services that ran are summed up until the start of the present day, soon after it began. */
async function readRollups(db: Db, now: Date): Promise<Storage['rollups']> {
  const today = new Date(Math.floor(now.getTime() / DAY_MS) * DAY_MS).toISOString()
  const [row] = await db.execute<{ services: number; oldest: string | null }>(sql`
    select count(*)::int as services, to_char(min(folded_until), 'YYYY-MM-DD') as oldest from (
      select folded_until from service_states where folded_until < ${today} and folded_until > 'epoch'
      limit ${SERVICES_MAX}) s`)
  const services = row?.services ?? 0
  return { services, isMore: services >= SERVICES_MAX, oldestDay: row?.oldest ?? null }
}

async function readStores(
  db: Db,
  settings: Settings,
  samples: { bodyBytes: Record<string, number> }[],
): Promise<Storage['stores']> {
  const rows = await db
    .select()
    .from(bodyStores)
    .where(isNull(bodyStores.organizationId))
    .orderBy(desc(bodyStores.lastUsedAt))
    .limit(STORES_MAX)
  const kept = samples.slice(-settings.BODY_RETENTION_DAYS)
  return rows.map(({ id, label, url, lastUsedAt }) => {
    const days = kept.flatMap(({ bodyBytes }) => bodyBytes[id] ?? [])
    return {
      id,
      label,
      isCurrent: isCurrentStore(url, settings),
      lastUsedAt: lastUsedAt.toISOString(),
      bytes: days.length > 0 ? days.reduce((sum, bytes) => sum + bytes, 0) : null,
      bytesPerDay: days.at(-1) ?? null,
    }
  })
}
