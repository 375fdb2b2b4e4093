import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import postgres from 'postgres'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { closeDatabase, type Db, openDatabase } from '#db/client.ts'
import { eq, sql } from '#db/drizzle.cjs'
import { migrateDatabase, schemaState } from '#db/migrate.ts'
import { organizations, users } from '#db/schema/organizations.ts'
import { services } from '#db/schema/resources.ts'
import { results } from '#db/schema/results.ts'
import { variables } from '#db/schema/scoped.ts'
import { systemMarks } from '#db/schema/system.ts'
import { type ArchiveEntry, readArchive, writeArchive } from '#server/backup/archive.ts'
import { Manifest, type Summary } from '#server/backup/manifest.ts'
import { restoreBackup } from '#server/backup/restore-backup.ts'
import { writeBackup } from '#server/backup/write-backup.ts'
import { openStore } from '#server/bodies/store.ts'
import { readWarnings } from '#server/operations/system/read-warnings.ts'
import { enqueue } from '#server/schedule/jobs.ts'
import { createVault, type SecretKey } from '#server/vault.ts'
import { cloneTemplate, required } from '#test/support/database.ts'
import { testFolder } from '#test/support/folder.ts'
import { runCommand } from '#test/support/processes/commands.ts'
import type { ProbedService } from '#test/support/runs/probed.ts'
import { requestRunOf } from '#test/support/runs/probed.ts'
import { probedDatabase } from '#test/support/runs/probed-database.ts'
import { testWorkers } from '#test/support/runs/test-workers.ts'
import { TEST_SECRET_KEYS, until } from '#test/support/runs/worker-processes.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'
import { withDatabase } from '#test/support/vitest/global-setup.ts'

// A worker stores runs while a backup is written. It is restored into other databases, and the product runs there.

const KEYS: SecretKey[] = [{ id: 'test', secret: TEST_SECRET_KEYS.slice('test:'.length) }]
const SERVICES = 5

const source = probedDatabase()
const workers = testWorkers(source.url)
const folder = testFolder()
const file = join(folder, 'backup')
const target = emptyDatabase('restored')
const restoredData = join(folder, 'restored')
const restoredWorkers = testWorkers(target.url)
const secretId = uuidv7()
let site: HttpTarget
let created: ProbedService[]
let summary: Summary
/** Results in the source before and after the backup. */
let [before, after] = [0, 0]

/** Creates a database without a schema for the test file. */
function emptyDatabase(name: string) {
  const url = withDatabase(inject('postgresUrl'), name)
  let db: Db | null = null
  const replace = async (create: (admin: postgres.Sql) => Promise<unknown> = async () => {}) => {
    if (db) await closeDatabase(db)
    const admin = postgres(inject('postgresUrl'), { max: 1, onnotice: () => {} })
    await admin.unsafe(`drop database if exists ${name} with (force)`)
    await create(admin)
    await admin.end()
  }
  const open = () => {
    db = openDatabase(url, { max: 4, name: 'soundline-test' })
  }
  const empty = async () => {
    await replace((admin) => admin.unsafe(`create database ${name}`))
    open()
  }
  beforeAll(empty)
  afterAll(() => replace())
  return {
    url,
    empty,
    /** Replaces it by one that has the newest schema, but no rows. */
    async migrated() {
      await replace((admin) => cloneTemplate(admin, name))
      open()
    },
    get db() {
      return required(db)
    },
  }
}

const storeSettings = (dataDir: string) => ({ DATA_DIR: dataDir, BODY_STORE_URL: undefined, BODY_RETENTION_DAYS: 30 })
const backUp = (given: Partial<Parameters<typeof writeBackup>[0]> = {}) =>
  writeBackup({
    url: source.url,
    file,
    settings: storeSettings(workers.folder),
    release: '1.2.3',
    withBodies: true,
    now: new Date(),
    ...given,
  })
const restore = (given: Partial<Parameters<typeof restoreBackup>[0]> = {}) =>
  restoreBackup({ url: target.url, file, settings: storeSettings(restoredData), keys: KEYS, ...given })

