import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDashboard } from '#server/fronts/session/session-front.ts'
import type { FrontOptions } from '#server/http/front.ts'
import { createFront } from '#server/http/front.ts'
import { testDashboard, type Visitor } from '#test/support/browser/dashboard.ts'
import { readLive } from '#test/support/browser/live-page.ts'
import { until } from '#test/support/runs/worker-processes.ts'

// Live updates over a socket, as browsers get them.

const t = testDashboard({ RATE_LIMIT_ENABLED: 'false' })

const unused: FrontOptions['document'] = async () => new Response(null, { status: 404 })
let server: Server
let port: number
let owner: Visitor
beforeAll(async () => {
  owner = await t.signIn((await t.create.organization()).owner)
  const dashboard = createDashboard(t.runtime)
  server = createFront({ runtime: t.runtime, api: unused, document: unused, health: unused, dashboard })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => t.runtime.live.close())

const PATH = `/api/trpc/live.changes?input=${encodeURIComponent('{"ageMs":0}')}`

const ask = () => fetch(`http://127.0.0.1:${port}${PATH}`, { headers: { cookie: owner.cookie ?? '' } })

test('a change arrives while the response is open, uncompressed', async () => {
  const response = await ask()
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
    'transfer-encoding': 'chunked',
  })
  expect(response.headers.get('content-encoding')).toBe(null)
  const page = readLive(response)
  await page.until(() => page.messages.some(({ isLive }) => isLive))
  await owner.post('workspaces.create', { name: 'Shop' })
  await page.until(() => page.topics.includes('write.workspace'))
  await page.close()
  await until('the end of the stream', async () => t.runtime.live.size === 0)
})

test('a browser that vanishes without a word leaves nothing behind', async () => {
  const socket = connect(port, '127.0.0.1')
  socket.write(`GET ${PATH} HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: ${owner.cookie}\r\n\r\n`)
  await until('a stream', async () => t.runtime.live.size === 1)
  socket.resetAndDestroy()
  await until('the end of the stream', async () => t.runtime.live.size === 0)
})

test('a process that stops ends the streams, so that its last request is over at once', async () => {
  const page = readLive(await ask())
  await page.until(() => page.messages.length > 0)
  const closed = new Promise((resolve) => server.close(resolve))
  await t.runtime.live.close()
  await page.until(() => page.isOver)
  // As web.ts does while it waits for running requests; none of them is cut off.
  const idle = setInterval(() => server.closeIdleConnections(), 20)
  await closed
  clearInterval(idle)
  expect(page.code).toBe(undefined)
})
