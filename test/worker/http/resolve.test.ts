import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkTarget, parseNetworks } from '#server/scripts/target-addresses.ts'
import { testFolder } from '#test/support/folder.ts'
import { type Canaries, startCanaries } from '#test/support/targets/canary.ts'
import { writeMachineFiles } from '#test/support/targets/machine-files.ts'
import { type NameServer, type Reply, startNameServer } from '#test/support/targets/name-server.ts'
import { get, outcomeOf } from '#test/support/targets/requests.ts'
import { createTransport } from '#worker/http/client.ts'
import { createResolver, type Resolver } from '#worker/http/resolve.ts'

// Real name servers on loopback that fail, stay silent or change. A timeout of 30 s is longer than a test may last, so a
// lookup that waits for a silent server fails its test.
const PATIENT = 'options timeout:30'
const OPEN = '127.0.0.1'
const V4_ONLY = (type: string): Reply => (type === 'A' ? { addresses: [OPEN] } : {})

const root = testFolder()
const servers: NameServer[] = []
let canaries: Canaries

beforeAll(async () => {
  canaries = await startCanaries([OPEN])
})
afterAll(async () => {
  await Promise.all([canaries, ...servers].map((server) => server.close()))
})

async function nameServer(zones: Record<string, (type: 'A' | 'AAAA', times: number) => Reply> = {}) {
  const server = await startNameServer()
  servers.push(server)
  for (const [name, zone] of Object.entries(zones)) server.set(name, zone)
  return server
}

/** Returns the resolver of a machine with these files, and a function that replaces the files. */
async function machine(resolvConf: string, hosts?: string) {
  const folder = mkdtempSync(join(root, 'machine-'))
  const resolver = createResolver(await writeMachineFiles(folder, resolvConf, hosts))
  return { resolver, replace: (conf: string, names?: string) => writeMachineFiles(folder, conf, names) }
}

function probe(resolver: Resolver, url: string, { allowed = [OPEN], timeoutMs = 20_000 } = {}) {
  const transport = createTransport({ allowedNetworks: parseNetworks(allowed), resolver })
  return outcomeOf(transport(get(url, { timeoutMs })))
}

/** Resolves a name without search domains. Late addresses are dropped. */
async function resolve(resolver: Resolver, name: string, controller = new AbortController()): Promise<string[]> {
  try {
    return await resolver(name, { search: false, signal: controller.signal, onLate: () => {} })
  } finally {
    controller.abort()
  }
}

describe('search domains', () => {
  const conf = (server: NameServer) =>
    `nameserver ${server.address}\nsearch shop.svc.cluster.test svc.cluster.test\noptions ndots:5 ${PATIENT.slice(8)}`
  const zones = { 'cart.shop.svc.cluster.test': V4_ONLY, 'pay.bank.svc.cluster.test': V4_ONLY, cart: V4_ONLY }
  const allowed = [OPEN, '10.0.0.0/8']

  test('complete short names in their order, before the name itself when it has fewer dots than ndots', async () => {
    const server = await nameServer({ ...zones, 'status.example.com': V4_ONLY })
    const { resolver } = await machine(conf(server))
    for (const name of ['cart', 'pay.bank', 'status.example.com']) {
      const url = `http://${name}:${canaries.port}/`
      expect(checkTarget(url, parseNetworks(allowed)).verdict).not.toBe('blocked')
      const outcome = await probe(resolver, url, { allowed })
      expect(outcome).toMatchObject({ status: 200, dns: { resolvedIps: [OPEN] } })
    }
    expect(server.queriedNames()).toEqual([
      'cart.shop.svc.cluster.test',
      'pay.bank.shop.svc.cluster.test',
      'pay.bank.svc.cluster.test',
      'status.example.com.shop.svc.cluster.test',
      'status.example.com.svc.cluster.test',
      'status.example.com',
    ])
  })

  test('follow the name itself when it has enough dots, and never a name with a trailing dot', async () => {
    const server = await nameServer({ 'pay.bank.svc.cluster.test': V4_ONLY })
    const { resolver } = await machine(`nameserver ${server.address}\nsearch svc.cluster.test`)
    expect(await probe(resolver, `http://pay.bank:${canaries.port}/`, { allowed })).toMatchObject({ status: 200 })
    const absolute = await probe(resolver, `http://pay.bank.:${canaries.port}/`, { allowed })
    expect(absolute).toMatchObject({ message: 'the host name pay.bank was not found' })
    expect(server.queriedNames()).toEqual(['pay.bank', 'pay.bank.svc.cluster.test', 'pay.bank'])
  })

  test('do not apply unless a private network is allowed, so scripts cannot find out which names exist', async () => {
    const server = await nameServer(zones)
    const { resolver } = await machine(conf(server))
    expect(await probe(resolver, `http://cart:${canaries.port}/`)).toMatchObject({ failure: 'blocked' })
    expect(await probe(resolver, `http://pay.bank:${canaries.port}/`)).toMatchObject({
      message: 'the host name pay.bank was not found',
    })
    expect(server.queriedNames()).toEqual(['pay.bank'])
  })

  test('lead to allowed addresses only', async () => {
    const server = await nameServer({
      'meta.svc.cluster.test': (type) => (type === 'A' ? { addresses: ['169.254.169.254'] } : {}),
      'a.meta.svc.cluster.test': (type) => (type === 'A' ? { alias: 'b.test', addresses: [OPEN, '192.168.0.1'] } : {}),
    })
    const { resolver } = await machine(`nameserver ${server.address}\nsearch svc.cluster.test`)
    for (const name of ['meta', 'a.meta']) {
      expect(await probe(resolver, `http://${name}:${canaries.port}/`, { allowed })).toMatchObject({
        failure: 'blocked',
      })
    }
  })

  test('are all tried when the server of one fails', async () => {
    const server = await nameServer({
      'cart.shop.svc.cluster.test': () => ({ error: 'SERVFAIL' }),
      'cart.svc.cluster.test': V4_ONLY,
    })
    const { resolver } = await machine(conf(server))
    expect(await probe(resolver, `http://cart:${canaries.port}/`, { allowed })).toMatchObject({ status: 200 })
  })
})

