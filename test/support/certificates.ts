import { DAY_MS } from '#server/durations.ts'
import 'reflect-metadata'
import { randomUUID, webcrypto } from 'node:crypto'
import type { Extension, X509Certificate } from '@peculiar/x509'

// Loaded late: the library reads Reflect's polyfill while it loads, and import sorting would put it first.
const x509 = await import('@peculiar/x509')

export type CertificateScenario = 'valid' | 'expired' | 'wrong_host' | 'self_signed'

/** PEM texts: what the server shows, and the authority that a client has to trust to accept `valid`. */
export type TestCertificate = { key: string; cert: string; ca: string; ciphers?: string }

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/**
 * A certificate made on the fly with P-256 keys.
 *
 * `valid`, `expired` and `wrong_host` are signed by a fresh authority (`ca`), so that trusting it leaves just the one
 * named fault; `self_signed` is its own issuer, and its `ca` is an authority that did not sign it. All but `wrong_host`
 * are for localhost, *.localhost, 127.0.0.1 and ::1, plus `hosts`. All but `expired` expire in `daysLeft` days.
 */
export async function makeCertificate(
  scenario: CertificateScenario,
  hosts: string[] = [],
  daysLeft = 30,
): Promise<TestCertificate> {
  const now = Date.now()
  const authorityKeys = await newKeys()
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    // Its own name each time, or a client that trusts several authorities would try the wrong key.
    name: `CN=Soundline test authority ${randomUUID()}`,
    notBefore: new Date(now - 365 * DAY_MS),
    notAfter: new Date(now + 365 * DAY_MS),
    keys: authorityKeys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
    ],
  })

  const keys = await newKeys()
  const commonName = scenario === 'wrong_host' ? 'elsewhere.example' : 'localhost'
  const leaf = {
    serialNumber: '02',
    notBefore: new Date(now - 30 * DAY_MS),
    notAfter: new Date(scenario === 'expired' ? now - DAY_MS : now + daysLeft * DAY_MS),
    signingAlgorithm: ALGORITHM,
    extensions: [
      new x509.BasicConstraintsExtension(false),
      new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
      new x509.SubjectAlternativeNameExtension(
        scenario === 'wrong_host'
          ? [{ type: 'dns', value: commonName }]
          : [
              ...['localhost', '*.localhost', ...hosts].map((value) => ({ type: 'dns' as const, value })),
              ...['127.0.0.1', '::1'].map((value) => ({ type: 'ip' as const, value })),
            ],
      ),
    ],
  }
  const certificate: X509Certificate =
    scenario === 'self_signed'
      ? await x509.X509CertificateGenerator.createSelfSigned({ ...leaf, name: `CN=${commonName}`, keys })
      : await x509.X509CertificateGenerator.create({
          ...leaf,
          subject: `CN=${commonName}`,
          issuer: authority.subject,
          publicKey: keys.publicKey,
          signingKey: authorityKeys.privateKey,
        })

  return { key: await privateKeyPem(keys), cert: certificate.toString('pem'), ca: authority.toString('pem') }
}

export type TestChain = {
  key: string
  /** PEM texts of the server's certificate, and of what issued it. */
  leaf: string
  intermediate: string
  ca: string
  /** The authority's key, signed by an older authority that is not trusted. It expires tomorrow. */
  crossSigned: string
}

type ChainOptions = {
  daysLeft?: number
  intermediateDaysLeft?: number
  authorityDaysLeft?: number
  /** An RSA key of 1,024 bits for the server. */
  weakKey?: boolean
  /** The hash with which the intermediate authority signs. */
  hash?: 'SHA-256' | 'SHA-1'
}

/** A chain for localhost: the server's certificate, "Soundline test intermediate", and "Soundline test root". */
export async function makeChain(options: ChainOptions = {}): Promise<TestChain> {
  const {
    daysLeft = 60,
    intermediateDaysLeft = 90,
    authorityDaysLeft = 365,
    weakKey = false,
    hash = 'SHA-256',
  } = options
  const [rootKeys, olderKeys, intermediateKeys] = await Promise.all([newKeys(), newKeys(), newKeys()])
  const rootName = `CN=Soundline test root ${randomUUID()}`
  const intermediateName = `CN=Soundline test intermediate ${randomUUID()}`
  const olderName = 'CN=Soundline test older root'
  const root = { subject: rootName, publicKey: rootKeys.publicKey }
  const byRoot = { issuer: rootName, signingKey: rootKeys.privateKey }
  const byOlder = { issuer: olderName, signingKey: olderKeys.privateKey }
  const ca = await issue({ ...root, ...byRoot }, authorityDaysLeft, AUTHORITY)
  const crossSigned = await issue({ ...root, ...byOlder }, 1, AUTHORITY)
  const subject = { subject: intermediateName, publicKey: intermediateKeys.publicKey }
  const intermediate = await issue({ ...subject, ...byRoot }, intermediateDaysLeft, AUTHORITY)
  const keys = weakKey ? await newKeys(WEAK_RSA) : await newKeys()
  const byIntermediate = { issuer: intermediateName, signingKey: intermediateKeys.privateKey }
  const leaf = await issue(
    { subject: 'CN=localhost', publicKey: keys.publicKey, ...byIntermediate },
    daysLeft,
    [
      new x509.BasicConstraintsExtension(false),
      new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: 'localhost' }]),
    ],
    hash,
  )
  return { key: await privateKeyPem(keys), leaf, intermediate, ca, crossSigned }
}

const AUTHORITY = [
  new x509.BasicConstraintsExtension(true, undefined, true),
  new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
]
const WEAK_RSA = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 1_024,
  publicExponent: new Uint8Array([1, 0, 1]),
}

type Issued = { subject: string; publicKey: CryptoKey; issuer: string; signingKey: CryptoKey }

async function issue(issued: Issued, daysLeft: number, extensions: Extension[], hash = 'SHA-256'): Promise<string> {
  const now = Date.now()
  const certificate = await x509.X509CertificateGenerator.create({
    ...issued,
    notBefore: new Date(now - 365 * DAY_MS),
    notAfter: new Date(now + daysLeft * DAY_MS),
    signingAlgorithm: { ...ALGORITHM, hash },
    extensions,
  })
  return `${certificate.toString('pem')}\n`
}

function newKeys(algorithm: EcKeyGenParams | RsaHashedKeyGenParams = ALGORITHM): Promise<CryptoKeyPair> {
  return webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']) as Promise<CryptoKeyPair>
}

async function privateKeyPem(keys: CryptoKeyPair): Promise<string> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey))
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN PRIVATE KEY-----', ...lines, '-----END PRIVATE KEY-----', ''].join('\n')
}
