import type { AddressInfo } from 'node:net'
import { Counter, Histogram, Registry } from 'prom-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { closeDatabase, openDatabase } from '#db/client.ts'
import { createMetrics } from '#server/fronts/exposition/metrics-front.ts'
import { createDocument } from '#server/fronts/rest/document-front.ts'
import { createHealth } from '#server/health/health.ts'
import { createDatabaseCheck, createReadiness } from '#server/health/ready.ts'
import { createWorkerHealth } from '#server/health/worker-health.ts'
import { createFront } from '#server/http/front.ts'
import { exposition, type Family, mergeFamilies, readFamilies } from '#server/observe/metrics/families.ts'
import { createProcessMetrics, type ProcessMetrics } from '#server/observe/metrics/process-metrics.ts'
import { readSnapshots, removeSnapshot, storeSnapshot } from '#server/observe/metrics/snapshots.ts'
import { testApi } from '#test/support/api/api.ts'
import { parseExposition } from '#test/support/exposition.ts'
import { freePort } from '#test/support/processes/ports.ts'

const TOKEN = 'a-token-of-the-operator'
const api = testApi({ settings: { METRICS_TOKEN: TOKEN } })

let own: ProcessMetrics
let url: string
let close: () => Promise<unknown>

beforeAll(async () => {
  own = createProcessMetrics('web', { pools: { web: api.db.$client.pool } })
  const server = createFront({
    runtime: api.runtime,
    api: api.facade,
    document: createDocument(api.runtime),
    health: createHealth(api.runtime),
    ready: createReadiness(createDatabaseCheck(api.db)).serve,
    metrics: createMetrics(api.runtime, own),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  close = () => new Promise((resolve) => server.close(resolve))
})
afterAll(() => close())

function scrape(headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
  return fetch(`${url}/api/metrics`, { method, headers: { Authorization: `Bearer ${TOKEN}`, ...headers } })
}

async function piecesOf(families: Family[]): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = []
  for await (const piece of exposition(families, false)) pieces.push(piece)
  return pieces
}

describe('the metrics of the installation', () => {
  test('404 without METRICS_TOKEN, 401 for another token and without one, 405 for other methods', async () => {
    const settings = { METRICS_TOKEN: undefined }
    const hidden = createMetrics({ ...api.runtime, settings: { ...api.runtime.settings, ...settings } }, own)
    const request = new Request('http://localhost/api/metrics', { headers: { Authorization: `Bearer ${TOKEN}` } })
    await expect(hidden(request, { address: '127.0.0.1' })).rejects.toMatchObject({ api: 'not_found' })
    for (const Authorization of ['', 'Bearer another-token-of-the-operator', `Basic ${TOKEN}`]) {
      const answer = await scrape({ Authorization })
      expect([answer.status, (await answer.json()).error]).toEqual([401, 'invalid_token'])
    }
    expect((await scrape({}, 'POST')).status).toBe(405)
    const head = await scrape({}, 'HEAD')
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  test('have the series of each live process, and of the database once', async () => {
    const key = await api.create.key((await api.create.organization()).owner)
    const answered = await fetch(`${url}/api/public/v1/key`, { headers: { Authorization: `Bearer ${key.token}` } })
    expect(answered.status).toBe(200)
    const other: ProcessMetrics = {
      id: 'worker-other',
      kind: 'worker',
      read: async () => [
        {
          name: 'soundline_runs_total',
          type: 'counter',
          help: 'Stored results',
          samples: ['soundline_runs_total{agent="eu",cause="schedule",outcome="success",process_id="worker-other"} 7'],
        },
      ],
    }
    await storeSnapshot(api.db, other)
    const answer = await scrape()
    expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4')
    const text = await answer.text()
    const samples = parseExposition(text)
    const labels = { agent: 'eu', cause: 'schedule', outcome: 'success', process_id: 'worker-other' }
    expect(samples.get('soundline_runs_total')).toEqual([{ value: 7, labels }])
    expect(samples.get('soundline_api_request_duration_seconds_count')).toEqual([
      { value: 1, labels: { operation: 'getKey', code: '200', process: 'web', process_id: own.id } },
    ])
    expect(text).toContain('# TYPE soundline_api_request_duration_seconds histogram\n')
    expect(samples.get('soundline_process_info')).toHaveLength(1)
    expect(samples.get('soundline_database_size_bytes')?.[0]?.value).toBeGreaterThan(1_000_000)
    const collectors = samples.get('soundline_collector_up') ?? []
    expect(collectors.length).toBeGreaterThan(3)
    expect(collectors.filter(({ value }) => value !== 1)).toEqual([])
    // Each family stands once, whatever the number of processes.
    const names = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name)
    expect(names).toEqual([...new Set(names)])

    await removeSnapshot(api.db, other)
  })

  test('newer values of a process are never replaced by older ones', async () => {
    let read: (samples: string[]) => void = () => {}
    const slow = new Promise<string[]>((resolve) => {
      read = resolve
    })
    const answers = [slow, Promise.resolve(['soundline_test_total 2'])]
    const metrics: ProcessMetrics = {
      id: 'web-slow',
      kind: 'web',
      read: async () => [
        { name: 'soundline_test_total', type: 'counter', help: '', samples: (await answers.shift()) ?? [] },
      ],
    }
    const first = storeSnapshot(api.db, metrics)
    const second = storeSnapshot(api.db, metrics)
    // Without an order, the second one is stored meanwhile.
    await new Promise((resolve) => setTimeout(resolve, 100))
    read(['soundline_test_total 1'])
    await Promise.all([first, second])
    const families = (await readSnapshots(api.db)).flat().filter(({ name }) => name === 'soundline_test_total')
    expect(families.map(({ samples }) => samples)).toEqual([['soundline_test_total 2']])
    await removeSnapshot(api.db, metrics)
  })

  test('are written in pieces between which other work runs, and are what the client library writes', async () => {
    const registry = new Registry()
    const registers = [registry]
    const histogram = new Histogram({ name: 'a_seconds', help: 'A', labelNames: ['operation'], registers })
    for (let n = 0; n < 1_000; n++) histogram.observe({ operation: `operation "${n}"` }, n)
    new Counter({ name: 'b_total', help: 'B', registers }).inc(3)
    let turns = 0
    const count = () => {
      turns++
      turning = setImmediate(count)
    }
    let turning = setImmediate(count)
    const families = await readFamilies(registry, { process: 'web' })
    const read = turns
    const pieces = await piecesOf(mergeFamilies([families, families]))
    clearImmediate(turning)
    // 14 lines of each operation.
    expect([read, turns - read]).toEqual([expect.toSatisfy((n) => n >= 28), expect.toSatisfy((n) => n >= 5)])
    expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(400_000)
    expect(Buffer.concat(await piecesOf(families)).toString()).toBe((await registry.metrics()).replaceAll('\n\n', '\n'))
  })

  test('OpenMetrics for a scraper that asks for it', async () => {
    const answer = await scrape({ Accept: 'application/openmetrics-text;version=1.0.0,text/plain;q=0.5' })
    expect(answer.headers.get('content-type')).toContain('application/openmetrics-text')
    const text = await answer.text()
    expect(text.endsWith('# EOF\n')).toBe(true)
    expect(text).toContain('# TYPE soundline_http_requests counter\nsoundline_http_requests_total{')
  })

  test('the values of the process alone while the database does not respond', async () => {
    const db = openDatabase(`postgres://nobody@127.0.0.1:${await freePort()}/none`, { max: 1, name: 'soundline-test' })
    const request = new Request('http://localhost/api/metrics', { headers: { Authorization: `Bearer ${TOKEN}` } })
    const answer = await createMetrics({ ...api.runtime, db }, own)(request, { address: '127.0.0.1' })
    const text = await answer.text()
    expect(text).toContain(`process_id="${own.id}"`)
    expect(text).not.toContain('soundline_database_size_bytes')
    await closeDatabase(db)
  })
})

describe('readiness', () => {
  test('200 while the database responds and has the schema', async () => {
    const answer = await fetch(`${url}/api/ready`)
    expect([answer.status, await answer.json()]).toEqual([200, { ready: true }])
  })

  test('503 with the reason without the database, and while the process stops', async () => {
    const db = openDatabase(`postgres://nobody@127.0.0.1:${await freePort()}/none`, { max: 1, name: 'soundline-test' })
    const readiness = createReadiness(createDatabaseCheck(db))
    const ask = () => readiness.serve(new Request('http://localhost/api/ready'))
    const away = await ask()
    expect([away.status, await away.json()]).toEqual([503, { ready: false, reason: 'database' }])
    expect(away.headers.get('retry-after')).toBe('2')
    readiness.stop()
    expect(await (await ask()).json()).toEqual({ ready: false, reason: 'stopping' })
    await closeDatabase(db)
  })

  test('a worker serves its health, its readiness and its own metrics', async () => {
    const readiness = createReadiness(async () => null)
    const server = createWorkerHealth({ readiness, own, settings: api.runtime.settings })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    expect(await (await fetch(`${base}/health`)).json()).toEqual({ ok: true })
    expect((await fetch(`${base}/ready`)).status).toBe(200)
    expect((await fetch(`${base}/metrics`)).status).toBe(401)
    const metrics = await fetch(`${base}/metrics`, { headers: { Authorization: `Bearer ${TOKEN}` } })
    expect(await metrics.text()).toContain('soundline_event_loop_utilization_ratio')
    expect((await fetch(`${base}/other`)).status).toBe(404)
    expect((await fetch(`${base}/health`, { method: 'DELETE' })).status).toBe(405)
    readiness.stop()
    expect((await fetch(`${base}/ready`)).status).toBe(503)
    expect((await fetch(`${base}/health`)).status).toBe(200)
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
})
