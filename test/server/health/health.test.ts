import { expect, test } from 'vitest'
import { GET } from '#app/api/health/route.ts'
import { closeDatabase, openDatabase } from '#db/client.ts'
import { createHealth } from '#server/health/health.ts'
import { testApi } from '#test/support/api/api.ts'
import { freePort } from '#test/support/processes/ports.ts'

const api = testApi()
const request = (method: string) => new Request('http://localhost/api/health', { method })

test('200 while the database responds, without a credential', async () => {
  const answer = await createHealth(api.runtime)(request('GET'))
  expect([answer.status, await answer.json()]).toEqual([200, { ok: true }])
  expect(answer.headers.get('cache-control')).toBe('no-store')
})

test('HEAD has no body', async () => {
  const answer = await createHealth(api.runtime)(request('HEAD'))
  expect([answer.status, await answer.text()]).toEqual([200, ''])
})

test('405 for any other method', async () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
    const answer = await createHealth(api.runtime)(request(method))
    expect([answer.status, await answer.json()]).toEqual([
      405,
      expect.objectContaining({ error: 'method_not_allowed' }),
    ])
    expect(answer.headers.get('allow')).toBe('GET, HEAD')
  }
})

test('503 while the database does not respond', async () => {
  const db = openDatabase(`postgres://nobody@127.0.0.1:${await freePort()}/none`, { max: 1, name: 'soundline-test' })
  const answer = await createHealth({ ...api.runtime, db })(request('GET'))
  expect([answer.status, await answer.json()]).toEqual([
    503,
    expect.objectContaining({ ok: false, error: 'service_unavailable' }),
  ])
  await closeDatabase(db)
})

test("Next's route handler responds in the same way", async () => {
  Object.assign(globalThis, { [Symbol.for('soundline.runtime')]: api.runtime })
  const answer = await GET(request('GET'))
  expect([answer.status, await answer.json()]).toEqual([200, { ok: true }])
})
