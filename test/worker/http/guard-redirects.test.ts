import { afterAll, beforeAll, expect, test } from 'vitest'
import { runScript } from '#server/language/lace/executor.ts'
import type { Transport } from '#server/language/lace/transport.ts'
import { parseNetworks } from '#server/scripts/target-addresses.ts'
import { testFolder } from '#test/support/folder.ts'
import { type Canaries, countDials, startCanaries } from '#test/support/targets/canary.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'
import { writeMachineFiles } from '#test/support/targets/machine-files.ts'
import { type NameServer, startNameServer } from '#test/support/targets/name-server.ts'
import { createTransport } from '#worker/http/client.ts'
import { createResolver } from '#worker/http/resolve.ts'

const OPEN = '127.0.0.1'
const STATUSES = [301, 302, 303, 307, 308]
const HOPS = [1, 2, 5]

const folder = testFolder()

let canaries: Canaries
let names: NameServer
let target: HttpTarget
let transport: Transport
let ends: Record<string, string>
let requests = 0

/** `/STATUS/HOPS/END` redirects to itself with one hop less, and the last hop redirects to the named end. */
beforeAll(async () => {
  canaries = await startCanaries(['127.0.0.1', '127.0.0.2', '::1'])
  names = await startNameServer()
  for (const [name, address] of Object.entries({ open: OPEN, private: '127.0.0.2', metadata: '169.254.169.254' })) {
    names.set(`${name}.example.com`, (type) => (type === 'A' ? { addresses: [address] } : {}))
  }
  names.set('mixed.example.com', (type) => ({ addresses: type === 'A' ? [OPEN] : ['::1'] }))
  transport = createTransport({
    allowedNetworks: parseNetworks([OPEN]),
    resolver: createResolver(await writeMachineFiles(folder, `nameserver ${names.address}`)),
  })
  const { port } = canaries
  ends = {
    'private IPv4': `http://127.0.0.2:${port}/secret`,
    'private IPv6': `http://[::1]:${port}/secret`,
    'mapped address': `http://[::ffff:127.0.0.1]:${port}/secret`,
    'decimal address': `//2130706434:${port}/secret`,
    'metadata address': 'http://169.254.169.254/latest/meta-data/',
    'private name': `http://private.example.com:${port}/secret`,
    'name for the metadata address': 'http://metadata.example.com/latest/meta-data/',
    'name with a private address among its own': `http://mixed.example.com:${port}/secret`,
    'internal name': `http://intranet:${port}/secret`,
    'user in the URL': `http://user:pass@open.example.com:${port}/secret`,
    'port of another protocol': 'http://open.example.com:25/',
    'over https': `https://127.0.0.2:${port}/secret`,
    file: 'file:///etc/passwd',
    'other protocol': `gopher://127.0.0.2:${port}/_GET`,
    script: 'javascript:alert(1)',
    data: 'data:text/plain,secret',
  }
  target = await startHttpTarget((request, response) => {
    requests += 1
    const [, status = '', hops = '', end = ''] = decodeURIComponent(request.url ?? '').split('/')
    // Alternates relative URLs, absolute URLs and names, so that each hop is checked again.
    const next = [`/${status}/${Number(hops) - 1}/${encodeURIComponent(end)}`]
      .flatMap((path) => [
        path,
        `http://${OPEN}:${target.port}${path}`,
        `http://open.example.com:${target.port}${path}`,
      ])
      .at(Number(hops) % 3)!
    response.writeHead(Number(status), { Location: Number(hops) > 1 ? next : ends[end] }).end('moved')
  })
})
afterAll(async () => {
  await Promise.all([canaries.close(), names.close(), target.close()])
})

test('no chain of redirects of any length and status reaches a private address', async () => {
  const counter = countDials()
  const requestsBefore = requests
  const problems: string[] = []
  let chains = 0
  for (const status of STATUSES) {
    for (const hops of HOPS) {
      for (const end of Object.keys(ends)) {
        const before = requests
        const url = `http://${OPEN}:${target.port}/${status}/${hops}/${encodeURIComponent(end)}`
        const method = hops % 2 === 0 ? 'post' : 'get'
        const result = await runScript({ source: `${method}("${url}").expect(status: 200)`, transport })
        const [call] = result.calls
        chains += 1
        const refused =
          call?.error ===
          (end === 'user in the URL'
            ? 'blocked_probe_target: the redirect leads to a URL with user information (a name or a password before the ' +
              'host), which probes do not send'
            : 'blocked_probe_target: probes may not reach this target')
        const hopsTaken = requests - before === hops && call?.redirects.length === hops
        if (!refused || !hopsTaken || result.outcome !== 'failure')
          problems.push(`${status} ${hops} ${end}: ${call?.error}`)
      }
    }
  }
  counter.stop()
  expect(chains).toBe(240)
  expect(problems).toEqual([])
  // All connections went to the redirecting server, and no connection to a private target.
  expect([canaries.hits(), counter.dials()]).toEqual([0, requests - requestsBefore])
})

test('each hop resolves its name once', async () => {
  const before = { ...names.queryCounts('open.example.com') }
  ends['open name'] = `http://open.example.com:${canaries.port}/`
  const url = `http://open.example.com:${target.port}/302/5/open%20name`
  const result = await runScript({ source: `get("${url}").expect(status: 200)`, transport })
  expect(result).toMatchObject({ outcome: 'success', calls: [{ redirects: { length: 5 } }] })
  const named = [url, ...(result.calls[0]?.redirects ?? [])].filter((hop) => hop.includes('open.example.com')).length
  expect(names.queryCounts('open.example.com')).toEqual({ A: before.A + named, AAAA: before.AAAA + named })
})
