import os from 'node:os'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  checkAddress,
  checkHost,
  checkTarget,
  isResolutionAllowed,
  parseNetworks,
} from '#server/scripts/target-addresses.ts'
import { PUBLIC_NEIGHBOURS, V4, V6 } from '#test/support/targets/addresses.ts'
import { type Canaries, countDials, startCanaries } from '#test/support/targets/canary.ts'
import { blockedPayloads } from '#test/support/targets/payloads.ts'
import { get, outcomeOf } from '#test/support/targets/requests.ts'
import { createTransport } from '#worker/http/client.ts'
import { Deadline } from '#worker/http/deadline.ts'
import { dial } from '#worker/http/dial.ts'
import { resolveDestination } from '#worker/http/guard.ts'

const NONE = parseNetworks([])

describe('blocked targets', () => {
  let canaries: Canaries
  beforeAll(async () => {
    canaries = await startCanaries()
  })
  afterAll(() => canaries.close())

  test('are more than a thousand in 37 classes, and each is blocked by its URL, without DNS', () => {
    const payloads = blockedPayloads(canaries.port)
    expect(new Set(payloads.map(({ url }) => url)).size).toBeGreaterThanOrEqual(1_000)
    expect(new Set(payloads.map((payload) => payload.class)).size).toBe(37)
    expect(payloads.filter(({ url }) => checkTarget(url, NONE).verdict !== 'blocked')).toEqual([])
  })

  test('get no socket and no DNS query from the client, and all have the same message', async () => {
    const resolved: string[] = []
    const transport = createTransport({
      allowedNetworks: NONE,
      resolver: async (host) => {
        resolved.push(host)
        return ['127.0.0.1', '::1']
      },
    })
    const counter = countDials()
    const messages = new Set<string>()
    // The client takes parsed URLs. guard-runs.test.ts also runs the payloads that are not URLs.
    const urls = blockedPayloads(canaries.port).flatMap(({ url }) => URL.parse(url) ?? [])
    expect(urls.length).toBeGreaterThan(1_000)
    for (const url of urls) {
      const outcome = await outcomeOf(transport(get(url)))
      messages.add(outcome instanceof Error ? outcome.message : `reached ${url.href}`)
    }
    counter.stop()
    expect(messages).toEqual(new Set(['blocked_probe_target: probes may not reach this target']))
    expect({ dials: counter.dials(), hits: canaries.hits(), resolved }).toEqual({ dials: 0, hits: 0, resolved: [] })
  })

  test('are counted if they are reached: the canary counts a connection, the counter a dial', async () => {
    const counter = countDials()
    const before = canaries.hits()
    const transport = createTransport({ allowedNetworks: parseNetworks(['127.0.0.1']) })
    const outcome = await outcomeOf(transport(get(`http://127.0.0.1:${canaries.port}/`)))
    counter.stop()
    expect(outcome).toMatchObject({ status: 200 })
    expect([counter.dials(), canaries.hits() - before]).toEqual([1, 1])
  })
})

test('an open socket is checked again, and destroyed unused when its peer is blocked', async () => {
  const canary = await startCanaries(['127.0.0.1'])
  // As if the address had passed the earlier checks.
  const url = new URL(`http://status.example.com:${canary.port}/`)
  const destination = {
    url,
    host: url.hostname,
    port: canary.port,
    secure: false,
    addresses: ['127.0.0.1'],
    late: null,
  }
  const deadline = new Deadline(10_000, null)
  await expect(dial(destination, NONE, deadline)).rejects.toMatchObject({ failure: 'blocked' })
  const { socket } = await dial(destination, parseNetworks(['127.0.0.1']), deadline)
  deadline.end()
  socket.destroy()
  await canary.close()
})

describe('checkAddress', () => {
  test.each(PUBLIC_NEIGHBOURS)('%s is public', (ip) => {
    expect(checkAddress(ip, NONE)).toBe('public')
    const url = ip.includes(':') ? `https://[${ip}]/` : `https://${ip}/`
    expect(checkTarget(url, NONE)).toMatchObject({ verdict: 'public', host: ip, reason: null })
  })

  test.each([...V4, ...V6])('%s is blocked', (ip) => {
    expect(checkAddress(ip, NONE)).toBe('blocked')
  })

  test.each(['', 'example.com', '127.1', '0x7f000001', 'fe80::1%eth0', ' 8.8.8.8', '8.8.8.8:80', '[2606:4700::1]'])(
    'a string that is not a plain address is blocked: "%s"',
    (text) => {
      expect(checkAddress(text, parseNetworks(['0.0.0.0/0', '::/0']))).toBe('blocked')
    },
  )
})

test.each(PUBLIC_NEIGHBOURS)('the client dials %s with and without a port, and queries no name server', async (ip) => {
  const host = ip.includes(':') ? `[${ip}]` : ip
  for (const port of ['', ':8443']) {
    const asked = () => Promise.reject(new Error('asked'))
    const url = new URL(`https://${host}${port}/`)
    const destination = await resolveDestination(url, NONE, asked, new AbortController().signal)
    expect(destination).toMatchObject({ host: ip, addresses: [ip], port: port === '' ? 443 : 8_443 })
  }
})