beforeAll(async () => {
  let served = 0
  site = await startHttpTarget((_, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ served: ++served }))
  })
  created = []
  for (let index = 0; index < SERVICES; index++) {
    const script = `get("${site.url}/").expect(status: 200)`
    created.push(await source.createProbedService(script, { saveResponseBodies: true }))
  }
  const [service] = created as [ProbedService]
  const sealed = createVault(KEYS).seal('hidden', 'variable', service.organizationId, secretId)
  const variable = { id: secretId, organizationId: service.organizationId, serviceId: service.id, key: 'token' }
  await source.db.insert(variables).values({ ...variable, type: 'secret', sealed })
  const later = { organizationId: service.organizationId, eventId: uuidv7() }
  await enqueue(source.db, 'notify', later, { key: 'later', runAt: new Date(Date.now() + 86_400_000) })
  await source.db.execute(sql`update graphile_worker._private_jobs set attempts = 3 where key = 'later'`)
  // Leases are short, so that runs in flight are repeated soon in the restored installation.
  const worker = await workers.start({ WORKER_STALE_SECONDS: '3' })
  const load = keepRequesting()
  await until('runs before the backup', async () => (await source.db.$count(results)) >= 4 * SERVICES)
  before = await source.db.$count(results)
  summary = await backUp()
  after = await source.db.$count(results)
  await until('runs after the backup', async () => (await source.db.$count(results)) >= after + SERVICES)
  await load.stop()
  await worker.stop()
}, 300_000)
afterAll(() => site.close())

/** Requests runs of all services, one after another, until it is stopped. */
function keepRequesting() {
  let running = true
  const work = (async () => {
    while (running) {
      for (const service of created) await source.requestRunOf(service)
      // More would only wait in the queue.
      await sleep(50)
    }
  })()
  return {
    async stop() {
      running = false
      await work
    },
  }
}

const countAll = async (db: Db) => {
  const [row] = await db.execute<{ results: number; hours: number; totals: number; wrong: number }>(sql`
    select (select count(*)::int from results) as results, (select sum(runs)::int from run_hours) as hours,
      (select sum(probes_total)::int from service_states) as totals,
      (select count(*)::int from service_states s where probes_total <>
        (select count(*) from results r where r.service_id = s.service_id)) as wrong`)
  return row
}

describe('a backup that is written while a worker stores runs', () => {
  test('shows one moment: all counts of the restored installation agree', async () => {
    expect(summary.bodies.missing).toBe(0)
    await restore()
    const counts = await countAll(target.db)
    const stored = counts?.results ?? 0
    expect(stored).toBeGreaterThanOrEqual(before)
    expect(stored).toBeLessThanOrEqual(after)
    expect(counts).toEqual({ results: stored, hours: stored, totals: stored, wrong: 0 })
    const rows = Object.entries(summary.rows).filter(([name]) => name.startsWith('results_'))
    expect(rows.reduce((sum, [, { rows }]) => sum + rows, 0)).toBe(stored)
    for (const table of ['users', 'organizations', 'services', 'variables', 'agents', 'schedules']) {
      const [row] = await target.db.execute<{ count: number }>(sql`select count(*)::int from ${sql.identifier(table)}`)
      expect(row?.count, table).toBe(summary.rows[table]?.rows)
    }
    expect(await schemaState(target.db)).toBe('current')
    // Processes of the former installation do not live in this one.
    expect(await target.db.execute(sql`select from workers`)).toHaveLength(0)
  })

  test('has every body that its results name', async () => {
    const rows = await target.db.select({ steps: results.steps }).from(results)
    const bodies = rows.flatMap(({ steps }) => steps.flatMap((step) => step.body ?? []))
    expect(bodies.length).toBeGreaterThanOrEqual(before)
    expect(summary.bodies.count).toBe(new Set(bodies.map(({ key }) => key)).size)
    const store = openStore(pathToFileURL(join(restoredData, 'bodies')).href)
    for (const { key, bytes } of bodies) {
      expect(await store.read(key, 1_000, AbortSignal.timeout(60_000))).toHaveLength(bytes)
    }
  })

  test('keeps waiting jobs with their attempts, once', async () => {
    const jobs = await target.db.execute(sql`
      select t.identifier, j.attempts, j.locked_at from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id where j.key = 'later'`)
    expect(jobs.map((job) => ({ ...job }))).toEqual([{ identifier: 'notify', attempts: 3, locked_at: null }])
  })

  test('keeps secrets, which open with the keys that it names, and contains no key', async () => {
    const [row] = await target.db.select().from(variables).where(eq(variables.id, secretId))
    expect(createVault(KEYS).open(row?.sealed as Buffer, 'variable', row?.organizationId ?? '', secretId)).toBe(
      'hidden',
    )
    const entries = await entriesOf(file)
    expect(Manifest.parse(JSON.parse(String(entries[0]?.content))).keys).toEqual(['test'])
    expect(entries.filter(({ content }) => content.includes(KEYS[0]?.secret as string))).toEqual([])
  })

  test('starts and runs', async () => {
    const [service] = created as [ProbedService]
    const stored = await target.db.$count(results, eq(results.serviceId, service.id))
    const worker = await restoredWorkers.start({ DATA_DIR: restoredData })
    await requestRunOf(target.db, service)
    await until('a run of the restored installation', async () => {
      return (await target.db.$count(results, eq(results.serviceId, service.id))) > stored
    })
    await worker.stop()
  })
})

