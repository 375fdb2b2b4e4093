import type { Db, Queryable } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { DAY_MS, partitionName } from '#db/partitions.ts'
import { systemSamples } from '#db/schema/system.ts'

/** Results of a day that are read to estimate the bytes of its bodies. */
const BODIES_READ = 10_000

/** Stores the sizes of the day of `now`; a later sample of the day replaces it. */
export async function takeSample(db: Db, now: Date): Promise<void> {
  const [sizes] = await db.execute<{ database: string; results: string }>(sql`
    select pg_database_size(current_database()) as database,
      coalesce((select sum(pg_total_relation_size(inhrelid)) from pg_inherits
        where inhparent = 'results'::regclass), 0) as results`)
  const values = {
    databaseBytes: Number(sizes?.database),
    resultBytes: Number(sizes?.results),
    bodyBytes: await estimateBodies(db, new Date(now.getTime() - DAY_MS)),
  }
  await db
    .insert(systemSamples)
    .values({ day: now.toISOString().slice(0, 10), ...values })
    .onConflictDoUpdate({ target: systemSamples.day, set: values })
}

/** Returns about how many bytes of bodies a day's results named, by store. Large days are sampled. */
async function estimateBodies(db: Queryable, day: Date): Promise<Record<string, number>> {
  const name = partitionName(day)
  const [table] = await db.execute<{ rows: number }>(sql`
    select greatest(reltuples, 0)::float as rows from pg_class
    where relname = ${name} and relnamespace = 'public'::regnamespace`)
  if (!table) return {}
  const percent = Math.min(100, (BODIES_READ / Math.max(1, table.rows)) * 100)
  const rows = await db.execute<{ store: string; bytes: string }>(sql`
    select store, sum(bytes) as bytes from (
      select distinct s->'body'->>'storeId' as store, s->'body'->>'key' as key, (s->'body'->>'bytes')::bigint as bytes
      from ${sql.identifier(name)} r tablesample system (${sql.raw(percent.toFixed(6))})
      cross join lateral jsonb_array_elements(r.steps) s where jsonb_typeof(s->'body') = 'object') bodies
    group by store`)
  return Object.fromEntries(rows.map(({ store, bytes }) => [store, Math.round((Number(bytes) * 100) / percent)]))
}
