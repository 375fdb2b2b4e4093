import { execFileSync } from 'node:child_process'
import { chmod, mkdir, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { bodyStores } from '#db/schema/body-stores.ts'
import { piecesOf } from '#server/bodies/body-content.ts'
import type { BodyStore } from '#server/bodies/body-store.ts'
import { createBodyReader } from '#server/bodies/reader.ts'
import { bodyKey, openStore, registerStore } from '#server/bodies/store.ts'
import { isBodyExpired } from '#server/results/results/retention.ts'
import { captureBodies } from '#server/runs/probes/body-capture.ts'
import { createRedactor } from '#server/runs/redaction/redact.ts'
import { BODY_NOT_STORED_REASONS } from '#server/schemas/results/results.ts'
import { testDatabase } from '#test/support/database.ts'
import { testFolder } from '#test/support/folder.ts'

const ORGANIZATION = '0198f3a0-0000-7000-8000-000000000001'
const SERVICE = '0198f3a0-0000-7000-8000-000000000002'
const OTHER = '0198f3a0-0000-7000-8000-000000000003'
const AT = new Date('2026-11-21T23:59:59.999Z')

const folder = testFolder()

let made = 0
async function newStore() {
  const root = join(folder, `store-${++made}`)
  const url = pathToFileURL(root).href
  const reader = createBodyReader({ BODY_STORE_URL: url, DATA_DIR: folder }, { maxBytes: 1_000 })
  await mkdir(root)
  return { root, url, store: openStore(url), read: (key: string) => reader.read(url, key) }
}

describe('local files', () => {
  test('return stored bodies; equal bodies of a day are stored once', async () => {
    const { root, store, read } = await newStore()
    const bytes = Buffer.from([0, 255, 10, 13, 128])
    const key = bodyKey(ORGANIZATION, SERVICE, AT, bytes)
    await Promise.all([store.put(key, bytes), store.put(key, bytes), store.put(key, bytes)])
    expect(await read(key)).toEqual({ outcome: 'read', bytes })
    expect(await readdir(join(root, ORGANIZATION, '2026-11-21', SERVICE))).toEqual([key.split('/').at(-1)])
  })

  test('take a body in pieces, and keep nothing of one that fails', async () => {
    const { root, store, read } = await newStore()
    const bytes = Buffer.alloc(900, 'x')
    const key = bodyKey(ORGANIZATION, SERVICE, AT, bytes)
    const content = { bytes: bytes.length, sha256: Buffer.alloc(32) }
    async function* broken() {
      yield bytes.subarray(0, 300)
      throw new Error('the rest is missing')
    }
    await expect(store.putStream(key, { ...content, pieces: broken })).rejects.toThrow('the rest is missing')
    expect(await readdir(join(root, ORGANIZATION, '2026-11-21', SERVICE))).toEqual([])
    await store.putStream(key, { ...content, pieces: () => piecesOf(bytes) })
    expect(await read(key)).toEqual({ outcome: 'read', bytes })
  })

  test('an absent object is gone, and so is an object of an absent store', async () => {
    const { read } = await newStore()
    const key = bodyKey(ORGANIZATION, SERVICE, AT, Buffer.from('never put'))
    expect(await read(key)).toEqual({ outcome: 'gone' })
    const nowhere = pathToFileURL(join(folder, 'nowhere')).href
    expect(await createBodyReader({ BODY_STORE_URL: nowhere, DATA_DIR: folder }).read(nowhere, key)).toEqual({
      outcome: 'gone',
    })
  })

  test('a body over the size limit is too_large', async () => {
    const { store, read } = await newStore()
    await store.put('full', Buffer.alloc(1_000, 1))
    await store.put('over', Buffer.alloc(1_001, 1))
    expect(await read('full')).toMatchObject({ outcome: 'read' })
    expect(await read('over')).toEqual({ outcome: 'too_large' })
  })

  test('reads only files inside the store', async () => {
    const { root, store, read } = await newStore()
    await writeFile(join(folder, 'secret'), 'not yours')
    await mkdir(join(root, 'folder'))
    await symlink(join(folder, 'secret'), join(root, 'link'))
    await symlink(folder, join(root, 'out'))
    execFileSync('mkfifo', [join(root, 'pipe')])
    await writeFile(join(root, 'file'), 'x')
    for (const key of [
      '../secret',
      './file',
      'a/../file',
      join(folder, 'secret'),
      '..%2fsecret',
      'a\\..\\..\\secret',
      'file\0',
      '',
      '/',
      'folder',
      'link',
      'out/secret',
      'pipe',
      'file/below',
      'x'.repeat(5_000),
    ]) {
      expect([key, await read(key)]).toEqual([key, { outcome: 'gone' }])
    }
    await expect(store.put('../escaped', Buffer.from('x'))).rejects.toThrow('outside the body store')
    expect(await readdir(folder)).not.toContain('escaped')
    expect(await read('file')).toEqual({ outcome: 'read', bytes: Buffer.from('x') })
  })

  test('are readable only by their user, also files that had wider permissions before', async () => {
    const { root, store } = await newStore()
    const key = bodyKey(ORGANIZATION, SERVICE, AT, Buffer.from('private'))
    await rm(root, { recursive: true })
    await store.protect()
    await store.put(key, Buffer.from('private'))
    const parts = key.split('/')
    const paths = ['', ...parts.map((_, index) => parts.slice(0, index + 1).join('/'))].map((part) => join(root, part))
    const modes = () => Promise.all(paths.map(async (path) => ((await stat(path)).mode & 0o777).toString(8)))
    expect(await modes()).toEqual(['700', '700', '700', '700', '600'])

    const outside = join(folder, `outside-${made}`)
    await writeFile(outside, 'not ours', { mode: 0o644 })
    await symlink(outside, join(root, ORGANIZATION, 'link'))
    const unrelated = join(root, 'notes.txt')
    await writeFile(unrelated, 'not ours', { mode: 0o644 })
    for (const [index, path] of paths.entries()) await chmod(path, index < 4 ? 0o755 : 0o644)
    await store.protect()
    expect(await modes()).toEqual(['700', '700', '700', '700', '600'])
    for (const path of [outside, unrelated]) expect((await stat(path)).mode & 0o777).toBe(0o644)
  })

  test('retention removes whole days; clearing a service removes only its bodies', async () => {
    const { store, read } = await newStore()
    const put = async (service: string, day: string) => {
      const bytes = Buffer.from(`${service} ${day}`)
      const key = bodyKey(ORGANIZATION, service, new Date(`${day}T12:00:00Z`), bytes)
      await store.put(key, bytes)
      return key
    }
    const [old, kept, other] = [
      await put(SERVICE, '2026-10-21'),
      await put(SERVICE, '2026-10-22'),
      await put(OTHER, '2026-10-22'),
    ]
    await store.removeBefore('2026-10-22')
    expect((await Promise.all([old, kept, other].map(read))).map((found) => found.outcome)).toEqual([
      'gone',
      'read',
      'read',
    ])
    await store.removeService(ORGANIZATION, SERVICE)
    expect((await Promise.all([kept, other].map(read))).map((found) => found.outcome)).toEqual(['gone', 'read'])
    await store.removeService('..', '..')
    expect((await read(other)).outcome).toBe('read')
  })
})

describe('limits of reading', () => {
  const hung: BodyStore = {
    readPermits: 2,
    read: () => new Promise(() => {}),
    put: () => Promise.resolve(),
    putStream: () => Promise.resolve(),
    removeBefore: () => Promise.resolve(),
    removeService: () => Promise.resolve(),
    protect: () => Promise.resolve(),
  }

  test('a store that hangs is unavailable, and never uses more than its permits', async () => {
    let begun = 0
    const reader = createBodyReader({ DATA_DIR: folder }, { timeoutMs: 30, permitWaitMs: 30 }, () => ({
      ...hung,
      read: () => {
        begun++
        return new Promise(() => {})
      },
    }))
    const answers = await Promise.all(Array.from({ length: 10 }, () => reader.read('file:///nowhere', 'key')))
    expect(new Set(answers.map((answer) => answer.outcome))).toEqual(new Set(['unavailable']))
    expect(begun).toBe(2)
  })

  test('waiting reads continue when a permit becomes free', async () => {
    let [running, maximum] = [0, 0]
    const reader = createBodyReader({ DATA_DIR: folder }, {}, () => ({
      ...hung,
      read: async () => {
        maximum = Math.max(maximum, ++running)
        await new Promise((resolve) => setImmediate(resolve))
        running--
        return Buffer.from('x')
      },
    }))
    const answers = await Promise.all(Array.from({ length: 50 }, () => reader.read('file:///nowhere', 'key')))
    expect(answers.filter((answer) => answer.outcome === 'read')).toHaveLength(50)
    expect(maximum).toBe(2)
  })

  test('an error of the store is unavailable, and frees its permit', async () => {
    const reader = createBodyReader({ DATA_DIR: folder }, { permitWaitMs: 30 }, () => ({
      ...hung,
      read: () => Promise.reject(new Error('disk on fire')),
    }))
    for (let i = 0; i < 5; i++) expect(await reader.read('file:///nowhere', 'key')).toEqual({ outcome: 'unavailable' })
  })
})

test('a body that its store refuses is not stored, for a reason that the OpenAPI document lists', async () => {
  // A file where the store's folder should be.
  const root = join(folder, 'refusing')
  await writeFile(root, '')
  const target = { id: OTHER, store: openStore(pathToFileURL(root).href) }
  const failures: unknown[] = []
  const run = { organizationId: ORGANIZATION, serviceId: SERVICE, startedAt: AT }
  const capture = captureBodies(target, run, await createRedactor([]), (e) => failures.push(e))
  await capture.sink({ callIndex: 0, body: Buffer.from('x'), contentType: '' })
  expect([...(await capture.settle()).stored]).toEqual([[0, 'store_unavailable']])
  expect(failures).toHaveLength(1)
  expect(BODY_NOT_STORED_REASONS).toContain('store_unavailable')
})

test('bodies expire with their whole day', () => {
  const now = new Date('2026-11-21T12:00:00Z')
  expect(isBodyExpired(new Date('2026-10-22T00:00:00Z'), now, 30)).toBe(false)
  expect(isBodyExpired(new Date('2026-10-21T23:59:59.999Z'), now, 30)).toBe(true)
})

describe('the row of a store', () => {
  const database = testDatabase()

  test('is created once, without credentials, and contains when the store was last used', async () => {
    const url = 'https://key:secret@bucket.example/bodies'
    const [first, again] = await Promise.all([registerStore(database.db, url), registerStore(database.db, url)])
    expect(first.id).toBe(again.id)
    await database.db.update(bodyStores).set({ lastUsedAt: new Date(0) })
    await registerStore(database.db, url)
    const rows = await database.db.select().from(bodyStores)
    expect(rows).toMatchObject([{ id: first.id, organizationId: null, url: 'https://bucket.example/bodies' }])
    expect(rows[0]?.lastUsedAt.getTime()).toBeGreaterThanOrEqual(rows[0]?.createdAt.getTime() ?? Number.NaN)
  })
})
