import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, chownSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { type EmbeddedDatabase, startEmbeddedDatabase } from '#db/embedded/embedded.ts'
import { migrateDatabase } from '#db/migrate.ts'
import { until } from '../runs/worker-processes.ts'
import { freePort } from './ports.ts'

/** A primary with the product's schema, and a standby that replicates it by streaming. */
export type ReplicatedDatabase = {
  primary: EmbeddedDatabase
  standby: EmbeddedDatabase
  /** Executes a statement with full rights on one of them. */
  ask: (database: EmbeddedDatabase, text: string) => Promise<postgres.Row[]>
  /** From now on, a commit waits until the standby has it. */
  replicateSynchronously: () => Promise<void>
  /** Ends the primary and makes the standby the new one. */
  failOver: () => Promise<void>
  stop: () => Promise<void>
}

export async function startReplicatedDatabase(folder: string): Promise<ReplicatedDatabase> {
  const password = randomBytes(12).toString('hex')
  const [port, standbyPort] = [await freePort(), await freePort()]
  const directory = join(folder, 'primary')
  const primary = await startEmbeddedDatabase({ directory, port, password })
  await ask(primary, 'alter system set fsync = off')
  await ask(primary, 'select pg_reload_conf()')
  await migrateDatabase(primary.url)
  const copy = join(folder, 'standby')
  await copyAsStandby(primary, directory, copy)
  const standby = await startEmbeddedDatabase({ directory: copy, port: standbyPort, password })
  await until('the standby to replicate', async () => {
    return (await ask(primary, `select from pg_stat_replication where state = 'streaming'`)).length === 1
  })
  return {
    primary,
    standby,
    ask,
    async replicateSynchronously() {
      await ask(primary, `alter system set synchronous_standby_names = '*'`)
      await ask(primary, 'select pg_reload_conf()')
      await until('commits to wait for the standby', async () => {
        return (await ask(primary, `select from pg_stat_replication where sync_state = 'sync'`)).length === 1
      })
    },
    async failOver() {
      await primary.stop()
      await ask(standby, 'select pg_promote()')
      // Otherwise the new primary would wait for a standby of its own.
      await ask(standby, `alter system set synchronous_standby_names = ''`)
      await ask(standby, 'select pg_reload_conf()')
    },
    async stop() {
      await standby.stop()
      await primary.stop()
    },
  }
}

async function ask({ url }: EmbeddedDatabase, text: string): Promise<postgres.Row[]> {
  const client = postgres(url, { max: 1, onnotice: () => {} })
  try {
    return await client.unsafe(text)
  } finally {
    await client.end()
  }
}

/** Copies the files between the two calls that make such a copy consistent, as `pg_basebackup` does. */
async function copyAsStandby(primary: EmbeddedDatabase, directory: string, copy: string): Promise<void> {
  const client = postgres(primary.url, { max: 1, onnotice: () => {} })
  try {
    await client`select pg_backup_start('standby', true)`
    execFileSync('cp', ['-a', directory, copy])
    const [backup] = await client`select labelfile from pg_backup_stop(false)`
    rmSync(join(copy, 'postmaster.pid'), { force: true })
    writeFileSync(join(copy, 'backup_label'), backup?.labelfile as string)
    writeFileSync(join(copy, 'standby.signal'), '')
    const { hostname, port, username, password } = new URL(primary.url)
    const source = `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`
    appendFileSync(join(copy, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`)
    const { uid, gid } = statSync(join(copy, 'PG_VERSION'))
    for (const name of ['backup_label', 'standby.signal']) chownSync(join(copy, name), uid, gid)
  } finally {
    await client.end()
  }
}
