import type { Db } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import type { RowKey } from '#db/row-match.ts'
import type { Runtime } from '../../context.ts'
import { HOUR_MS } from '../../durations.ts'
import { log } from '../../process/log.ts'

export type KeyUsage = {
  /** Counts a request. Counts are stored every few seconds. */
  add: (key: RowKey<string>, operation: string, isRefused: boolean) => void
  /** Stores the counts. */
  flush: () => Promise<void>
}

/** The times are epoch milliseconds. */
type Counted = {
  key: RowKey<string>
  operation: string
  hour: number
  requests: number
  refused: number
  lastUsedAt: number
}

const FLUSH_MS = 5_000

/** Counts requests by key and operation in memory, and adds the counts to the rows of their hours. */
export function createKeyUsage({ db, now }: Pick<Runtime, 'db' | 'now'>): KeyUsage {
  let counted = new Map<string, Counted>()
  let isScheduled = false
  let stored = Promise.resolve()

  const count = (use: Counted) => {
    const id = `${use.key.id} ${use.operation} ${use.hour}`
    const known = counted.get(id) ?? { ...use, requests: 0, refused: 0 }
    counted.set(id, {
      ...known,
      requests: known.requests + use.requests,
      refused: known.refused + use.refused,
      // Counts that could not be stored are added back after newer ones.
      lastUsedAt: Math.max(known.lastUsedAt, use.lastUsedAt),
    })
    if (isScheduled) return
    isScheduled = true
    setTimeout(flush, FLUSH_MS).unref()
  }

  const store = async () => {
    const rows = [...counted.values()]
    counted = new Map()
    isScheduled = false
    if (rows.length === 0) return
    try {
      await addToHours(db, rows)
    } catch (error) {
      log.warn({ err: error }, 'the usage of API keys could not be stored; trying again')
      for (const row of rows) count(row)
    }
  }

  const flush = (): Promise<void> => {
    stored = stored.then(store)
    return stored
  }

  return {
    add({ organizationId, id }, operation, isRefused) {
      const at = now().getTime()
      const hour = at - (at % HOUR_MS)
      const key = { organizationId, id }
      count({ key, operation, hour, requests: 1, refused: Number(isRefused), lastUsedAt: at })
    },
    flush,
  }
}

/** Sorted by the primary key, so that two processes cannot deadlock. */
async function addToHours(db: Db, counted: Counted[]): Promise<void> {
  const rows = counted.map(({ key, operation, hour, requests, refused, lastUsedAt }) => ({
    organization_id: key.organizationId,
    key_id: key.id,
    operation,
    hour: new Date(hour).toISOString(),
    requests,
    refused,
    last_used_at: new Date(lastUsedAt).toISOString(),
  }))
  await db.execute(sql`
    insert into key_usage as u (organization_id, key_id, operation, hour, requests, refused, last_used_at)
    select k.organization_id, i.key_id, i.operation, i.hour, i.requests, i.refused, i.last_used_at
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as i(organization_id uuid, key_id uuid, operation text, hour timestamptz, requests int, refused int,
        last_used_at timestamptz)
    join api_keys k on (k.organization_id, k.id) = (i.organization_id, i.key_id)
    order by i.key_id, i.operation, i.hour
    on conflict (organization_id, key_id, operation, hour) do update set requests = u.requests + excluded.requests,
      refused = u.refused + excluded.refused, last_used_at = greatest(u.last_used_at, excluded.last_used_at)`)
}
