import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closeDatabase, type Db, openDatabase } from '#db/client.ts'
import { startEmbeddedDatabase } from '#db/embedded/embedded.ts'
import { migrateDatabase } from '#db/migrate.ts'
import { freePort } from '#test/support/processes/ports.ts'

/** Runs `work` on a new durable PostgreSQL, migrated and empty, and removes it afterwards. */
export async function withDatabase(work: (db: Db, url: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'soundline-bench-'))
  await chmod(directory, 0o755)
  const server = await startEmbeddedDatabase({
    directory: join(directory, 'postgres'),
    port: await freePort(),
    password: randomBytes(12).toString('hex'),
  })
  try {
    await migrateDatabase(server.url)
    const db = openDatabase(server.url, { max: 16, name: 'soundline-bench' })
    await work(db, server.url).finally(() => closeDatabase(db))
  } finally {
    await server.stop()
    await rm(directory, { recursive: true, force: true })
  }
}
