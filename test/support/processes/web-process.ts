import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { afterAll, beforeAll } from 'vitest'
import { closeDatabase, type Db, openDatabase } from '#db/client.ts'
import { findSetupToken } from '#server/accounts/setup-links.ts'
import { buildDashboard } from '#server/process/dashboard-build.ts'
import type { ChildMessage } from '#server/process/lifecycle.ts'
import { parseSettings } from '#server/process/settings.ts'
import { createVault } from '#server/vault.ts'
import { cloneDatabase, databaseUrls, newDatabaseName, required, type TestDatabase } from '../database.ts'
import { factoriesOf } from '../factories.ts'
import { testFolder } from '../folder.ts'
import { TEST_SECRET_KEYS, until } from '../runs/worker-processes.ts'
import { PRELOAD } from './preload.ts'

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
  let started: StartedWeb | null = null
  beforeAll(async () => {
    started = await startWeb(databaseUrl, { DATA_DIR: folder, ...environment })
  }, BUILD_LIMIT_MS)
  afterAll(async () => {
    const child = started?.child
    if (child && child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  })
  return webOf(databaseUrl, () => started)
}

/** The web process of this worker of the test run and its database. Both end with the worker. */
let shared: { name: string; db: Db | null; started: StartedWeb | null } | null = null

/**
 * A web process with its database, which all test files of a worker share, because its start costs more than most tests.
 * Each file begins with an empty database, like that of a new installation.
 */
export function sharedWeb(): { database: TestDatabase; web: WebProcess } {
  shared ??= { name: newDatabaseName(), db: null, started: null }
  const site = shared
  const { url, ownUrl } = databaseUrls(site.name)
  beforeAll(async () => {
    if (!site.db) {
      await cloneDatabase(site.name)
      site.db = openDatabase(ownUrl, { max: 8, name: 'soundline-test', sessionUrl: ownUrl })
    } else {
      await emptyDatabase(site.db)
    }
    const child = site.started?.child
    if (!child || child.exitCode !== null || child.signalCode !== null) {
      site.started = await startWeb(url, { DATA_DIR: await mkdtemp(join(tmpdir(), 'soundline-web-')) })
    }
  }, BUILD_LIMIT_MS)
  const database: TestDatabase = {
    url,
    get db() {
      return required(site.db)
    },
    get create() {
      return factoriesOf(this.db)
    },
  }
  return { database, web: webOf(url, () => site.started) }
}

/** Tables of the running web process, which writes to them at any time. */
const OF_WEB = ['web_processes', 'process_metrics']

/**
 * Deletes all rows, but for those of the web process and of the migrations. Waits for requests that the web process still
 * answers to pages of the file before, because their locks could be in each other's way.
 */
async function emptyDatabase(db: Db): Promise<void> {
  await until('the requests of the file before', async () => {
    const [busy] = await db.execute<{ count: number }>(sql`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`)
    return busy?.count === 0
  })
  const tables = await db.execute<{ name: string }>(sql`
    select quote_ident(relname) as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition`)
  const emptied = tables.map(({ name }) => name).filter((name) => !OF_WEB.includes(name))
  await db.execute(sql.raw(`truncate ${emptied.join(', ')}, graphile_worker._private_jobs`))
}

type StartedWeb = { child: ChildProcess; url: string }

async function startWeb(databaseUrl: string, environment: Record<string, string>): Promise<StartedWeb> {
  built ??= buildDashboard(() => {}, new AbortController().signal)
  await built
  const child = fork(new URL('../../../server/commands/web.ts', import.meta.url), [], {
    execPath: process.execPath,
    execArgv: PRELOAD,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      HOST: '127.0.0.1',
      PORT: '0',
      DATABASE_URL: databaseUrl,
      SECRET_KEYS: TEST_SECRET_KEYS,
      PROBE_ALLOWED_NETWORKS: '127.0.0.0/8',
      LOG_LEVEL: 'fatal',
      NODE_ENV: 'production',
      ...environment,
    },
  })
  const port = await new Promise<number>((resolve, reject) => {
    child.on('message', (message: ChildMessage) => {
      if (message.type === 'ready' && message.port) resolve(message.port)
      else reject(new Error(message.type === 'ready' ? 'web named no port' : message.reason))
    })
    child.once('exit', (code) => reject(new Error(`web ended with ${code} before it was ready`)))
  })
  return { child, url: `http://127.0.0.1:${port}` }
}

function webOf(databaseUrl: string, started: () => StartedWeb | null): WebProcess {
  return {
    get url() {
      const web = started()
      if (!web) throw new Error('The web process starts in beforeAll')
      return web.url
    },
    setupPath: () => setupPathOf(databaseUrl),
  }
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
