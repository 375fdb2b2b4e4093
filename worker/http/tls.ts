import { isIP, type Socket } from 'node:net'
import tls, {
  checkServerIdentity,
  connect,
  createSecureContext,
  type PeerCertificate,
  type SecureContext,
  TLSSocket,
} from 'node:tls'
import {
  type CertificateDates,
  type CertificateMeta,
  type TlsMeta,
  TransportError,
} from '#server/language/lace/transport.ts'
import { type AnchorLookup, chainOf, createAnchors, firstToExpire } from './chain.ts'
import type { Deadline } from './deadline.ts'
import { describeCertificateError, otherNamesText, tlsFailure } from './transport-failures.ts'

export type Session = {
  socket: TLSSocket
  meta: TlsMeta
  firstToExpire: CertificateDates | null
  warning: string | null
}

/** The trust of handshakes: one context for all, and a look-up of the authority that issued a certificate. */
export type Trust = { context: SecureContext; anchorOf: AnchorLookup }

/** Creates what all handshakes share. A context per connection would cost a fifth of the handshake. */
export function createTrust(extraAuthorities: string[]): Trust {
  // Not a named import: Node 20 lacks it, and the command line would not load there.
  const authorities = () => [...(tls.getCACertificates?.('default') ?? tls.rootCertificates), ...extraAuthorities]
  return {
    context: createSecureContext(extraAuthorities.length === 0 ? {} : { ca: authorities() }),
    anchorOf: createAnchors(authorities),
  }
}

/**
 * Performs a full TLS handshake on an open socket. The certificate must be valid for `host`, which is also sent as SNI
 * unless it is an address. With `rejectInvalidCerts` false, an invalid certificate is accepted and `warning` holds the
 * reason. Rejects with a `TransportError`, or with the deadline's reason when it passes.
 */
export function handshake(
  plain: Socket,
  options: { host: string; trust: Trust; rejectInvalidCerts: boolean; deadline: Deadline },
): Promise<Session> {
  const { host, trust, rejectInvalidCerts, deadline } = options
  return new Promise((resolve, reject) => {
    if (deadline.reason) return reject(deadline.reason)
    let identityError = ''
    // Kept from Node's own check: to decode it again costs a tenth of a millisecond.
    let checked: PeerCertificate | null = null
    const socket = connect({
      socket: plain,
      host,
      servername: isIP(host) === 0 ? host : '',
      secureContext: trust.context,
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: rejectInvalidCerts,
      checkServerIdentity: (name, certificate) => {
        checked = certificate
        const error = checkServerIdentity(name, certificate)
        if (error) {
          identityError = otherNamesText(namesOf(certificate), host)
          error.message = identityError
        }
        return error
      },
    })
    // For its own check, Node decodes all certificates of the chain, which takes a tenth of a handshake. The check reads
    // only the server's.
    const leaf = () => TLSSocket.prototype.getPeerCertificate.call(socket)
    socket.getPeerCertificate = leaf as TLSSocket['getPeerCertificate']
    const fail = (reason: unknown) => {
      socket.destroy()
      reject(reason)
    }
    deadline.watch(fail)
    socket.on('error', (cause) => fail(tlsFailure(cause)))
    socket.once('secureConnect', () => {
      // After the deadline the socket is already destroyed and has no certificate to describe.
      if (deadline.reason) return
      const warning = socket.authorized
        ? null
        : describeCertificateError(String(socket.authorizationError), identityError || verifyMessage(socket))
      if (warning !== null && rejectInvalidCerts) return fail(new TransportError('tls', warning))
      socket.disableRenegotiation()
      const meta = describe(socket, checked ?? socket.getPeerCertificate())
      resolve({ socket, meta, firstToExpire: firstOfChain(socket, meta, trust), warning })
    })
  })
}

/** Returns why OpenSSL did not verify the chain, which no documented property has when the certificate is accepted. */
function verifyMessage(socket: TLSSocket & { ssl?: { verifyError?: () => Error | null } }): string {
  return socket.ssl?.verifyError?.()?.message ?? ''
}

function firstOfChain(socket: TLSSocket, { certificate }: TlsMeta, { anchorOf }: Trust): CertificateDates | null {
  const leaf = socket.getPeerX509Certificate()
  if (!leaf) return null
  const first = firstToExpire(chainOf(leaf, anchorOf))
  // To decode a certificate costs a tenth of a millisecond, and the server's is decoded.
  const found = first === leaf ? certificate : describeCertificate(first.toLegacyObject())
  if (!found) return null
  const { subject, issuer, notBefore, notAfter } = found
  return { subject, issuer, notBefore, notAfter }
}

function describe(socket: TLSSocket, certificate: PeerCertificate): TlsMeta {
  return {
    protocol: socket.getProtocol() ?? 'unknown',
    cipher: socket.getCipher()?.standardName ?? 'unknown',
    alpn: socket.alpnProtocol || null,
    certificate: describeCertificate(certificate),
  }
}

function describeCertificate(certificate: PeerCertificate): CertificateMeta | null {
  // Node returns an empty object when the peer sent no certificate.
  if (!certificate?.valid_from) return null
  return {
    subject: commonName(certificate.subject),
    subjectAltNames: splitAltNames(certificate.subjectaltname ?? ''),
    issuer: commonName(certificate.issuer),
    notBefore: isoTime(certificate.valid_from),
    notAfter: isoTime(certificate.valid_to),
  }
}

/** Returns the names that a certificate is valid for. Without alternative names, the common name counts. */
function namesOf({ subject, subjectaltname }: PeerCertificate): string[] {
  const { cn } = commonName(subject)
  return subjectaltname ? splitAltNames(subjectaltname) : cn === undefined ? [] : [cn]
}

function commonName(name: PeerCertificate['subject'] | undefined): { cn?: string } {
  const cn: unknown = name?.CN
  if (typeof cn === 'string') return { cn }
  return Array.isArray(cn) && typeof cn[0] === 'string' ? { cn: cn[0] } : {}
}

// Format: `DNS:a.example, IP Address:192.0.2.1`. A value that contains a comma or a quote is a JSON string.
function splitAltNames(text: string): string[] {
  return [...text.matchAll(/([^:,]+):("(?:[^"\\]|\\.)*"|[^,]*)(?:, |$)/g)].map(
    ([, kind = '', value = '']) => `${kind === 'IP Address' ? 'IP' : kind}:${value}`,
  )
}

function isoTime(text: string): string {
  const time = new Date(text)
  return Number.isNaN(time.getTime()) ? text : time.toISOString().replace('.000Z', 'Z')
}
