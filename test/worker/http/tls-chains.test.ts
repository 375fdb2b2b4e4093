import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { DAY_MS } from '#server/durations.ts'
import { parseNetworks } from '#server/scripts/target-addresses.ts'
import { makeCertificate, makeChain, type TestChain } from '#test/support/certificates.ts'
import { listeningPort } from '#test/support/targets/canary.ts'
import { startHttpTarget } from '#test/support/targets/http-target.ts'
import { get, outcomeOf } from '#test/support/targets/requests.ts'
import { readAuthorities } from '#worker/http/authorities.ts'
import { createTransport } from '#worker/http/client.ts'

const allowedNetworks = parseNetworks(['127.0.0.1'])

/** Sends these certificates of a chain, and requests the server as one that trusts the authority of the chain. */
async function requested(chain: TestChain, sent: string[], { trusts = true, rejectInvalidCerts = true } = {}) {
  // The server itself would refuse a weak certificate.
  const certificate = { key: chain.key, cert: sent.join('\n'), ca: chain.ca, ciphers: 'DEFAULT:@SECLEVEL=0' }
  const target = await startHttpTarget((_request, response) => response.end('ok'), { certificate })
  onTestFinished(target.close)
  const transport = createTransport({ allowedNetworks, ca: trusts ? [chain.ca] : [] })
  return outcomeOf(transport(get(target.url, { rejectInvalidCerts })))
}

describe('a certificate that is refused says why', () => {
  test.each([
    ['a short key', { weakKey: true }, /^the certificate is too weak: its key is too short \(EE_KEY_TOO_SMALL\)$/],
    [
      'a SHA-1 signature',
      { hash: 'SHA-1' },
      /^the certificate or one of its chain is too weak: .*SHA-1 \(CA_MD_TOO_WEAK\)$/,
    ],
  ] as const)('%s', async (_name, options, message) => {
    const chain = await makeChain(options)
    const sent = [chain.leaf, chain.intermediate]
    expect(await requested(chain, sent)).toMatchObject({ failure: 'tls', message })
    const accepted = await requested(chain, sent, { rejectInvalidCerts: false })
    expect(accepted).toMatchObject({ status: 200, tlsWarning: expect.stringMatching(message) })
  })

  test('an incomplete chain', async () => {
    const chain = await makeChain()
    expect(await requested(chain, [chain.leaf])).toMatchObject({
      failure: 'tls',
      message:
        'the certificate chain is incomplete: the server sent no other certificate, and the issuer of the certificate is ' +
        'not known (UNABLE_TO_VERIFY_LEAF_SIGNATURE)',
    })
    expect(await requested(chain, [chain.leaf, chain.intermediate], { trusts: false })).toMatchObject({
      failure: 'tls',
      message:
        'the certificate chain is incomplete, or ends at an authority that is not known (UNABLE_TO_GET_ISSUER_CERT_LOCALLY)',
    })
  })

  test('a name that nobody asked for', async () => {
    const certificate = await makeCertificate('wrong_host')
    const target = await startHttpTarget((_request, response) => response.end(), { certificate })
    onTestFinished(target.close)
    const transport = createTransport({ allowedNetworks, ca: [certificate.ca] })
    expect(await outcomeOf(transport(get(target.url)))).toMatchObject({
      failure: 'tls',
      message:
        'the certificate is for another host (ERR_TLS_CERT_ALTNAME_INVALID): it is for elsewhere.example, not for localhost',
    })
  })

  test('a server without a certificate for the name', async () => {
    // A fatal alert: unrecognized_name (RFC 6066, 3).
    const server = createServer((socket) => socket.once('data', () => socket.end(Buffer.from('15030300020270', 'hex'))))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    onTestFinished(() => new Promise<void>((done) => server.close(() => done())))
    const transport = createTransport({ allowedNetworks })
    expect(await outcomeOf(transport(get(`https://localhost:${listeningPort(server)}/`)))).toMatchObject({
      failure: 'tls',
      message: expect.stringMatching(
        /^the server has no certificate for the name of the host \(.*unrecognized name\)$/,
      ),
    })
  })
})

describe('the certificate that expires first', () => {
  const dated = (days: number, cn: string) => ({
    subject: { cn: expect.stringContaining(cn) },
    issuer: { cn: expect.stringContaining('Soundline test') },
    notAfter: expect.toSatisfy((at: string) => Math.round((Date.parse(at) - Date.now()) / DAY_MS) === days),
  })

  test('is the server\u2019s, an intermediate one, or the authority, whether or not it was sent', async () => {
    const usual = await makeChain()
    expect(await requested(usual, [usual.leaf, usual.intermediate])).toMatchObject({
      firstToExpire: dated(60, 'localhost'),
    })
    const middle = await makeChain({ intermediateDaysLeft: 9 })
    for (const sent of [
      [middle.leaf, middle.intermediate],
      [middle.leaf, middle.ca, middle.intermediate],
    ]) {
      expect(await requested(middle, sent)).toMatchObject({
        firstToExpire: dated(9, 'Soundline test intermediate'),
        tls: { certificate: { subject: { cn: 'localhost' } } },
      })
    }
    const root = await makeChain({ authorityDaysLeft: 5 })
    expect(await requested(root, [root.leaf, root.intermediate])).toMatchObject({
      firstToExpire: dated(5, 'Soundline test root'),
    })
  })

  test('is not an older signature of a trusted authority, which nothing depends on', async () => {
    const chain = await makeChain()
    const sent = [chain.leaf, chain.intermediate, chain.crossSigned]
    expect(await requested(chain, sent)).toMatchObject({ firstToExpire: dated(60, 'localhost') })
    // Whoever does not trust the authority depends on it.
    const options = { trusts: false, rejectInvalidCerts: false }
    expect(await requested(chain, sent, options)).toMatchObject({ firstToExpire: dated(1, 'Soundline test root') })
  })
})

describe('the file of further authorities', () => {
  function file(content: string): string {
    const folder = mkdtempSync(join(tmpdir(), 'soundline-authorities-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const path = join(folder, 'ca.pem')
    writeFileSync(path, content)
    return path
  }

  test('has several certificates, and text between them', async () => {
    const [one, two] = [await makeChain(), await makeChain()]
    const ca = readAuthorities(file(`# one\n${one.ca}\n# two\n${two.ca}\n`))
    expect(ca.map((pem) => pem.trim())).toEqual([one.ca.trim(), two.ca.trim()])
    expect(readAuthorities(undefined)).toEqual([])
  })

  test('is refused with the reason', async () => {
    expect(() => readAuthorities('/nowhere/ca.pem')).toThrow('PROBE_CA_FILE: /nowhere/ca.pem cannot be read (ENOENT)')
    const empty = file('no certificate')
    expect(() => readAuthorities(empty)).toThrow(
      `PROBE_CA_FILE: ${empty} has no certificate in PEM (-----BEGIN CERTIFICATE-----)`,
    )
    const { ca } = await makeChain()
    const broken = file(`${ca}\n-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`)
    expect(() => readAuthorities(broken)).toThrow(`PROBE_CA_FILE: certificate 2 in ${broken} is not valid`)
  })
})
