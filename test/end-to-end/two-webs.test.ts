import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mintKey } from '#server/auth/api-keys.ts'
import { testDatabase } from '#test/support/database.ts'
import type { Member } from '#test/support/factories.ts'
import { type FrontProcess, startFront } from '#test/support/processes/front-process.ts'

// Two web processes that share only the database: rate limits count requests of both.

/** A window whose end is far off, so that no test crosses it. */
const WINDOW = [3_600, 3_599, 3_593, 3_583].find((length) => (Date.now() / 1_000) % length < length - 600)
const LONG = { RATE_LIMIT_API_WINDOW: `${WINDOW}`, RATE_LIMIT_API_FAILURE_WINDOW: `${WINDOW}` }
const SHORT = { RATE_LIMIT_API_WINDOW: '2', RATE_LIMIT_API_MAX: '1' }

const database = testDatabase()
let webs: FrontProcess[] = []
let shortWebs: FrontProcess[] = []

let owner: Member
beforeAll(async () => {
  const start = (limits: Record<string, string>) => startFront({ DATABASE_URL: database.url, ...limits })
  webs = await Promise.all([start(LONG), start(LONG)])
  shortWebs = await Promise.all([start(SHORT), start(SHORT)])
  owner = (await database.create.organization()).owner
})

afterAll(() => Promise.all([...webs, ...shortWebs].map((web) => web.kill())))

type Answer = { status: number; error: string | undefined; header(name: string): string | undefined }

/** Like `askOnce`, but retries while admission control refuses, which counts nothing. */
async function ask(...request: Parameters<typeof askOnce>): Promise<Answer> {
  for (;;) {
    const answer = await askOnce(...request)
    if (answer.status !== 503) return answer
    await sleep(100)
  }
}

/** `GET /key` of the nth of some processes, from a loopback address of the caller's choice. */
function askOnce(
  processes: { url: string }[],
  nth: number,
  { token, from = '127.0.0.1', headers = {} }: { token?: string; from?: string; headers?: Record<string, string> },
): Promise<Answer> {
  const url = new URL('/api/public/v1/key', processes[nth % processes.length]?.url)
  const sent = token === undefined ? headers : { ...headers, authorization: `Bearer ${token}` }
  return new Promise((resolve, reject) => {
    request(url, { localAddress: from, agent: false, headers: sent }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const { error } = JSON.parse(Buffer.concat(chunks).toString()) as { error?: string }
        const header = (name: string) => response.headers[name]?.toString()
        resolve({ status: response.statusCode ?? 0, error, header })
      })
    })
      .on('error', reject)
      .end()
  })
}

test('a key is admitted exactly 300 times in a window', async () => {
  const { token } = await database.create.key(owner)
  const answers = await Promise.all(Array.from({ length: 400 }, (_, nth) => ask(webs, nth, { token })))
  const left = answers
    .filter(({ status }) => status === 200)
    .map(({ header }) => Number(header('x-ratelimit-remaining')))
  expect(left.sort((a, b) => b - a)).toEqual(Array.from({ length: 300 }, (_, i) => 299 - i))
  const refused = answers.filter(({ status }) => status !== 200)
  expect(new Set(refused.map(({ status, error }) => `${status} ${error}`))).toEqual(new Set(['429 rate_limited']))
  for (const nth of [0, 1]) expect((await ask(webs, nth, { token })).status).toBe(429)
})

test('after Retry-After the next request succeeds, in either process', async () => {
  const { token } = await database.create.key(owner)
  for (const nth of [0, 1]) {
    // A window may end between two requests; the refused one has Retry-After.
    let refused = await ask(shortWebs, nth, { token })
    while (refused.status === 200) refused = await ask(shortWebs, nth, { token })
    expect([refused.status, refused.error]).toEqual([429, 'rate_limited'])
    await sleep(Number(refused.header('retry-after')) * 1_000)
    expect((await ask(shortWebs, nth + 1, { token })).status).toBe(200)
  }
})

test('an address can send 30 unknown tokens to both together, whatever X-Forwarded-For contains', async () => {
  const from = '127.0.0.2'
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, nth) =>
      ask(webs, nth, { from, token: mintKey().token, headers: { 'x-forwarded-for': `203.0.113.${nth}` } }),
    ),
  )
  const outcomes = answers.map(({ status, error }) => `${status} ${error}`).sort()
  expect(outcomes).toEqual([
    ...Array<string>(30).fill('401 invalid_api_key'),
    ...Array<string>(30).fill('429 too_many_unknown_keys'),
  ])
})

test('a key accepted by one process is exempt in the other when its address is over the limit', async () => {
  const from = '127.0.0.3'
  const [warm, cold] = [await database.create.key(owner), await database.create.key(owner)]
  expect((await ask(webs, 0, { from, token: warm.token })).status).toBe(200)
  for (let nth = 0; nth < 30; nth++) expect((await ask(webs, nth, { from })).status).toBe(401)

  expect((await ask(webs, 1, { from, token: warm.token })).status).toBe(200)
  expect((await ask(webs, 1, { from, token: cold.token })).error).toBe('too_many_unknown_keys')
  expect((await ask(webs, 1, { from: '127.0.0.4', token: cold.token })).status).toBe(200)
})
