import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Transport, TransportError } from '#server/language/lace/transport.ts'
import { parseNetworks } from '#server/scripts/target-addresses.ts'
import { testFolder } from '#test/support/folder.ts'
import { PUBLIC_NEIGHBOURS, V4, V6 } from '#test/support/targets/addresses.ts'
import { type Canaries, countDials, startCanaries } from '#test/support/targets/canary.ts'
import { writeMachineFiles } from '#test/support/targets/machine-files.ts'
import { type NameServer, type Reply, startNameServer, type Zone } from '#test/support/targets/name-server.ts'
import { get, outcomeOf } from '#test/support/targets/requests.ts'
import { createTransport } from '#worker/http/client.ts'
import { createResolver, type Resolver } from '#worker/http/resolve.ts'

// The only allowed address. It stands for the public network, so that no test connects to the internet.
const OPEN = '127.0.0.1'
const BLOCKED_V4 = V4.filter((ip) => ip !== OPEN)
const PUBLIC_V4 = PUBLIC_NEIGHBOURS.filter((ip) => !ip.includes(':'))

const folder = testFolder()
const hostsFolder = testFolder()

let canaries: Canaries
let names: NameServer
let resolver: Resolver
let transport: Transport

beforeAll(async () => {
  canaries = await startCanaries()
  names = await startNameServer()
  resolver = createResolver(await writeMachineFiles(folder, `nameserver ${names.address}`))
  transport = createTransport({ allowedNetworks: parseNetworks([OPEN]), resolver })
})
afterAll(async () => {
  await canaries.close()
  await names.close()
})

const call = (name: string) => outcomeOf(transport(get(`http://${name}:${canaries.port}/`)))
const secretsReached = () => canaries.hits() - canaries.hits(OPEN)

/** DNS answers that contain a private address, in many combinations. */
function privateAnswers(): [description: string, zone: (type: 'A' | 'AAAA') => Reply][] {
  const v4 =
    (addresses: string[], rest: Reply = {}) =>
    (type: string) =>
      type === 'A' ? { ...rest, addresses } : {}
  const v6 =
    (addresses: string[], rest: Reply = {}) =>
    (type: string) =>
      type === 'AAAA' ? { ...rest, addresses } : {}
  const both = (a: string[], aaaa: string[]) => (type: string) => ({ addresses: type === 'A' ? a : aaaa })
  return [
    ...BLOCKED_V4.map((ip) => [`A ${ip}`, v4([ip])] as const),
    ...V6.map((ip) => [`AAAA ${ip}`, v6([ip])] as const),
    ...BLOCKED_V4.slice(0, 10).map((ip) => [`A open, then ${ip}`, v4([OPEN, ip])] as const),
    ...BLOCKED_V4.slice(10, 20).map((ip) => [`A ${ip}, then open`, v4([ip, OPEN])] as const),
    ...V6.slice(0, 12).map((ip) => [`A open, AAAA ${ip}`, both([OPEN], [ip])] as const),
    ...BLOCKED_V4.slice(0, 6).map((ip) => [`A ${ip}, AAAA public`, both([ip], ['2606:4700::1'])] as const),
    ...BLOCKED_V4.slice(0, 8).map((ip) => [`CNAME to ${ip}`, v4([ip], { alias: 'edge.example.net' })] as const),
    ...V6.slice(0, 8).map((ip) => [`CNAME to ${ip}`, v6([ip], { alias: 'edge.example.net' })] as const),
    ...[0, 1, 4, 8].map((at) => {
      const list = PUBLIC_V4.slice(0, 8)
      list.splice(at, 0, '169.254.169.254')
      return [`A private as number ${at + 1} of 9`, v4(list)] as const
    }),
  ].map(([description, zone]) => [description, zone])
}

test('a name is blocked when any of its addresses is private, and nothing is dialled', async () => {
  const answers = privateAnswers()
  expect(answers.length).toBeGreaterThanOrEqual(110)
  const counter = countDials()
  const notBlocked: string[] = []
  for (const [index, [description, zone]] of answers.entries()) {
    const name = `vector-${index}.example.com`
    names.set(name, zone)
    const outcome = await call(name)
    if (!(outcome instanceof TransportError) || outcome.failure !== 'blocked') notBlocked.push(description)
    expect(names.queryCounts(name)).toEqual({ A: 1, AAAA: 1 })
  }
  counter.stop()
  expect({ notBlocked, dials: counter.dials(), secrets: secretsReached() }).toEqual({
    notBlocked: [],
    dials: 0,
    secrets: 0,
  })
})