async function entriesOf(path: string): Promise<ArchiveEntry[]> {
  const entries: ArchiveEntry[] = []
  for await (const entry of readArchive(path, 100_000_000)) entries.push(entry)
  return entries
}

describe('a restore', () => {
  beforeAll(target.migrated)
  const isEmpty = async () => {
    const [row] = await target.db.execute<{ there: boolean }>(sql`select to_regclass('users') is not null as there`)
    return !row?.there || (await target.db.$count(users)) === 0
  }

  test('refuses an installation with accounts, and changes nothing in it', async () => {
    const rows = await source.db.$count(services)
    await expect(restore({ url: source.url })).rejects.toThrow(/^This installation is not empty: it has \d+ accounts/)
    expect(await source.db.$count(services)).toBe(rows)
  })

  test.each([
    ['is cut off', async (path: string) => writeFile(path, (await readFile(file)).subarray(0, -2_000))],
    [
      'has a wrong byte',
      async (path: string) => {
        const content = await readFile(file)
        const at = Math.floor(content.length / 2)
        content[at] = (content[at] as number) ^ 0x10
        await writeFile(path, content)
      },
    ],
    [
      'has no summary',
      async (path: string) => {
        const copy = writeArchive(path)
        for (const { name, content } of await entriesOf(file)) {
          if (name !== 'summary.json') await copy.add(name, content)
        }
        await copy.finish()
      },
    ],
    [
      'lacks a part',
      async (path: string) => {
        const copy = writeArchive(path)
        for (const { name, content } of await entriesOf(file)) {
          if (!name.startsWith('tables/run_hours/')) await copy.add(name, content)
        }
        await copy.finish()
      },
    ],
  ])('of a file that %s leaves the installation empty', async (_, damage) => {
    const damaged = join(folder, `damaged-${uuidv7()}`)
    await damage(damaged)
    const data = await mkdtemp(join(folder, 'refused-'))
    await expect(restore({ file: damaged, settings: storeSettings(data) })).rejects.toThrow(
      /^The backup cannot be restored: .*Nothing was restored\.$|^The file is not a Soundline backup, or is damaged/,
    )
    expect(await isEmpty()).toBe(true)
    expect(await readdir(data)).toEqual([])
  })

  test('needs the keys of the former installation, and succeeds after failed attempts', async () => {
    await expect(restore({ keys: null })).rejects.toThrow('SECRET_KEYS: the backup needs "test"')
    const other = [{ id: 'test', secret: 'another secret of this length or more' }]
    const data = await mkdtemp(join(folder, 'refused-'))
    await expect(restore({ keys: other, settings: storeSettings(data) })).rejects.toThrow(
      'the key "test" in SECRET_KEYS differs from the key of the backup',
    )
    expect(await isEmpty()).toBe(true)
    expect(await readdir(data)).toEqual([])
    await restore()
    expect(await isEmpty()).toBe(false)
  })

  test('refuses while processes of the installation run', async () => {
    await target.migrated()
    await target.db.execute(sql`
      insert into web_processes (id, version, host, pid) values (gen_random_uuid(), '1', 'here', 1)`)
    await expect(restore()).rejects.toThrow('Processes of this installation are still running')
    await target.db.execute(sql`update web_processes set heartbeat_at = now() - interval '2 minutes'`)
    // What the first start of a worker leaves does not count.
    await target.db.execute(sql`insert into agents (id, slug, label) values (gen_random_uuid(), 'local', 'Local')`)
    await restore()
  })

  test('refuses a file of a newer release, and other files', async () => {
    const newer = join(folder, 'newer')
    const copy = writeArchive(newer)
    const [first] = await entriesOf(file)
    const manifest = Manifest.parse(JSON.parse(String(first?.content)))
    const schema = [...manifest.schema, 'of a later release']
    await copy.add('manifest.json', Buffer.from(JSON.stringify({ ...manifest, schema })))
    await copy.finish()
    await expect(restore({ file: newer })).rejects.toThrow('The backup is from the newer release 1.2.3')
    await expect(restore({ file: 'package.json' })).rejects.toThrow(/^The file is not a Soundline backup/)
  })

  test('of an older release gives the newest schema with its data', async () => {
    await target.empty()
    await migrateDatabase(target.url, 47)
    await target.db.execute(sql`insert into organizations (id, name) values (gen_random_uuid(), 'Acme')`)
    const older = join(folder, 'older')
    await backUp({ url: target.url, file: older, withBodies: false })
    await target.empty()
    await restore({ file: older })
    expect(await schemaState(target.db)).toBe('current')
    expect(await target.db.select().from(organizations)).toMatchObject([{ name: 'Acme' }])
  })
})

