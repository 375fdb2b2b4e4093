import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import type { services } from '#db/schema/resources.ts'
import type { StoredStep } from '#db/schema/results.ts'
import { BODY_READ_MAX_BYTES, createBodyReader } from '#server/bodies/reader.ts'
import { bodyKey, openStore } from '#server/bodies/store.ts'
import type { StepBody } from '#server/schemas/results/results.ts'
import { testApi } from '#test/support/api/api.ts'
import { testTree } from '#test/support/api/tree.ts'
import { testFolder } from '#test/support/folder.ts'
import { createResult, createStore, forgetStore, step } from '#test/support/runs/results.ts'

const NOW = new Date('2026-11-20T12:30:00Z')
const api = testApi({ now: () => NOW })
const tree = testTree(api)
let service: typeof services.$inferSelect
const folder = testFolder()
let storeId: string

beforeAll(async () => {
  service = await api.create.service(tree.project)
  storeId = await createStore(api.db, pathToFileURL(join(folder, 'store')).href)
  await mkdir(join(folder, 'store'))
})

/** Stores the bytes as a run does, and returns the step's record of them. */
async function store(bytes: Buffer, contentType: string | null = null): Promise<StoredStep['body']> {
  const key = bodyKey(tree.organization.id, service.id, NOW, bytes)
  await openStore(pathToFileURL(join(folder, 'store')).href).put(key, bytes)
  return { storeId, key, bytes: bytes.length, contentType }
}

async function read(body: StoredStep['body'], given: Partial<StoredStep> = {}, key = tree.owner) {
  const one = step({ body, bodyNotStoredReason: body ? null : 'not_requested', ...given })
  const result = await createResult(api.db, service, { startedAt: NOW, steps: [step(), one] })
  return api.call<StepBody>(key, 'GET', `/services/${service.id}/results/${result.id}/steps/${one.id}/body`)
}

