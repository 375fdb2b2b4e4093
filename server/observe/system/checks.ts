import { statfs } from 'node:fs/promises'
import { hostname } from 'node:os'
import type { Db } from '#db/client.ts'
import { eq, sql } from '#db/drizzle.cjs'
import { DAY_MS, partitionName } from '#db/partitions.ts'
import { systemMarks } from '#db/schema/system.ts'
import type { Settings } from '../../process/settings.ts'
import { type Marks, setMark } from './marks.ts'
import { storeWarning } from './warnings.ts'

/** The share of a disk that should be free. */
const FREE_SHARE = 0.1
/** A remote agent's clock may differ by this much; its times are corrected anyway. */
const CLOCK_MS = 30_000
/** Days are summed up within an hour after their end. */
const LATE_DAYS = 2

type Checked = Pick<Settings, 'DATA_DIR' | 'SECRET_KEYS'>

/** Returns the checks for what no process notices by itself. Each stores a warning for what it finds. */
export function installationChecks(db: Db, settings: Checked, now: Date): Record<string, () => Promise<void>> {
  return {
    'checking partitions': () => checkPartitions(db, now),
    'checking roll-ups': () => checkRollups(db, now),
    'checking clocks': () => checkClocks(db),
    'checking the disk': () => checkDisk(db, settings.DATA_DIR),
    'checking keys': () => checkKeys(db, settings, now),
  }
}

async function checkPartitions(db: Db, now: Date): Promise<void> {
  for (const day of [now, new Date(now.getTime() + DAY_MS)]) {
    const name = partitionName(day)
    const [row] = await db.execute<{ there: boolean }>(sql`select to_regclass(${name}) is not null as there`)
    if (row?.there) continue
    const subject = day.toISOString().slice(0, 10)
    await storeWarning(db, { code: 'partition_missing', subject, detail: `results of ${subject} cannot be stored` })
  }
}

async function checkRollups(db: Db, now: Date): Promise<void> {
  const before = new Date(Math.floor(now.getTime() / DAY_MS - LATE_DAYS) * DAY_MS)
  const [oldest] = await db.execute<{ at: Date }>(sql`
    select folded_until as at from service_states
    where folded_until < ${before.toISOString()} and folded_until > 'epoch' order by folded_until limit 1`)
  if (!oldest) return
  const detail = `a service has daily roll-ups only until ${new Date(oldest.at).toISOString().slice(0, 10)} only`
  await storeWarning(db, { code: 'rollups_late', subject: '', detail })
}

/**
 * Reads the key ids of what operators cannot enter again without the key. That reads whole tables, so it happens once a
 * day, and when other keys are set.
 */
async function checkKeys(db: Db, { SECRET_KEYS = [] }: Checked, now: Date): Promise<void> {
  const ids = SECRET_KEYS.map(({ id }) => id).sort()
  const [last] = await db.select().from(systemMarks).where(eq(systemMarks.name, 'keys'))
  const isSame = last && (last.details as Marks['keys']).ids.join() === ids.join()
  if (isSame && now.getTime() - last.at.getTime() < DAY_MS) return
  // Before it reads: what fails or takes too long is tried again on the next day.
  await setMark(db, 'keys', { ids })
  const known = new Set(ids)
  for (const [table, column] of [
    ['variables', 'sealed'],
    ['webhooks', 'sealed'],
    ['users', 'totp_secret'],
  ] as const) {
    const sealed = sql.identifier(column)
    const rows = await db.execute<{ id: string }>(sql`
      select distinct convert_from(substring(${sealed} from 3 for get_byte(${sealed}, 1)), 'UTF8') as id
      from ${sql.identifier(table)} where ${sealed} is not null and get_byte(${sealed}, 0) = 1`)
    for (const { id } of rows.filter((row) => !known.has(row.id))) {
      await storeWarning(db, { code: 'key_missing', subject: id, detail: `values of ${table} are sealed with it` })
    }
  }
}

/** Organizations see the clocks of their own agents on the Agents page. */
async function checkClocks(db: Db): Promise<void> {
  const rows = await db.execute<{ slug: string; offset: number }>(sql`
    select a.slug, w.clock_offset_ms as offset from workers w join agents a on a.id = w.agent_id
    where a.organization_id is null and abs(w.clock_offset_ms) > ${CLOCK_MS} limit 100`)
  for (const { slug, offset } of rows) {
    const detail = `its clock is ${Math.round(Math.abs(offset) / 1_000)} s ${offset > 0 ? 'ahead' : 'behind'}`
    await storeWarning(db, { code: 'agent_clock', subject: slug, detail })
  }
}

async function checkDisk(db: Db, folder: string): Promise<void> {
  const disk = await readDisk(folder)
  if (!disk || disk.freeBytes >= disk.totalBytes * FREE_SHARE) return
  const detail = `${Math.round((disk.freeBytes / disk.totalBytes) * 100)} % of the disk of DATA_DIR is free`
  await storeWarning(db, { code: 'disk_nearly_full', subject: hostname(), detail })
}

/** Returns the size of the disk of a folder, and what is free for this process; null when that is not known. */
export async function readDisk(folder: string): Promise<{ freeBytes: number; totalBytes: number } | null> {
  const found = await statfs(folder).catch(() => null)
  return found && found.blocks > 0
    ? { freeBytes: found.bavail * found.bsize, totalBytes: found.blocks * found.bsize }
    : null
}