test("this machine's own addresses are blocked while it has them, unless their network is allowed", () => {
  const own = (address: string) => ({ eth0: [{ address }] }) as unknown as ReturnType<typeof os.networkInterfaces>
  vi.useFakeTimers({ toFake: ['performance'] })
  // Later than any earlier time of the clock.
  vi.advanceTimersByTime(3_600_000)
  const interfaces = vi.spyOn(os, 'networkInterfaces')
  const judge = (allowed = NONE) => ['8.8.4.4', '2606:4700::1111'].map((ip) => checkAddress(ip, allowed))
  try {
    for (const [address, verdicts] of [
      ['8.8.4.4', ['blocked', 'public']],
      ['2606:4700:0:0::1111%eth0', ['public', 'blocked']],
      ['127.0.0.1', ['public', 'public']],
    ] as const) {
      interfaces.mockReturnValue(own(address))
      vi.advanceTimersByTime(6_000)
      expect(judge()).toEqual(verdicts)
      expect(judge(parseNetworks(['8.8.4.4', '2606:4700::/32']))).toEqual(['allowed', 'allowed'])
    }
    // Read once per cache period, even if many addresses are checked.
    expect(interfaces).toHaveBeenCalledTimes(3)
    interfaces.mockReturnValue(own('8.8.4.4'))
    vi.advanceTimersByTime(6_000)
    expect(checkTarget('http://8.8.4.4/', NONE)).toMatchObject({ verdict: 'blocked', reason: 'address' })
    expect(isResolutionAllowed('status.example.com', ['8.8.4.4'], NONE)).toBe(false)
  } finally {
    interfaces.mockRestore()
    vi.advanceTimersByTime(6_000)
    judge()
    vi.useRealTimers()
  }
})

test('isResolutionAllowed rejects a name when one of its addresses is blocked, and a name without addresses', () => {
  const judge = (ips: string[]) => isResolutionAllowed('status.example.com', ips, NONE)
  expect(judge(['8.8.8.8', '2606:4700::1'])).toBe(true)
  expect(judge([])).toBe(false)
  expect(judge(['8.8.8.8', '10.0.0.1'])).toBe(false)
  expect(isResolutionAllowed('db', ['8.8.8.8'], NONE)).toBe(false)
})

describe('allowed networks', () => {
  const opened = parseNetworks(['127.0.0.0/8', ' 10.20.0.0/16', 'fd12:3456::/32', '', '192.168.7.7'])

  test.each([
    ['127.0.0.1', 'allowed'],
    ['127.255.255.254', 'allowed'],
    ['10.20.30.40', 'allowed'],
    ['10.21.0.1', 'blocked'],
    ['192.168.7.7', 'allowed'],
    ['192.168.7.8', 'blocked'],
    ['fd12:3456:1::1', 'allowed'],
    ['fd12:3457::1', 'blocked'],
    ['::1', 'blocked'],
    ['::ffff:7f00:1', 'blocked'],
    ['64:ff9b::a14:1', 'blocked'],
    ['8.8.8.8', 'public'],
  ])('%s is %s', (ip, verdict) => {
    expect(checkAddress(ip, opened)).toBe(verdict)
  })

  test('a public network can be allowed too', () => {
    expect(checkAddress('8.8.8.8', parseNetworks(['8.8.8.0/24']))).toBe('allowed')
  })

  test.each([
    '10.0.0.0/33',
    'fd00::/129',
    '10.0.0.0/-1',
    '10.0.0.0/',
    '10.0/8',
    'localhost',
    '10.0.0.0/8/8',
    'fe80::1%lo/64',
  ])('"%s" is rejected, and the message names it', (cidr) => {
    expect(() => parseNetworks(['10.0.0.0/8', cidr])).toThrow(`"${cidr}" is not a network`)
  })

  test('localhost and its subdomains mean the allowed loopback addresses', () => {
    const names = ['localhost', 'LOCALHOST.', 'api.localhost']
    const verdicts = (cidrs: string[]) => names.map((name) => checkHost(name, parseNetworks(cidrs)))
    expect(verdicts([])).toEqual(['blocked', 'blocked', 'blocked'])
    expect(verdicts(['10.0.0.0/8'])).toEqual(['blocked', 'blocked', 'blocked'])
    expect(verdicts(['127.0.0.0/8'])).toEqual(['allowed', 'allowed', 'allowed'])
    expect(verdicts(['::1'])).toEqual(['allowed', 'allowed', 'allowed'])
  })

  test('other internal names are allowed only when a network other than loopback is allowed', () => {
    const names = ['db', 'metadata.google.internal', 'printer.local', 'kubernetes.default.svc']
    const verdicts = (cidrs: string[]) => new Set(names.map((name) => checkHost(name, parseNetworks(cidrs))))
    expect(verdicts([])).toEqual(new Set(['blocked']))
    expect(verdicts(['127.0.0.0/8', '::1'])).toEqual(new Set(['blocked']))
    expect(verdicts(['127.0.0.0/8', '10.0.0.0/8'])).toEqual(new Set(['allowed']))
  })

  test('allowed networks do not allow other schemes, ports or user info in a URL', () => {
    const reasons = ['ftp://127.0.0.1/', 'http://127.0.0.1:25/', 'http://u:p@127.0.0.1/', 'http://127.0.0.1:0/'].map(
      (url) => checkTarget(url, opened).reason,
    )
    expect(reasons).toEqual(['scheme', 'port', 'userinfo', 'port'])
  })
})

describe('ordinary targets', () => {
  test.each([
    ['https://example.com', 'example.com'],
    ['http://Status.Example.COM:8080/health?x=1#y', 'status.example.com'],
    ['https://bücher.example./', 'xn--bcher-kva.example'],
    ['https://a.b.c.d.example.co.uk:8443/', 'a.b.c.d.example.co.uk'],
    ['https://localhost.example.com/', 'localhost.example.com'],
    ['https://internal.example.com/', 'internal.example.com'],
    ['https://my_service.example.com/', 'my_service.example.com'],
    ['https://10.example.com/', '10.example.com'],
  ])('%s is public', (url, host) => {
    expect(checkTarget(url, NONE)).toMatchObject({ verdict: 'public', host, reason: null })
  })
})
