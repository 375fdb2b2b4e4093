import type pg from 'pg'
import { keyIdOf, type Vault } from '../vault.ts'
import { quoted } from './row-stream.ts'
import { SEALED_COLUMNS, type SealedColumn } from './sealed-columns.ts'

/** Longer than the part of a sealed value that names its key, in bytes and in base64. */
const HEAD = { bytes: 48, characters: 64 }

/** Returns the ids of the keys that open the sealed values in the database. Reads each value's first bytes. */
export async function listKeys(client: pg.ClientBase): Promise<string[]> {
  const ids = new Set<string>()
  for (const column of await presentColumns(client)) {
    for (const head of await listHeads(client, column)) ids.add(keyIdOf(head))
  }
  return [...ids].sort()
}

/** Opens one value of each column and key. @throws Error naming the key that does not open its value */
export async function checkKeys(client: pg.ClientBase, vault: Vault): Promise<void> {
  for (const column of await presentColumns(client)) {
    for (const head of await listHeads(client, column)) {
      const { rows } = await client.query<{ id: string; owner: string; sealed: Buffer }>(
        `select id::text, ${quoted(column.owner)}::text as owner, ${sealedValue(column)} as sealed
          from ${quoted(column.table)} where ${quoted(column.column)} is not null and ${headOf(column)} = $1 limit 1`,
        [head],
      )
      const [row] = rows
      if (!row) continue
      try {
        vault.open(row.sealed, column.purpose, row.owner, row.id + (column.suffix ?? ''))
      } catch {
        throw new Error(`the key "${vault.keyOf(row.sealed)}" in SECRET_KEYS differs from the key of the backup`)
      }
    }
  }
}

/** Older schemas lack some columns. */
async function presentColumns(client: pg.ClientBase): Promise<SealedColumn[]> {
  const { rows } = await client.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns where table_schema = 'public'`,
  )
  const present = new Set(rows.map(({ name }) => name))
  return SEALED_COLUMNS.filter(({ table, column }) => present.has(`${table}.${column}`))
}

async function listHeads(client: pg.ClientBase, column: SealedColumn): Promise<Buffer[]> {
  const { rows } = await client.query<{ head: Buffer }>(
    `select distinct ${headOf(column)} as head from ${quoted(column.table)} where ${quoted(column.column)} is not null`,
  )
  return rows.map(({ head }) => head)
}

/** The version and the id of the key, with which each value begins. */
function headOf({ column, suffix }: SealedColumn): string {
  const start =
    suffix === undefined
      ? `substring(${quoted(column)} from 1 for ${HEAD.bytes})`
      : `decode(left(${quoted(column)}, ${HEAD.characters}), 'base64')`
  return `substring(${start} from 1 for 2 + get_byte(${start}, 1))`
}

function sealedValue({ column, suffix }: SealedColumn): string {
  return suffix === undefined ? quoted(column) : `decode(${quoted(column)}, 'base64')`
}