test('a name that becomes private after k DNS answers is reached k times and never again', {
  timeout: 240_000,
}, async () => {
  const problems: string[] = []
  const changingZones: ((k: number) => Zone)[] = [
    ...BLOCKED_V4.slice(0, 10).map(
      (ip) =>
        (k: number): Zone =>
        (type, times) =>
          type === 'A' ? { addresses: [times <= k ? OPEN : ip] } : {},
    ),
    ...['::1', '::ffff:7f00:1', '64:ff9b::7f00:1', 'fd00:ec2::254', 'fe80::1'].map(
      (ip) =>
        (k: number): Zone =>
        (type, times) => ({ addresses: type === 'A' ? [OPEN] : times <= k ? [] : [ip] }),
    ),
    ...['127.0.0.2', '10.0.0.1', '169.254.169.254', '0.0.0.0', '192.168.0.1'].map(
      (ip) =>
        (k: number): Zone =>
        (type, times) =>
          type === 'A' ? { alias: 'edge.example.net', addresses: times <= k ? [OPEN] : [OPEN, ip] } : {},
    ),
  ]
  const counter = countDials()
  const openBefore = canaries.hits(OPEN)
  let runs = 0
  let allowed = 0
  for (const k of [1, 2, 5]) {
    for (const [index, changingZone] of changingZones.entries()) {
      const name = `turn-${k}-${index}.example.com`
      names.set(name, changingZone(k))
      for (let nth = 1; nth <= k + 2; nth += 1) {
        const outcome = await call(name)
        const blocked = outcome instanceof TransportError && outcome.failure === 'blocked'
        if (blocked !== nth > k) problems.push(`${name}, call ${nth}: ${blocked ? 'blocked' : 'not blocked'}`)
        if (!blocked) allowed += 1
      }
      // One query of each type per request: the checked addresses are the dialled ones.
      expect(names.queryCounts(name)).toEqual({ A: k + 2, AAAA: k + 2 })
      runs += 1
    }
  }
  counter.stop()
  expect(runs).toBe(60)
  expect(problems).toEqual([])
  expect([counter.dials(), canaries.hits(OPEN) - openBefore, secretsReached()]).toEqual([allowed, allowed, 0])
})

test('a name without an address has its own message', async () => {
  const replies: Record<string, Reply> = {
    'gone.example.com': { error: 'NXDOMAIN' },
    'empty.example.com': {},
    'dangling.example.com': { alias: 'nowhere.example.net' },
  }
  for (const [name, reply] of Object.entries(replies)) {
    names.set(name, () => reply)
    expect(await call(name)).toMatchObject({ failure: 'connection', message: `the host name ${name} was not found` })
  }
  names.set('broken.example.com', () => ({ error: 'SERVFAIL' }))
  expect(await call('broken.example.com')).toMatchObject({
    failure: 'connection',
    message: 'the name servers did not resolve broken.example.com: they reported a failure (SERVFAIL)',
  })
})

test('a resolver that returns no address, or an invalid one, opens no connection', async () => {
  const counter = countDials()
  for (const answer of [[], [''], ['example.net'], ['127.0.0.1', ''], ['127.0.0.1 '], ['2130706433'], ['::1%lo']]) {
    const invalid = createTransport({ allowedNetworks: parseNetworks([OPEN]), resolver: async () => answer })
    const failure = answer.length === 0 ? 'connection' : 'blocked'
    expect(await outcomeOf(invalid(get(`http://odd.example.com:${canaries.port}/`)))).toMatchObject({ failure })
  }
  counter.stop()
  expect(counter.dials()).toBe(0)
})

test('an internal name is allowed only when its addresses are in an allowed network; public addresses are not', async () => {
  const inside = createTransport({ allowedNetworks: parseNetworks([OPEN, '10.0.0.0/8']), resolver })
  const reach = (name: string) => outcomeOf(inside(get(`http://${name}:${canaries.port}/`)))
  names.set('db', (type) => (type === 'A' ? { addresses: [OPEN] } : {}))
  expect(await reach('db')).toMatchObject({ status: 200 })
  for (const [index, ip] of ['8.8.8.8', '169.254.169.254', '192.168.0.1'].entries()) {
    const name = `metadata${index}.google.internal`
    names.set(name, (type) => (type === 'A' ? { addresses: [ip] } : {}))
    expect(await reach(name)).toMatchObject({ failure: 'blocked' })
  }
})

test('localhost is resolved without a name server', async () => {
  expect(await call('localhost')).toMatchObject({ status: 200, dns: { resolvedIps: [OPEN] } })
  expect(await call('api.localhost')).toMatchObject({ status: 200 })
  expect(names.queryCounts('localhost')).toEqual({ A: 0, AAAA: 0 })
  expect(names.queryCounts('api.localhost')).toEqual({ A: 0, AAAA: 0 })
})

test('the hosts file is read before name servers are queried, and its addresses are checked too', async () => {
  const files = await writeMachineFiles(
    hostsFolder,
    `nameserver ${names.address}`,
    `# comment\n${OPEN}\tlisted.example.com Second.example.com # ${OPEN} third.example.com\n::1 bad.example.com\n`,
  )
  const listed = createTransport({
    allowedNetworks: parseNetworks([OPEN]),
    resolver: createResolver(files),
  })
  const reach = (name: string) => outcomeOf(listed(get(`http://${name}:${canaries.port}/`)))
  expect(await reach('listed.example.com')).toMatchObject({ status: 200, dns: { resolvedIps: [OPEN] } })
  expect(await reach('SECOND.example.com')).toMatchObject({ status: 200 })
  expect(await reach('third.example.com')).toMatchObject({ failure: 'connection' })
  expect(await reach('bad.example.com')).toMatchObject({ failure: 'blocked' })
  expect(names.queryCounts('listed.example.com')).toEqual({ A: 0, AAAA: 0 })
  expect(names.queryCounts('third.example.com')).toEqual({ A: 1, AAAA: 1 })
})
