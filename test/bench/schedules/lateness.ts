import type { Db } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'

/** Returns by how many seconds each run of these services started late that has a slot of the given time, ends excluded. */
export async function latenessOf(db: Db, services: { id: string }[], from: number, to: number): Promise<number[]> {
  const [begin, end] = [from, to].map((ms) => new Date(ms).toISOString())
  const rows = await db.execute<{ seconds: number }>(sql`
    select extract(epoch from r.started_at - r.slot)::float8 - s.offset_seconds as seconds
    from runs r join schedules s on (s.organization_id, s.service_id) = (r.organization_id, r.service_id)
    where r.service_id = any(${`{${services.map(({ id }) => id).join(',')}}`}::uuid[]) and r.started_at is not null
      and r.slot >= ${begin}::timestamptz and r.slot < ${end}::timestamptz`)
  return rows.map(({ seconds }) => seconds)
}
