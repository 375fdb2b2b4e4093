import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { sql } from '#db/drizzle.cjs'
import { applyMigrations, checkDatabase, requireSchema, withDatabase } from '#server/process/check-database.ts'
import { openDataFolder } from '#server/process/data-folder.ts'
import { SettingsError } from '#server/process/environment.ts'
import { StartupError } from '#server/process/lifecycle.ts'
import { checkAddress } from '#server/process/listen.ts'
import { parseSettings } from '#server/process/settings.ts'
import { testDatabase } from '#test/support/database.ts'
import { runCommand } from '#test/support/processes/commands.ts'
import { freePort } from '#test/support/processes/ports.ts'
import { startProgram } from '#test/support/processes/program.ts'
import { runWorker } from '#worker/run-worker.ts'

// A program that cannot start prints one line with the reason and exits with 1.

const SECRET_KEYS = `k1:${'s'.repeat(40)}`
const folder = () => mkdtempSync(join(tmpdir(), 'soundline-refusal-'))
const fail = (reason: string) => {
  throw new Error(reason)
}
const serverWith = (parts: Partial<URL>) => Object.assign(new URL(inject('postgresUrl')), parts).href
const newer = testDatabase()
const NEWER =
  /^DATABASE_URL: a newer release has migrated it, so this release cannot use it: install that release or a later one$/
let taken: { server: Server; port: number }

beforeAll(async () => {
  const port = await freePort()
  const server = createServer().listen(port, '127.0.0.1')
  taken = { server, port }
  await newer.db.execute(sql`
    insert into drizzle.__drizzle_migrations (hash, created_at) values ('of a later release', 4000000000000)`)
})
afterAll(() => new Promise((resolve) => taken.server.close(resolve)))

// What the programs check, called here: a program that starts only to refuse takes a second of CPU time.
const REASONS: { what: string; check: () => unknown; line: RegExp }[] = [
  {
    what: 'a port in use',
    check: () => checkAddress(taken.port, '127.0.0.1'),
    line: /^PORT: \d+ is already in use$/,
  },
  {
    what: 'an address of another machine',
    check: () => checkAddress(0, '192.0.2.1'),
    line: /^HOST: 192\.0\.2\.1 is not an address of this machine$/,
  },
  {
    what: 'a data folder below a file',
    check: () => {
      const file = join(folder(), 'file')
      writeFileSync(file, '')
      openDataFolder(join(file, 'data'))
    },
    line: /^DATA_DIR: .* cannot be written \(ENOTDIR\)$/,
  },
  {
    what: 'a data folder that cannot be created',
    check: () => openDataFolder('/proc/soundline'),
    line: /^DATA_DIR: .* cannot be written \(/,
  },
  {
    what: 'a database server that is not running',
    check: () => checkDatabase('postgres://someone:hunter2@127.0.0.1:1/c'),
    line: /^DATABASE_URL: the database at 127\.0\.0\.1:1 cannot be used \(.*ECONNREFUSED/,
  },
  {
    what: 'a database that does not exist',
    check: () => checkDatabase(serverWith({ pathname: '/nowhere' })),
    line: /^DATABASE_URL: .*database "nowhere" does not exist/,
  },
  {
    what: 'a database that refuses the password',
    check: () => checkDatabase(serverWith({ password: 'hunter2' })),
    line: /^DATABASE_URL: .*password authentication failed/,
  },
  {
    what: 'a database without schema',
    check: () => withDatabase(inject('postgresUrl'), 'soundline-test', requireSchema),
    line: /run `npm run migrate` first$/,
  },
  {
    what: 'a database that a newer release has migrated, for a start and a migration',
    check: () => applyMigrations(newer.url),
    line: NEWER,
  },
  {
    what: 'a database that a newer release has migrated, for a worker',
    check: async () => {
      await using stops = new AsyncDisposableStack()
      await runWorker(parseSettings({ DATABASE_URL: newer.url, SECRET_KEYS }), stops, fail)
    },
    line: NEWER,
  },
  {
    what: 'several wrong settings',
    check: () => parseSettings({ PORT: '99999', LOG_LEVEL: 'loud', PROBE_ALLOWED_NETWORKS: '10.0.0.0/8 here' }),
    line: /^PORT: .*; .*PROBE_ALLOWED_NETWORKS: "here" is not a network.*; LOG_LEVEL: /,
  },
]

describe('the reason', () => {
  test.each(REASONS)('$what', async ({ check, line }) => {
    const refusal = await (async () => check())().catch((error: Error) => error)
    expect([StartupError, SettingsError]).toContain(refusal?.constructor)
    expect((refusal as Error).message).toMatch(line)
    expect((refusal as Error).message).not.toMatch(/hunter2|\n/)
  })
})

type Refusal = {
  what: string
  name: 'start' | 'web' | 'worker'
  settings: () => Record<string, string>
  line: RegExp
}

const REFUSALS: Refusal[] = [
  {
    what: 'start with a database and without keys',
    name: 'start',
    settings: () => ({ DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c' }),
    line: /^SECRET_KEYS: must be set with DATABASE_URL/,
  },
  {
    what: 'web with a database that a newer release has migrated',
    name: 'web',
    settings: () => ({ DATABASE_URL: newer.url, SECRET_KEYS }),
    line: NEWER,
  },
  { what: 'a worker without a database', name: 'worker', settings: () => ({}), line: /^DATABASE_URL: must be set$/ },
]

describe('one line and exit code 1', () => {
  test.each(REFUSALS)('$what', async ({ name, settings, line }) => {
    const port = String(await freePort())
    const program = startProgram(name, { PORT: port, HOST: '127.0.0.1', DATA_DIR: folder(), ...settings() })
    expect(await program.ended).toBe(1)
    const lines = program.output().trim().split('\n')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toMatch(line)
  })

  test('a migration without a database', async () => {
    const { code, stdout, stderr } = await runCommand('server/commands/migrate.ts', [], {})
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^DATABASE_URL: must be set.*\n$/)
  })
})
