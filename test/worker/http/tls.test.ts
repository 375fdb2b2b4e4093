import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Transport } from '#server/language/lace/transport.ts'
import { parseNetworks } from '#server/scripts/target-addresses.ts'
import { type CertificateScenario, makeCertificate, type TestCertificate } from '#test/support/certificates.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'
import { get, outcomeOf } from '#test/support/targets/requests.ts'
import { createTransport } from '#worker/http/client.ts'

const SCENARIOS: CertificateScenario[] = ['valid', 'expired', 'wrong_host', 'self_signed']

const certificates = {} as Record<CertificateScenario, TestCertificate>
const targets = {} as Record<CertificateScenario, HttpTarget>
let serverNames: (string | false | undefined)[] = []
let transport: Transport

beforeAll(async () => {
  for (const scenario of SCENARIOS) {
    certificates[scenario] = await makeCertificate(scenario, ['status.example.com'])
    targets[scenario] = await startHttpTarget((_request, response) => response.end(scenario), {
      certificate: certificates[scenario],
    })
    targets[scenario].server.on('secureConnection', (socket) => serverNames.push(socket.servername))
  }
  transport = createTransport({
    allowedNetworks: parseNetworks(['127.0.0.1']),
    ca: SCENARIOS.map((scenario) => certificates[scenario].ca),
    resolver: async () => ['127.0.0.1'],
  })
})
afterAll(async () => {
  await Promise.all(SCENARIOS.map((scenario) => targets[scenario].close()))
})

test('a valid certificate is accepted, and the result describes the session', async () => {
  const response = await transport(get(targets.valid.url))
  expect(response.body?.toString()).toBe('valid')
  expect(response.tlsWarning).toBeNull()
  expect(response.timings.tlsMs).toBeGreaterThanOrEqual(1)
  expect(response.tls).toEqual({
    protocol: 'TLSv1.3',
    cipher: expect.stringMatching(/^TLS_/),
    alpn: 'http/1.1',
    certificate: {
      subject: { cn: 'localhost' },
      subjectAltNames: [
        'DNS:localhost',
        'DNS:*.localhost',
        'DNS:status.example.com',
        'IP:127.0.0.1',
        'IP:0:0:0:0:0:0:0:1',
      ],
      issuer: { cn: expect.stringContaining('Soundline test authority') },
      notBefore: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      notAfter: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    },
  })
})

test('the certificate is checked against the requested name, which is sent as SNI; an address has no SNI', async () => {
  serverNames = []
  const { port } = targets.valid
  expect(await transport(get(`https://status.example.com:${port}/`))).toMatchObject({ status: 200 })
  expect(await transport(get(`https://status.example.com.:${port}/`))).toMatchObject({ status: 200 })
  expect(await transport(get(`https://127.0.0.1:${port}/`))).toMatchObject({ status: 200 })
  expect(serverNames.map((name) => name || null)).toEqual(['status.example.com', 'status.example.com', null])
  expect(await outcomeOf(transport(get(`https://other.example.com:${port}/`)))).toMatchObject({
    failure: 'tls',
    message: /for another host \(ERR_TLS_CERT_ALTNAME_INVALID\): .*other\.example\.com/,
  })
})

test.each([
  ['expired', /^the certificate has expired \(CERT_HAS_EXPIRED\)$/],
  ['wrong_host', /^the certificate is for another host \(ERR_TLS_CERT_ALTNAME_INVALID\): .*elsewhere\.example/],
  ['self_signed', /^the certificate is self-signed \(DEPTH_ZERO_SELF_SIGNED_CERT\)$/],
] as const)(
  '%s is rejected, or accepted with a warning when rejectInvalidCerts is false',
  async (scenario, message) => {
    expect(await outcomeOf(transport(get(targets[scenario].url)))).toMatchObject({ failure: 'tls', message: message })

    const response = await transport(get(targets[scenario].url, { rejectInvalidCerts: false }))
    expect(response.body?.toString()).toBe(scenario)
    expect(response.tlsWarning).toMatch(message)
    expect(response.tls?.certificate).not.toBeNull()
  },
)

test('an untrusted certificate authority is rejected', async () => {
  const strict = createTransport({ allowedNetworks: parseNetworks(['127.0.0.1']) })
  expect(await outcomeOf(strict(get(targets.valid.url)))).toMatchObject({
    failure: 'tls',
    message: /issuer of the certificate is not known/,
  })
})

test('no TLS session is resumed', async () => {
  const resumed: boolean[] = []
  targets.valid.server.on('secureConnection', (socket) => resumed.push(socket.isSessionReused()))
  for (let nth = 0; nth < 4; nth += 1) await transport(get(targets.valid.url))
  expect(resumed).toEqual([false, false, false, false])
})
