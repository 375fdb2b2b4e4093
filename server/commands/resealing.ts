import type { Db } from '#db/client.ts'
import { sql } from '#db/drizzle.cjs'
import { SEALED_COLUMNS, type SealedColumn } from '../backup/sealed-columns.ts'
import type { Vault } from '../vault.ts'

export type Resealed = {
  table: string
  /** The number of rows sealed with the newest key by this call. */
  changed: number
  /** Ids of rows that do not open, because their key is missing or they were tampered with. They are not changed. */
  failed: string[]
}

type SealedRow = { id: string; owner: string; sealed: string }

/**
 * Re-seals every value of an older key with the newest key, one batch per transaction. Rows are locked while they change,
 * and processes with both keys read them before and after. After an interruption, the next call continues.
 */
export async function reseal(
  db: Db,
  vault: Vault,
  { batch = 200, onBatch = () => {} }: { batch?: number; onBatch?: (table: string, changed: number) => void } = {},
): Promise<Resealed[]> {
  const done: Resealed[] = []
  for (const column of SEALED_COLUMNS) {
    const failed = new Set<string>()
    let changed = 0
    // A process that was not restarted yet may seal with the older key after the first pass, so pass again until no change.
    for (let before = -1; before !== changed; ) {
      before = changed
      for (let after: string | null = null; ; ) {
        const rows: SealedRow[] = await resealBatch(db, vault, column, after, batch, failed)
        if (rows.length === 0) break
        after = rows.at(-1)?.id ?? null
        changed += rows.filter((row) => !failed.has(row.id)).length
        onBatch(column.table, changed)
      }
    }
    done.push({ table: column.table, changed, failed: [...failed] })
  }
  return done
}

async function resealBatch(
  db: Db,
  vault: Vault,
  { table, column, purpose, owner, suffix }: SealedColumn,
  after: string | null,
  batch: number,
  failed: Set<string>,
): Promise<SealedRow[]> {
  const [name, stored, bound] = [sql.identifier(table), sql.identifier(column), sql.identifier(owner)]
  const sealed = suffix === undefined ? stored : sql`decode(${stored}, 'base64')`
  const head = vault.headerOf(vault.newestKey)
  return db.transaction(async (tx) => {
    const rows: SealedRow[] = await tx.execute<SealedRow>(sql`
      select id, ${bound} as owner, encode(${sealed}, 'hex') as sealed from ${name}
      where ${stored} is not null
        and substring(${sealed} from 1 for ${head.length}::int) <> decode(${head.toString('hex')}, 'hex')
        ${after === null ? sql`` : sql`and id > ${after}::uuid`}
      order by id limit ${batch} for update`)
    const resealed: { id: string; owner: string; sealed: string }[] = []
    for (const row of rows) {
      const context = [purpose, row.owner, row.id + (suffix ?? '')] as const
      try {
        const plain = vault.open(Buffer.from(row.sealed, 'hex'), ...context)
        resealed.push({ id: row.id, owner: row.owner, sealed: vault.seal(plain, ...context).toString('hex') })
        failed.delete(row.id)
      } catch {
        failed.add(row.id)
      }
    }
    const value = sql`decode(i.sealed, 'hex')`
    await tx.execute(sql`
      update ${name} t set ${stored} = ${suffix === undefined ? value : sql`encode(${value}, 'base64')`}
      from jsonb_to_recordset(${JSON.stringify(resealed)}::jsonb) as i(id uuid, owner uuid, sealed text)
      where t.${bound} = i.owner and t.id = i.id`)
    return rows.map((row) => row)
  })
}
