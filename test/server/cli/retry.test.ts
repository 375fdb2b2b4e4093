import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ConnectionFailure } from '#server/cli/client/api-failure.ts'
import { sendWithRetries } from '#server/cli/client/retry.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

// Requests against a server that fails in turn as the test says, over real connections.

type Answer = (request: IncomingMessage, response: ServerResponse) => void

let target: HttpTarget
let answers: Answer[] = []
let seen: { method: string | undefined; key: unknown; body: string }[] = []

beforeAll(async () => {
  target = await startHttpTarget((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => {
      body += text
    })
    request.on('end', () => {
      seen.push({ method: request.method, key: request.headers['idempotency-key'], body })
      const answer = answers.shift() ?? json(200, { ok: true })
      answer(request, response)
    })
  })
})
afterAll(() => target.close())
beforeEach(() => {
  answers = []
  seen = []
})

function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
}

const dropped: Answer = (request) => request.socket.destroy()

/** Promises more than it sends. */
const broken: Answer = (request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
  response.write('{', () => request.socket.destroy())
}

const NOW = { 'retry-after': '0' }

async function send(init: RequestInit = {}, options: { retryForMs?: number; signal?: AbortSignal; url?: string } = {}) {
  const {
    retryForMs = 60_000,
    signal = new AbortController().signal,
    url = `http://127.0.0.1:${target.port}/`,
  } = options
  const told: string[] = []
  const onRetry = (reason: string) => told.push(reason)
  const retry = { send: fetch, signal, retryForMs, deadline: Number.POSITIVE_INFINITY, onRetry }
  const response = await sendWithRetries(new Request(url, init), retry)
  return { status: response.status, body: await response.text(), told }
}

test('a request is tried again after a dropped connection, a broken body and a refusal that passes', async () => {
  answers = [
    dropped,
    broken,
    json(503, { error: 'service_unavailable' }, NOW),
    json(429, {}, NOW),
    json(200, { ok: 1 }),
  ]
  expect(await send()).toMatchObject({ status: 200, body: '{"ok":1}', told: expect.objectContaining({ length: 4 }) })
  expect(seen).toHaveLength(5)
})

test('all tries of a POST have the same body and key', async () => {
  answers = [dropped, json(409, { error: 'idempotency_in_progress' }, NOW), json(202, { ok: true })]
  const init = { method: 'POST', body: '{"note":"x"}', headers: { 'idempotency-key': 'k1' } }
  expect((await send(init)).status).toBe(202)
  expect(seen).toEqual(Array(3).fill({ method: 'POST', key: 'k1', body: '{"note":"x"}' }))
})

test.each(['PATCH', 'DELETE'])('%s is not sent again when it may have had an effect', async (method) => {
  answers = [dropped]
  await expect(send({ method })).rejects.toThrow(ConnectionFailure)
  expect(seen).toHaveLength(1)
})

test.each(['PATCH', 'DELETE'])('%s is sent again only after a refusal that certainly had no effect', async (method) => {
  for (const status of [502, 503, 504]) {
    answers = [json(status, { error: 'x' }, NOW)]
    expect(await send({ method })).toMatchObject({ status, told: [] })
  }
  answers = [json(429, { error: 'rate_limited' }, NOW)]
  expect(await send({ method })).toMatchObject({ status: 200, told: [expect.stringContaining('rate limit')] })
  expect(seen).toHaveLength(5)
})

test.each([400, 401, 404, 409, 500])('a %i is an answer', async (status) => {
  answers = [json(status, { error: 'x' })]
  expect(await send()).toMatchObject({ status, body: '{"error":"x"}', told: [] })
  expect(seen).toHaveLength(1)
})

describe('patience', () => {
  test('ends with the last answer', async () => {
    answers = [json(503, { error: 'service_unavailable' }, { 'retry-after': '30' })]
    expect(await send({}, { retryForMs: 1_000 })).toMatchObject({ status: 503, told: [] })
  })

  test('is not used up by tries without a pause', async () => {
    answers = [json(503, {}, NOW)]
    expect(await send({}, { retryForMs: 400 })).toMatchObject({ status: 503, told: [] })
  })

  test('ends with a failure that names the address', async () => {
    const closed = await startHttpTarget(() => {})
    await closed.close()
    const url = `http://127.0.0.1:${closed.port}/`
    await expect(send({}, { retryForMs: 0, url })).rejects.toThrow(
      `http://127.0.0.1:${closed.port} cannot be reached: ECONNREFUSED`,
    )
  })

  test('ends at once with the signal', async () => {
    const stop = new AbortController()
    answers = [json(503, {}, { 'retry-after': '600' })]
    const sent = send({}, { retryForMs: 1_000_000, signal: stop.signal })
    setTimeout(() => stop.abort(new Error('interrupted')), 100)
    await expect(sent).rejects.toThrow()
    expect(seen).toHaveLength(1)
  })
})