test('changes of resolv.conf and of the hosts file apply to the next lookup', async () => {
  const before = await nameServer()
  const after = await nameServer({ 'moved.example.com': V4_ONLY })
  const { resolver, replace } = await machine(`nameserver ${before.address}`)
  const outcome = (name: string) => probe(resolver, `http://${name}:${canaries.port}/`)
  expect(await outcome('moved.example.com')).toMatchObject({ message: 'the host name moved.example.com was not found' })
  await replace(`nameserver ${after.address}`)
  expect(await outcome('moved.example.com')).toMatchObject({ status: 200 })
  expect(before.queriedNames()).toEqual(['moved.example.com'])

  expect(await outcome('listed.example.com')).toMatchObject({ failure: 'connection' })
  await replace(`nameserver ${after.address}`, `${OPEN} listed.example.com`)
  expect(await outcome('listed.example.com')).toMatchObject({ status: 200 })
})

describe('a record type', () => {
  const V6 = '2606:4700::1'
  const dual = (v4: Reply, v6: Reply) => (type: string) => (type === 'A' ? v4 : v6)

  test('that is silent costs the resolution delay, which counts as DNS time', async () => {
    const server = await nameServer({ 'quiet.example.com': dual({ addresses: [OPEN] }, { silent: true }) })
    const { resolver } = await machine(`nameserver ${server.address}\n${PATIENT}`)
    const outcome = await probe(resolver, `http://quiet.example.com:${canaries.port}/`)
    expect(outcome).toMatchObject({ status: 200, dns: { resolvedIps: [OPEN] } })
    // A timer of 50 ms may end a fraction of a millisecond early.
    expect('timings' in outcome && outcome.timings.dnsMs).toBeGreaterThanOrEqual(49)
  })

  test.each([
    ['AAAA is silent', { addresses: [OPEN] }, { silent: true }, [OPEN]],
    ['A is silent', { silent: true }, { addresses: [V6] }, [V6]],
    ['AAAA fails', { addresses: [OPEN] }, { error: 'SERVFAIL' }, [OPEN]],
    ['A fails', { error: 'SERVFAIL' }, { addresses: [V6] }, [V6]],
    ['AAAA is refused', { addresses: [OPEN] }, { error: 'REFUSED' }, [OPEN]],
    ['AAAA denies the name', { addresses: [OPEN], after: Promise.resolve() }, { error: 'NXDOMAIN' }, [OPEN]],
    ['A denies the name, and AAAA is silent', { error: 'NXDOMAIN' }, { silent: true }, []],
  ] as [string, Reply, Reply, string[]][])('does not hide the other: %s', async (_case, v4, v6, addresses) => {
    const server = await nameServer({ 'half.example.com': dual(v4, v6) })
    const { resolver } = await machine(`nameserver ${server.address}\n${PATIENT}`)
    expect(await resolve(resolver, 'half.example.com')).toEqual(addresses)
  })

  test('alternates with the other, IPv6 first', async () => {
    const server = await nameServer({
      'both.example.com': dual(
        { addresses: ['8.8.8.8', '8.8.4.4'] },
        { addresses: [V6, '2606:4700::2', '2606:4700::3'] },
      ),
    })
    const { resolver } = await machine(`nameserver ${server.address}\n${PATIENT}`)
    const addresses = await resolve(resolver, 'both.example.com')
    expect(addresses.map((ip) => ip.includes(':'))).toEqual([true, false, true, false, true])
    expect(new Set(addresses).size).toBe(5)
  })
})

