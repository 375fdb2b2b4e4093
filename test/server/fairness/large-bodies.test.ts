import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLargeBodyPermits, LARGE_BODY_BYTES, maxLargeBodies } from '#server/fairness/large-bodies.ts'
import { parseNetworks } from '#server/scripts/target-addresses.ts'
import { until } from '#test/support/runs/worker-processes.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'
import { get } from '#test/support/targets/requests.ts'
import { createTransport } from '#worker/http/client.ts'

const MIB = 1024 * 1024
const BODY = Buffer.alloc(8 * MIB, 'x')
const transport = createTransport({ allowedNetworks: parseNetworks(['127.0.0.1']) })
let target: HttpTarget
/** The unsent bytes of each requested large body. */
const unsent = new Set<{ bytes: number }>()

beforeAll(async () => {
  target = await startHttpTarget((request, response) => {
    if (request.url === '/small') return response.end('small')
    if (request.url === '/coded') return response.setHeader('content-encoding', 'gzip').end(gzipSync(BODY))
    const one = { bytes: BODY.length }
    unsent.add(one)
    response.on('close', () => unsent.delete(one))
    const send = () => {
      while (one.bytes > 0) {
        one.bytes -= 64 * 1024
        if (!response.write(BODY.subarray(0, 64 * 1024))) return response.once('drain', send)
      }
      response.end()
    }
    send()
  })
})
afterAll(() => target.close())

const url = (path: string) => `http://127.0.0.1:${target.port}${path}`

test('the rest of a large body is read only with a permit, and small bodies need no permit', async () => {
  const createPermit = createLargeBodyPermits(4)
  const runs = Array.from({ length: 6 }, (_, i) => createPermit({ organizationId: String(i) }))
  const done: number[] = []
  const calls = runs.map(async (permit, i) => {
    const response = await transport({ ...get(url('/large')), reserveBody: permit.reserve })
    done.push(i)
    return response
  })
  await until('four bodies to be read', async () => done.length === 4)
  expect(
    (await transport({ ...get(url('/small')), reserveBody: () => Promise.reject(new Error('asked')) })).status,
  ).toBe(200)
  expect(done).toHaveLength(4)
  // The other bodies wait at the sender.
  expect([...unsent].filter(({ bytes }) => bytes > 0)).toHaveLength(2)
  for (const i of done) runs[i]?.release()
  expect((await Promise.all(calls)).map((response) => response.sizeBytes)).toEqual(Array(6).fill(BODY.length))
})

test('a compressed body has its permit before it is decoded', async () => {
  const reservations: boolean[] = []
  const reserveBody = async () => void reservations.push(true)
  expect((await transport({ ...get(url('/coded')), reserveBody })).sizeBytes).toBe(BODY.length)
  expect(reservations).toEqual([true])
})

test('a request that is aborted while it waits for a permit leaves the queue', async () => {
  const rooms = createLargeBodyPermits(1)
  const [first, second, third] = ['a', 'b', 'c'].map((organizationId) => rooms({ organizationId }))
  await first!.reserve(new AbortController().signal)
  await expect(transport({ ...get(url('/large')), timeoutMs: 200, reserveBody: second!.reserve })).rejects.toThrow(
    'no complete response within 200 ms (reading the body)',
  )
  first!.release()
  await third!.reserve(new AbortController().signal)
})

test('a run that ends while it waits for a permit holds no permit afterwards', async () => {
  const rooms = createLargeBodyPermits(1)
  const [first, second, third] = ['a', 'b', 'c'].map((organizationId) => rooms({ organizationId }))
  const { signal } = new AbortController()
  await first!.reserve(signal)
  const waiting = second!.reserve(signal)
  second!.release()
  await expect(waiting).rejects.toThrow()
  const atOnce = third!.reserve(signal)
  first!.release()
  third!.release()
  await atOnce
  await rooms({ organizationId: 'd' }).reserve(signal)
})

test('there are permits for a quarter of the memory, and at least four', () => {
  expect([maxLargeBodies(8 * 1024 * MIB), maxLargeBodies(64 * MIB)]).toEqual([51, 4])
  expect(LARGE_BODY_BYTES).toBeLessThan(BODY.length)
})
