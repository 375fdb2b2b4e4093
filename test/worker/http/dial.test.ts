import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { parseNetworks } from '#server/scripts/target-addresses.ts'
import { testFolder } from '#test/support/folder.ts'
import { type Canaries, startCanaries } from '#test/support/targets/canary.ts'
import { writeMachineFiles } from '#test/support/targets/machine-files.ts'
import { type NameServer, startNameServer } from '#test/support/targets/name-server.ts'
import { get, outcomeOf } from '#test/support/targets/requests.ts'
import { startSilent } from '#test/support/targets/silent.ts'
import { createTransport } from '#worker/http/client.ts'
import { createResolver, type Resolver } from '#worker/http/resolve.ts'

// Races between the addresses of a name that a real name server gives, in part late.
const OPEN = '127.0.0.1'
const PRIVATE = '127.0.0.2'

const folder = testFolder()
let canaries: Canaries
let names: NameServer
let resolver: Resolver

beforeAll(async () => {
  // Nothing listens on ::1 at this port.
  canaries = await startCanaries([OPEN, PRIVATE])
  names = await startNameServer()
  const files = await writeMachineFiles(folder, `nameserver ${names.address}\noptions timeout:30`)
  resolver = createResolver(files)
})
afterAll(async () => {
  await Promise.all([canaries.close(), names.close()])
})

function probe(name: string, timeoutMs = 20_000) {
  const transport = createTransport({ allowedNetworks: parseNetworks([OPEN, '::1']), resolver })
  return outcomeOf(transport(get(`http://${name}:${canaries.port}/`, { timeoutMs })))
}

const testContext = new AsyncLocalStorage<object>()
let dialled: Socket[]
let onDial: () => void

/** Collects the client sockets of this test. `onDial` is called for each. */
beforeEach(() => {
  dialled = []
  onDial = () => {}
})
function watchDials(): void {
  const context = {}
  testContext.enterWith(context)
  const collect = (message: unknown) => {
    if (testContext.getStore() !== context) return
    dialled.push((message as { socket: Socket }).socket)
    onDial()
  }
  subscribe('net.client.socket', collect)
  onTestFinished(() => void unsubscribe('net.client.socket', collect))
}

/** Returns a zone that has ::1, and gives IPv4 addresses only after the first dial. */
function lateV4(addresses: string[]) {
  watchDials()
  const after = new Promise<void>((resolve) => {
    onDial = resolve
  })
  return (type: string) => (type === 'A' ? { addresses, after } : { addresses: ['::1'] })
}

test('an address that comes late is tried when the others cannot be reached', async () => {
  names.set('late.example.com', lateV4([OPEN]))
  expect(await probe('late.example.com')).toMatchObject({
    status: 200,
    dns: { resolvedIps: ['::1', OPEN], resolvedIp: OPEN },
  })
})

test('late addresses are not dialled when one of them is blocked', async () => {
  names.set('late-private.example.com', lateV4([OPEN, PRIVATE]))
  const before = canaries.hits()
  const outcome = await probe('late-private.example.com')
  expect(outcome).toMatchObject({ failure: 'connection', message: /^late-private\.example\.com:\d+ (refused|cannot)/ })
  expect([dialled.length, canaries.hits() - before]).toEqual([1, 0])
})

test('a target that refuses is no timeout when further addresses never come', async () => {
  names.set('down.example.com', (type) => (type === 'A' ? { silent: true } : { addresses: ['::1'] }))
  expect(await probe('down.example.com', 500)).toMatchObject({
    failure: 'connection',
    message: /^down\.example\.com:\d+ (refused the connection|cannot be reached)$/,
  })
})

test('the families race: a silent IPv6 address does not delay IPv4 for long, and the loser is closed', async () => {
  const interfaces = Object.values(networkInterfaces()).flat()
  if (interfaces.some((one) => one?.address === '::1')) {
    const silent = await startSilent('::1', canaries.port)
    onTestFinished(silent.close)
  }
  names.set('race.example.com', (type) => ({ addresses: [type === 'A' ? OPEN : '::1'] }))
  watchDials()
  expect(await probe('race.example.com')).toMatchObject({
    status: 200,
    dns: { resolvedIps: ['::1', OPEN], resolvedIp: OPEN },
  })
  expect(dialled.map(({ destroyed }) => destroyed)).toEqual([true, true])
})

test('the error is that of an address to which the machine has a route', async () => {
  // The system refuses TCP connections to broadcast and multicast addresses as if it had no route.
  const free = await startCanaries([PRIVATE])
  onTestFinished(free.close)
  const transport = createTransport({
    allowedNetworks: parseNetworks([OPEN, '255.255.255.255', '224.0.0.1']),
    resolver: async () => ['255.255.255.255', OPEN, '224.0.0.1'],
  })
  expect(await outcomeOf(transport(get(`http://refuses.example.com:${free.port}/`)))).toMatchObject({
    message: `refuses.example.com:${free.port} refused the connection`,
  })
})
