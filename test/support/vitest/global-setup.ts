import { randomBytes } from 'node:crypto'
import { chmod, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import postgres from 'postgres'
import type { TestProject } from 'vitest/node'
import { startEmbeddedDatabase } from '#db/embedded/embedded.ts'
import { migrateDatabase } from '#db/migrate.ts'
import { freePort } from '../processes/ports.ts'
import { createRunFolder } from './run-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
    /** The folder of the server's Unix socket. */
    postgresFolder: string
  }
}

/** The migrated database that every test file clones. */
export const TEMPLATE = 'soundline_template'

/** Starts one PostgreSQL and creates one temporary folder for the whole test run, and removes both at its end. */
export default async function setup(project: TestProject) {
  const directory = await createRunFolder()
  // Tests, browsers and programs write their temporary files here.
  process.env.TMPDIR = join(directory, 'tmp')
  await mkdir(process.env.TMPDIR)
  await chmod(process.env.TMPDIR, 0o755)
  // Compiling takes most of the start time of a process, so processes share a cache. It is kept after the run, because
  // processes write to it when they end.
  process.env.NODE_COMPILE_CACHE = new URL('../../../.test/compiled', import.meta.url).pathname
  const postgresFolder = join(directory, 'postgres')
  const database = await startEmbeddedDatabase({
    directory: postgresFolder,
    port: await freePort(),
    password: randomBytes(12).toString('hex'),
    volatile: true,
  })
  const admin = postgres(database.url, { max: 1, onnotice: () => {} })
  await admin.unsafe(`create database ${TEMPLATE}`)
  await admin.end()
  await migrateDatabase(withDatabase(database.url, TEMPLATE))
  project.provide('postgresUrl', database.url)
  project.provide('postgresFolder', postgresFolder)
  return async () => {
    await database.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

export function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.toString()
}
