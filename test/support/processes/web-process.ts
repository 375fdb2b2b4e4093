import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { closeDatabase, openDatabase } from '#db/client.ts'
import { findSetupToken } from '#server/identity/accounts/setup-links.ts'
import { buildDashboard } from '#server/process/dashboard-build.ts'
import { parseSettings } from '#server/process/settings.ts'
import { createVault } from '#server/vault.ts'
import { required, sharedDatabase, type TestDatabase } from '../database.ts'
import { testFolder } from '../folder.ts'
import { TEST_SECRET_KEYS } from '../runs/worker-processes.ts'
import { startReady } from './ready-process.ts'

/** Maximum time of the build on a busy machine. */
const BUILD_LIMIT_MS = 900_000
/** Test files of a worker share the check of the build, which reads all sources. */
let built: Promise<void> | null = null

export type WebProcess = {
  readonly url: string
  /** Returns the path of the link that creates the first account. */
  setupPath: () => Promise<string>
}

/**
 * Starts the real web process on a database and a free loopback port, and stops it after the test file. The dashboard
 * is built first if necessary; `npm test` has already built it.
 */
export function webProcess(databaseUrl: string, environment: Record<string, string> = {}): WebProcess {
  const folder = testFolder()
  let web: StartedWeb | null = null
  beforeAll(async () => {
    web = await startWeb(databaseUrl, folder, environment)
  }, BUILD_LIMIT_MS)

  afterAll(async () => {
    if (web && web.child.exitCode === null && web.child.signalCode === null) {
      web.child.kill('SIGKILL')
      await once(web.child, 'exit')
    }
  })

  return {
    get url() {
      return required(web).url
    },
    setupPath: () => setupPathOf(databaseUrl),
  }
}

let shared: Promise<StartedWeb> | null = null

/**
 * An installation without accounts: an empty database, and the real web process on it. The test files of a worker of the
 * test run share both, one after the other, and they end with the worker.
 */
export function testInstallation(): { database: TestDatabase; web: WebProcess } {
  const database = sharedDatabase()
  let web: StartedWeb | null = null
  beforeAll(async () => {
    shared ??= startShared(database.url)
    web = await shared
  }, BUILD_LIMIT_MS)
  return {
    database,
    web: {
      get url() {
        return required(web).url
      },
      setupPath: () => setupPathOf(database.url),
    },
  }
}

async function startShared(databaseUrl: string): Promise<StartedWeb> {
  const web = await startWeb(databaseUrl, mkdtempSync(join(tmpdir(), 'soundline-test-')))
  process.once('exit', () => web.child.kill('SIGKILL'))
  return web
}

type StartedWeb = { child: ChildProcess; url: string }

async function startWeb(
  databaseUrl: string,
  folder: string,
  environment: Record<string, string> = {},
): Promise<StartedWeb> {
  built ??= buildDashboard(() => {}, new AbortController().signal)
  await built
  const { child, port } = await startReady(new URL('../../../server/commands/web.ts', import.meta.url), {
    HOST: '127.0.0.1',
    PORT: '0',
    DATABASE_URL: databaseUrl,
    SECRET_KEYS: TEST_SECRET_KEYS,
    DATA_DIR: folder,
    PROBE_ALLOWED_NETWORKS: '127.0.0.0/8',
    ...environment,
  })
  return { child, url: `http://127.0.0.1:${port}` }
}

async function setupPathOf(databaseUrl: string): Promise<string> {
  const db = openDatabase(databaseUrl, { max: 1, name: 'soundline-test' })
  try {
    const vault = createVault(parseSettings({ SECRET_KEYS: TEST_SECRET_KEYS }).SECRET_KEYS ?? [])
    return `/setup#${await findSetupToken({ db, vault })}`
  } finally {
    await closeDatabase(db)
  }
}
