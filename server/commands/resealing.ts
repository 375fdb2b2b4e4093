import { sql } from 'drizzle-orm'
import type { Db } from '#db/client.ts'
import type { Vault, VaultPurpose } from '../vault.ts'

/** Every column that holds sealed values. `owner` is what they are bound to beside the row itself. */
const SEALED_COLUMNS: { table: string; column: string; purpose: VaultPurpose; owner: string }[] = [
  { table: 'variables', column: 'sealed', purpose: 'variable', owner: 'organization_id' },
  { table: 'webhooks', column: 'sealed', purpose: 'webhook', owner: 'organization_id' },
  { table: 'users', column: 'totp_secret', purpose: 'totp', owner: 'id' },
]

export type Resealed = {
  table: string
  /** Rows that are sealed with the newest key now and were not before. */
  changed: number
  /** Rows that do not open, by id: their key is gone, or they were tampered with. They stay as they are. */
  failed: string[]
}

type SealedRow = { id: string; owner: string; sealed: string }

/**
 * Seals everything that is sealed with an older key anew with the newest, a batch per transaction. Rows are locked while
 * they change, and whoever holds both keys reads them before and after; a pass broken off is taken up by the next.
 */
export async function reseal(
  db: Db,
  vault: Vault,
  { batch = 200, onBatch = () => {} }: { batch?: number; onBatch?: (table: string, changed: number) => void } = {},
): Promise<Resealed[]> {
  const done: Resealed[] = []
  for (const place of SEALED_COLUMNS) {
    const failed = new Set<string>()
    let changed = 0
    // A process that was not restarted yet may seal with the older key behind the first pass.
    for (let before = -1; before !== changed; ) {
      before = changed
      for (let after: string | null = null; ; ) {
        const rows: SealedRow[] = await resealBatch(db, vault, place, after, batch, failed)
        if (rows.length === 0) break
        after = rows.at(-1)?.id ?? null
        changed += rows.filter((row) => !failed.has(row.id)).length
        onBatch(place.table, changed)
      }
    }
    done.push({ table: place.table, changed, failed: [...failed] })
  }
  return done
}

async function resealBatch(
  db: Db,
  vault: Vault,
  { table, column, purpose, owner }: (typeof SEALED_COLUMNS)[number],
  after: string | null,
  batch: number,
  failed: Set<string>,
): Promise<SealedRow[]> {
  const [name, sealed, bound] = [sql.identifier(table), sql.identifier(column), sql.identifier(owner)]
  const head = vault.headOf(vault.newestKey)
  return db.transaction(async (tx) => {
    const rows: SealedRow[] = await tx.execute<SealedRow>(sql`
      select id, ${bound} as owner, encode(${sealed}, 'hex') as sealed from ${name}
      where ${sealed} is not null
        and substring(${sealed} from 1 for ${head.length}::int) <> decode(${head.toString('hex')}, 'hex')
        ${after === null ? sql`` : sql`and id > ${after}::uuid`}
      order by id limit ${batch} for update`)
    const anew: { id: string; sealed: string }[] = []
    for (const row of rows) {
      const context = [purpose, row.owner, row.id] as const
      try {
        const plain = vault.open(Buffer.from(row.sealed, 'hex'), ...context)
        anew.push({ id: row.id, sealed: vault.seal(plain, ...context).toString('hex') })
        failed.delete(row.id)
      } catch {
        failed.add(row.id)
      }
    }
    await tx.execute(sql`
      update ${name} t set ${sealed} = decode(i.sealed, 'hex')
      from jsonb_to_recordset(${JSON.stringify(anew)}::jsonb) as i(id uuid, sealed text) where t.id = i.id`)
    return rows.map((row) => row)
  })
}