describe('a full destination', () => {
  /** Returns the name of a file whose content goes to a full disk until it is complete. */
  async function fullFile() {
    const path = join(await mkdtemp(join(folder, 'full-')), 'backup')
    await symlink('/dev/full', `${path}.unfinished`)
    return path
  }

  test('leaves one line, no file, and a warning on the System page', async () => {
    const path = await fullFile()
    const environment = { DATABASE_URL: source.url, DATA_DIR: workers.folder }
    const outcome = await runCommand('server/commands/backup.ts', [path], environment)
    const reason = 'ENOSPC: no space left on device, write'
    expect(outcome).toEqual({ code: 1, stdout: '', stderr: `The backup failed: ${reason}. No file was written.\n` })
    expect(await readdir(dirname(path))).toEqual([])
    expect(await readWarnings(source.db)).toContainEqual(
      expect.objectContaining({ code: 'backup_failed', subject: hostname(), detail: reason }),
    )
  })

  test('is named by everything that is added after it failed', async () => {
    const archive = writeArchive(`${await fullFile()}.unfinished`)
    const add = () => archive.add('part', randomBytes(1_000_000))
    const addUntilFull = async () => {
      for (;;) await add()
    }
    await expect(addUntilFull()).rejects.toThrow('ENOSPC')
    await expect(add()).rejects.toThrow('ENOSPC')
    await archive.abort()
  })
})

describe('the commands', () => {
  // What a command says last: on a slow machine it prints its progress before.
  // A new file for each try: a command refuses one that exists.
  let written = ''

  test('backup writes a file that only its user can read, and the System page knows of it', async () => {
    written = join(await mkdtemp(join(folder, 'written-')), 'by-command')
    const environment = { DATABASE_URL: source.url, DATA_DIR: workers.folder }
    const { code, stdout, stderr } = await runCommand('server/commands/backup.ts', [written], environment)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^Wrote .*by-command: [\d.]+ kB, [\d,]+ rows, [\d,]+ bodies\.\n/m)
    expect((await stat(written)).mode & 0o777).toBe(0o600)
    const [mark] = await source.db.select().from(systemMarks).where(eq(systemMarks.name, 'backup'))
    expect(mark).toMatchObject({ name: 'backup', details: { file: 'by-command', missing: 0 } })
    const again = await runCommand('server/commands/backup.ts', [written], environment)
    expect(again).toMatchObject({ code: 1, stderr: `${written} exists already: name another file\n` })
  })

  test('restore creates the embedded database of an empty folder, from which backup can be made again', async () => {
    // Its own folder for each try: what a failed try has restored stays.
    const embedded = await mkdtemp(join(folder, 'embedded-'))
    const again = join(embedded, 'backup')
    const environment = { DATA_DIR: embedded, SECRET_KEYS: TEST_SECRET_KEYS }
    const { code, stdout, stderr } = await runCommand('server/commands/restore.ts', [written], environment)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const [, rows] = /^Restored ([\d,]+ rows and [\d,]+ bodies)/m.exec(stdout) ?? []
    expect(rows).toBeTruthy()
    expect(await runCommand('server/commands/backup.ts', [again], environment)).toEqual({
      code: 0,
      stdout: expect.stringContaining(`${rows?.replace(' and', ',')}.`),
      stderr: '',
    })
  })
})
