import type pg from 'pg'
import { StartupError } from '../process/lifecycle.ts'
import { quoted } from './row-stream.ts'

/** A process without a heartbeat for this long has ended. */
const SILENT_SECONDS = 60

/**
 * Locks the tables of an installation without accounts, and deletes what processes without an account left in them, such
 * as the agent of a first start.
 * @throws StartupError when the installation has accounts, or its processes run
 */
export async function requireEmpty(client: pg.ClientBase, tables: string[]): Promise<void> {
  const distinct = [...new Set(tables)]
  await client.query(`lock table ${distinct.map(quoted).join(', ')} in exclusive mode`)
  const { rows } = await client.query<{ accounts: string; organizations: string }>(
    'select (select count(*) from users) as accounts, (select count(*) from organizations) as organizations',
  )
  const { accounts = '0', organizations = '0' } = rows[0] ?? {}
  if (Number(accounts) + Number(organizations) > 0) {
    throw new StartupError(
      `This installation is not empty: it has ${accounts} accounts and ${organizations} organizations. Restore into a new, empty database, or, without DATABASE_URL, into an empty DATA_DIR`,
    )
  }
  for (const table of ['workers', 'web_processes']) {
    if (await isAnyAlive(client, table)) {
      throw new StartupError(
        'Processes of this installation are still running: stop them, and restore again after a minute',
      )
    }
  }
  for (const table of distinct.reverse()) await client.query(`delete from ${quoted(table)}`)
}

async function isAnyAlive(client: pg.ClientBase, table: string): Promise<boolean> {
  const { rows: found } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [table])
  if (!found[0]?.there) return false
  const { rowCount } = await client.query(
    `select from ${quoted(table)} where heartbeat_at > now() - make_interval(secs => ${SILENT_SECONDS}) limit 1`,
  )
  return (rowCount ?? 0) > 0
}
