import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { piecesOf } from '#server/bodies/body-content.ts'
import { createBodyReader } from '#server/bodies/reader.ts'
import { bodyKey, openStore, withoutCredentials } from '#server/bodies/store.ts'
import { SettingsError } from '#server/process/environment.ts'
import { type S3Server, startS3 } from '#test/support/targets/s3.ts'

const KEY = 'AKIA+TEST'
const SECRET = 'se/cr+et='
const ORGANIZATION = '0198f3a0-0000-7000-8000-000000000001'
const [SERVICE, OTHER] = ['0198f3a0-0000-7000-8000-000000000002', '0198f3a0-0000-7000-8000-000000000003']
let server: S3Server

beforeAll(async () => {
  server = await startS3({ bucket: 'bodies', key: KEY, secret: SECRET, page: 2 })
})
afterAll(() => server.close())
beforeEach(() => {
  server.objects.clear()
  server.fail(null)
})

function address(path = 'bodies', secret = SECRET): string {
  const user = `${encodeURIComponent(KEY)}:${encodeURIComponent(secret)}`
  return `http://${user}@127.0.0.1:${server.port}/${path}?region=eu-central-1`
}

const readerAt = (url: string, limits = {}) => {
  const reader = createBodyReader({ BODY_STORE_URL: url, DATA_DIR: '/nowhere' }, { maxBytes: 1_000, ...limits })
  return (key: string) => reader.read(withoutCredentials(url), key)
}

const keyOf = (service: string, day: string, text: string) =>
  bodyKey(ORGANIZATION, service, new Date(`${day}T12:00:00Z`), Buffer.from(text))

describe('a bucket', () => {
  test('returns stored bodies, with the credentials of the settings', async () => {
    const url = address('bodies/some/prefix')
    const bytes = Buffer.from([0, 255, 1])
    const key = keyOf(SERVICE, '2026-11-21', 'x')
    await openStore(url).put(key, bytes)
    expect([...server.objects.keys()]).toEqual([`some/prefix/${key}`])
    expect(await readerAt(url)(key)).toEqual({ outcome: 'read', bytes })
  })

  test('takes a body in pieces with its length and digest, again after a failure', async () => {
    const bytes = Buffer.from('in three pieces')
    let reads = 0
    const content = {
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest(),
      async *pieces() {
        if (reads++ === 1) server.fail(null)
        for (const start of [0, 5, 10]) yield bytes.subarray(start, start + 5)
      },
    }
    const store = openStore(address())
    server.fail(503)
    await store.putStream('key', content)
    expect([server.objects.get('key'), reads]).toEqual([bytes, 2])
    server.fail(503)
    await expect(store.putStream('other', content)).rejects.toThrow('503')
    expect(reads).toBe(5)
    server.fail(null)
    // The store counts and hashes what it receives.
    const other = { ...content, pieces: () => piecesOf(Buffer.from('of another text')) }
    await expect(store.putStream('other', other)).rejects.toThrow('400')
    expect([...server.objects.keys()]).toEqual(['key'])
  })

  test('an absent object is gone, and one over the limit is too_large', async () => {
    const read = readerAt(address())
    server.objects.set('over', Buffer.alloc(1_001))
    server.objects.set('full', Buffer.alloc(1_000))
    expect(await read('absent')).toEqual({ outcome: 'gone' })
    expect(await read('../bodies/full')).toEqual({ outcome: 'gone' })
    expect(await read('full')).toMatchObject({ outcome: 'read' })
    expect(await read('over')).toEqual({ outcome: 'too_large' })
  })

  test('that refuses, fails, hangs or does not exist is unavailable', async () => {
    server.objects.set('key', Buffer.from('x'))
    expect(await readerAt(address('bodies', 'wrong'))('key')).toEqual({ outcome: 'unavailable' })
    expect(await readerAt(address('elsewhere'))('key')).toEqual({ outcome: 'unavailable' })
    server.fail(500)
    expect(await readerAt(address())('key')).toEqual({ outcome: 'unavailable' })
    server.fail('hang')
    expect(await readerAt(address(), { timeoutMs: 100 })('key')).toEqual({ outcome: 'unavailable' })
    server.fail(null)
    expect(await readerAt(address())('key')).toMatchObject({ outcome: 'read' })
    await expect(openStore(address('bodies', 'wrong')).put('key', Buffer.from('x'))).rejects.toThrow('403')
  })

  test('of former settings has no credentials, and is unavailable', async () => {
    const reader = createBodyReader({ DATA_DIR: '/nowhere' })
    expect(await reader.read(withoutCredentials(address()), 'key')).toEqual({ outcome: 'unavailable' })
  })

  test('removes whole days, or one service, page by page', async () => {
    const store = openStore(address('bodies/p&q'))
    const keys = (service: string, day: string) => Array.from({ length: 5 }, (_, i) => keyOf(service, day, `${i}`))
    const old = keys(SERVICE, '2026-10-21')
    const [kept, other] = [keys(SERVICE, '2026-10-22'), keys(OTHER, '2026-10-22')]
    for (const key of [...old, ...kept, ...other]) await store.put(key, Buffer.from('x'))
    server.objects.set('unrelated/2020-01-01/x', Buffer.from('not ours'))
    await store.removeBefore('2026-10-22')
    expect(server.objects.size).toBe(11)
    await store.removeService(ORGANIZATION, SERVICE)
    const left = [...other.map((key) => `p&q/${key}`), 'unrelated/2020-01-01/x']
    expect([...server.objects.keys()].sort()).toEqual(left.sort())
  })
})

test('a URL without credentials or bucket is a wrong setting', () => {
  expect(() => openStore('s3://bucket')).toThrow(SettingsError)
  expect(() => openStore('https://key:secret@host/')).toThrow(SettingsError)
  expect(() => openStore('s3://key:secret@bucket/prefix?region=eu-west-1')).not.toThrow()
})