describe('GET /services/{id}/results/{resultId}/steps/{stepId}/body', () => {
  test('200 text as it is, byte order mark and line ends included', async () => {
    for (const text of ['', 'ok', '{"a":"ü€😀"}', '\uFEFFx', 'a\tb\r\nc\n', '\u2028']) {
      const { status, body } = await read(await store(Buffer.from(text), 'text/plain; charset=utf-8'))
      expect({ status, body }).toEqual({
        status: 200,
        body: { content: text, contentType: 'text/plain; charset=utf-8', encoding: null },
      })
    }
  })

  test('200 base64 of what is no UTF-8 or has control characters', async () => {
    const bytes = [
      Buffer.from([0xff, 0xfe, 0x00]),
      Buffer.from([0xc3]),
      Buffer.from([0xed, 0xa0, 0x80]),
      Buffer.from('a\u0000b'),
      Buffer.from('\u001b[31m'),
      Buffer.from('x\u007f'),
      Buffer.from('x\u0085'),
      Buffer.from([0xe4, 0xf6, 0xfc]),
    ]
    for (const each of bytes) {
      const { body } = await read(await store(each, 'text/html; charset=iso-8859-1'))
      expect(body).toMatchObject({ encoding: 'base64', contentType: 'text/html; charset=iso-8859-1' })
      expect(Buffer.from(body.content, 'base64').equals(each)).toBe(true)
    }
  })

  test('200 repeats back texts, JSON, XML, JavaScript and forms; null for other types', async () => {
    const repeated = [
      'text/html',
      'TEXT/CSV',
      'application/json',
      'application/json;charset=utf-8',
      'application/problem+json',
      'image/svg+xml',
      'application/xml',
      'application/javascript',
      'application/x-www-form-urlencoded',
    ]
    const others = [
      'image/png',
      'application/octet-stream',
      'application/pdf',
      'nonsense',
      '',
      'text/',
      'text/html\nX: y',
    ]
    for (const type of [...repeated, ...others]) {
      const { body } = await read(await store(Buffer.from('x'), type))
      expect({ type, shown: body.contentType }).toEqual({ type, shown: repeated.includes(type) ? type : null })
    }
    expect((await read(await store(Buffer.from('x')))).body.contentType).toBeNull()
  })

  test('200 at 4 MiB, 413 body_too_large with the cap beyond', async () => {
    const cap = 4 * 1_024 * 1_024
    expect(BODY_READ_MAX_BYTES).toBe(cap)
    const { status, body } = await read(await store(Buffer.alloc(cap, 'x')))
    expect([status, body.content.length]).toEqual([200, cap])
    const beyond = await read(await store(Buffer.alloc(cap + 1, 'x')))
    expect({ status: beyond.status, body: beyond.body }).toEqual({
      status: 413,
      body: { error: 'body_too_large', details: { maxBytes: cap } },
    })
  })

  test('204 where none is stored: not saved, expired, or its store forgotten', async () => {
    expect((await read(null)).status).toBe(204)
    const body = await store(Buffer.from('kept'))
    const forgotten = await createStore(api.db, pathToFileURL(join(folder, 'forgotten')).href)
    await forgetStore(api.db, tree.organization.id, forgotten, NOW)
    expect((await read(body && { ...body, storeId: forgotten })).status).toBe(204)
    const one = step({ body, bodyNotStoredReason: null })
    const old = await createResult(api.db, service, { startedAt: new Date('2026-10-20T12:00:00Z'), steps: [one] })
    const path = `/services/${service.id}/results/${old.id}/steps/${one.id}/body`
    const { status, body: answer } = await api.call(tree.owner, 'GET', path)
    expect({ status, answer }).toEqual({ status: 204, answer: null })
  })

  test('HEAD answers without a body', async () => {
    const one = step({ body: await store(Buffer.from('head')), bodyNotStoredReason: null })
    const result = await createResult(api.db, service, { startedAt: NOW, steps: [one] })
    const path = `/services/${service.id}/results/${result.id}/steps/${one.id}/body`
    const { status, body, headers } = await api.call(tree.owner, 'HEAD', path)
    expect({ status, body }).toEqual({ status: 200, body: null })
    expect(Number(headers.get('content-length'))).toBeGreaterThan(0)
  })

  test('410 body_gone for an object that is absent, or lies outside its store', async () => {
    const outside = join(folder, 'outside')
    await writeFile(outside, 'not yours')
    const linked = join(folder, 'store', tree.organization.id, 'linked')
    await mkdir(dirname(linked), { recursive: true })
    await symlink(outside, linked)
    const keys = [
      `${tree.organization.id}/2026-11-20/${service.id}/absent`,
      '../outside',
      `${tree.organization.id}/../../outside`,
      outside,
      `${tree.organization.id}/linked`,
      tree.organization.id,
      '',
    ]
    for (const key of keys) {
      const { status, body } = await read({ storeId, key, bytes: 9, contentType: 'text/plain' })
      expect({ key, status, body }).toEqual({ key, status: 410, body: { error: 'body_gone' } })
    }
  })

  test('503 body_store_unavailable with Retry-After while the store does not answer, and when no slot comes free', async () => {
    const body = await store(Buffer.from('slow'))
    const local = api.runtime.bodies
    const release = Promise.withResolvers<void>()
    // The real store behind a delay, with a reader that waits in milliseconds instead of seconds.
    api.runtime.bodies = createBodyReader(api.runtime.settings, { timeoutMs: 50, permitWaitMs: 50 }, (url) => {
      const files = openStore(url)
      return { ...files, readPermits: 1, read: (...args) => release.promise.then(() => files.read(...args)) }
    })
    try {
      for (const _ of ['no answer', 'no slot']) {
        const { status, body: answer, headers } = await read(body)
        expect({ status, answer }).toEqual({ status: 503, answer: { error: 'body_store_unavailable' } })
        expect(headers.get('retry-after')).toBe('10')
      }
      release.resolve()
      await expect.poll(async () => (await read(body)).status).toBe(200)
    } finally {
      api.runtime.bodies = local
    }
  })

  test('200 for ids in capitals', async () => {
    const one = step({ body: await store(Buffer.from('mine')), bodyNotStoredReason: null })
    const result = await createResult(api.db, service, { startedAt: NOW, steps: [one] })
    const ids = [service.id, result.id, one.id].map((id) => id.toUpperCase())
    const { status } = await api.call(tree.owner, 'GET', `/services/${ids[0]}/results/${ids[1]}/steps/${ids[2]}/body`)
    expect(status).toBe(200)
  })
})
