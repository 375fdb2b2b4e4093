import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import postgres from 'postgres'
import { afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type EmbeddedDatabase, startEmbeddedDatabase } from '#db/embedded/embedded.ts'
import { clearOrphan, readPostmaster } from '#db/embedded/postmaster.ts'
import { testFolder } from '#test/support/folder.ts'
import { freePort } from '#test/support/processes/ports.ts'
import { listProcesses, waitUntilEnded } from '#test/support/processes/processes.ts'

// One cluster, started, stopped and abandoned in every way. Only its owner can open the folder, as with mktemp.

const folder = testFolder()
const directory = join(folder, 'postgres')
const password = 'a b/c"d%e'
let port: number
let database: EmbeddedDatabase | null = null

beforeAll(async () => {
  port = await freePort()
})
afterEach(async () => {
  await database?.stop()
  database = null
})

async function start(at = port): Promise<EmbeddedDatabase> {
  database = await startEmbeddedDatabase({ directory, port: at, password, volatile: true })
  return database
}

async function query<T>(work: (sql: postgres.Sql) => Promise<T>): Promise<T> {
  const sql = postgres(database?.url ?? '', { max: 1, onnotice: () => {} })
  return await work(sql).finally(() => sql.end())
}

const pidOf = () => readPostmaster(directory)?.pid as number
const processOf = (pid: number) => listProcesses().filter((process) => process.pid === pid)

describe('the embedded database', () => {
  test('is created on first use, listens on loopback with a password, and supports Unicode', async () => {
    await start()
    const [row] = await query((sql) => sql`select lower('ÀÉ') as lower, current_setting('listen_addresses') as listens`)
    expect(row).toEqual({ lower: 'àé', listens: '127.0.0.1' })
    const url = new URL(database?.url ?? '')
    url.password = 'wrong'
    const stranger = postgres(url.href, { max: 1 })
    await expect(stranger`select 1`).rejects.toThrow(/password authentication failed/)
    await stranger.end()
    await query((sql) => sql`create table if not exists kept as select 1 as one`)
    expect(statSync(directory).mode & 0o777).toBe(0o700)
  })

  test('keeps its data over a restart, also on another port, and the values of failed statements out of its log', async () => {
    await start(await freePort())
    expect(await query((sql) => sql`select one from kept`)).toHaveLength(1)
    await expect(query((sql) => sql`select ${'canary-7531'}::int`)).rejects.toThrow()
    await database?.stop()
    const log = readFileSync(`${directory}.log`, 'utf8')
    expect(log).toContain('ready to accept connections')
    expect(log).not.toContain('canary-7531')
  })

  test('a cluster whose creation was interrupted is created again', async () => {
    const unfinished = join(folder, 'second.new')
    mkdirSync(unfinished, { recursive: true })
    writeFileSync(join(unfinished, 'PG_VERSION'), '18')
    const second = await startEmbeddedDatabase({
      directory: join(folder, 'second'),
      port: await freePort(),
      password,
      volatile: true,
    })
    await second.stop()
    expect(readFileSync(join(folder, 'second', 'PG_VERSION'), 'utf8').trim()).toMatch(/^\d+$/)
  })

  test('a folder with files but without a cluster is left as it is, and the error says what to do', async () => {
    const third = join(folder, 'third')
    mkdirSync(join(third, 'base'), { recursive: true })
    const started = startEmbeddedDatabase({ directory: third, port: await freePort(), password, volatile: true })
    await expect(started).rejects.toThrow(
      /third has files, but no database: its PG_VERSION is missing\. Restore the folder from a backup, or move it away/,
    )
    expect(readdirSync(folder).filter((name) => name.startsWith('third'))).toEqual(['third'])
    expect(readdirSync(third)).toEqual(['base'])
  })

  test('quotes the line that says why it does not start', async () => {
    const taken = createServer().listen(port, '127.0.0.1')
    await once(taken, 'listening')
    onTestFinished(() => void taken.close())
    const other = { directory: join(folder, 'second'), password, volatile: true }
    const reason = async (given: { port: number }) => {
      const error = await startEmbeddedDatabase({ ...other, ...given }).then(
        () => null,
        (thrown: Error) => thrown.message,
      )
      expect(error).toMatch(/^The embedded PostgreSQL does not start: [^\n]+; see .*second\.log$/)
      return error
    }
    expect(await reason({ port })).toContain(`could not bind IPv4 address "127.0.0.1": Address already in use; see`)
    const free = { port: await freePort() }
    const version = join(other.directory, 'PG_VERSION')
    const stored = readFileSync(version, 'utf8')
    writeFileSync(version, '12\n')
    expect(await reason(free)).toMatch(
      /database files are incompatible with server \(The data directory was initialized by PostgreSQL version 12, which/,
    )
    writeFileSync(version, stored)
    appendFileSync(join(other.directory, 'postgresql.auto.conf'), "shared_buffers = 'much'\n")
    expect(await reason(free)).toContain('invalid value for parameter "shared_buffers": "much"')
  })
})

describe('after a killed start', () => {
  test('a lock file without a process is removed, and a database that still runs is stopped', async () => {
    await start()
    const left = processOf(pidOf())
    process.kill(pidOf(), 'SIGKILL')
    await waitUntilEnded(left)
    expect(readPostmaster(directory)).not.toBeNull()
    await start()
    expect(await query((sql) => sql`select one from kept`)).toHaveLength(1)
    const running = processOf(pidOf())
    expect(running).toHaveLength(1)
    expect(await clearOrphan(directory)).toBe('stopped')
    await waitUntilEnded(running)
    await database?.ended
    expect(await clearOrphan(directory)).toBe('none')
  })

  test('a lock file whose pid another process has now is removed, and that process keeps running', async () => {
    await start()
    const lock = readFileSync(join(directory, 'postmaster.pid'), 'utf8')
    await database?.stop()
    const owner = statSync(directory)
    const innocent = spawn('/bin/sleep', ['1000'], {
      // A process of the database's user, which PostgreSQL itself would take for a postmaster.
      ...(process.getuid?.() === 0 ? { uid: owner.uid, gid: owner.gid } : {}),
      cwd: '/',
      stdio: 'ignore',
    })
    try {
      writeFileSync(join(directory, 'postmaster.pid'), lock.replace(/^\d+/, String(innocent.pid)))
      expect(await clearOrphan(directory)).toBe('stale')
      await start()
      expect(await query((sql) => sql`select one from kept`)).toHaveLength(1)
      expect(processOf(innocent.pid as number)).toHaveLength(1)
    } finally {
      innocent.kill('SIGKILL')
    }
  })

  test('a database whose starter is killed ends by itself', async () => {
    const script = `
      import { startEmbeddedDatabase } from '#db/embedded/embedded.ts'
      await startEmbeddedDatabase(${JSON.stringify({ directory, port, password, volatile: true })})
      console.log('ready')
      setInterval(() => {}, 1_000)`
    const starter = spawn(process.execPath, ['--input-type=module', '--eval', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await new Promise((resolve) => starter.stdout.once('data', resolve))
    const left = processOf(pidOf())
    expect(left).toHaveLength(1)
    starter.kill('SIGKILL')
    await waitUntilEnded(left)
    expect(readPostmaster(directory)).toBeNull()
  })
})