describe('name servers', () => {
  test.each(['SERVFAIL', 'REFUSED'] as const)('with %s are followed by the next one', async (error) => {
    const [first, second] = [
      await nameServer({ 'a.example.com': () => ({ error }) }),
      await nameServer({ 'a.example.com': V4_ONLY }),
    ]
    const { resolver } = await machine(`nameserver ${first.address}\nnameserver ${second.address}\n${PATIENT}`)
    expect(await resolve(resolver, 'a.example.com')).toEqual([OPEN])
    expect(first.queryCounts('a.example.com')).toEqual({ A: 1, AAAA: 1 })
  })

  test('that are silent are followed by the next one after the timeout', async () => {
    const [first, second] = [
      await nameServer({ 'a.example.com': () => ({ silent: true }) }),
      await nameServer({ 'a.example.com': V4_ONLY }),
    ]
    const { resolver } = await machine(`nameserver ${first.address}\nnameserver ${second.address}\noptions timeout:1`)
    expect(await resolve(resolver, 'a.example.com')).toEqual([OPEN])
  })

  test('that cannot be used are followed by the next one', async () => {
    const server = await nameServer({ 'a.example.com': V4_ONLY })
    const { resolver } = await machine(`nameserver 127.0.0.1:99999\nnameserver ${server.address}\n${PATIENT}`)
    expect(await resolve(resolver, 'a.example.com')).toEqual([OPEN])
  })

  test('that deny a name are not followed by the next one', async () => {
    const [first, second] = [await nameServer(), await nameServer({ 'a.example.com': V4_ONLY })]
    const { resolver } = await machine(`nameserver ${first.address}\nnameserver ${second.address}`)
    expect(await resolve(resolver, 'a.example.com')).toEqual([])
  })

  test('that were fast may be slow for another name', async () => {
    const server = await nameServer({
      'slow.example.com': (type) => ({ ...V4_ONLY(type), after: new Promise((wake) => setTimeout(wake, 1_500)) }),
    })
    const { resolver } = await machine(`nameserver ${server.address}\n${PATIENT}`)
    for (let nth = 0; nth < 20; nth += 1) {
      server.set(`fast-${nth}.example.com`, V4_ONLY)
      expect(await resolve(resolver, `fast-${nth}.example.com`)).toEqual([OPEN])
    }
    expect(await resolve(resolver, 'slow.example.com')).toEqual([OPEN])
  })

  test('that are silent for many names do not delay other names, and the end of a lookup ends its queries', async () => {
    const server = await nameServer({ 'good.example.com': V4_ONLY })
    const { resolver } = await machine(`nameserver ${server.address}\n${PATIENT}`)
    const lookups = Array.from({ length: 100 }, (_, nth) => {
      const controller = new AbortController()
      server.set(`silent-${nth}.example.com`, () => ({ silent: true }))
      return {
        controller,
        outcome: resolve(resolver, `silent-${nth}.example.com`, controller).catch(({ code }) => code),
      }
    })
    expect(await resolve(resolver, 'good.example.com')).toEqual([OPEN])
    for (const { controller } of lookups) controller.abort()
    expect(new Set(await Promise.all(lookups.map(({ outcome }) => outcome)))).toEqual(new Set(['ECANCELLED']))
  })

  test('that do not resolve a name are an error that says how they failed', async () => {
    const server = await nameServer({
      'failing.example.com': () => ({ error: 'SERVFAIL' }),
      'refused.example.com': () => ({ error: 'REFUSED' }),
      'silent.example.com': () => ({ silent: true }),
    })
    const { resolver, replace } = await machine(`nameserver ${server.address}\noptions timeout:1 attempts:1`)
    const messageOf = async (name: string) => String(await probe(resolver, `http://${name}/`))
    expect(await messageOf('failing.example.com')).toContain('they reported a failure (SERVFAIL)')
    expect(await messageOf('refused.example.com')).toContain('they refused the query (REFUSED)')
    expect(await messageOf('silent.example.com')).toContain('did not resolve silent.example.com: they did not respond')
    const gone = await startNameServer()
    await gone.close()
    await replace(`nameserver ${gone.address}`)
    expect(await messageOf('a.example.com')).toContain('they cannot be reached')
  })
})
