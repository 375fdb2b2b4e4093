import { isIP, type Socket } from 'node:net'
import {
  checkServerIdentity,
  connect,
  createSecureContext,
  getCACertificates,
  type PeerCertificate,
  type SecureContext,
  type TLSSocket,
} from 'node:tls'
import { type CertificateMeta, type TlsMeta, TransportError } from '#server/lace/transport.ts'
import { describeCertificateError, tlsFailure } from './failures.ts'

export type Session = { socket: TLSSocket; meta: TlsMeta; warning: string | null }

/** One context for all handshakes: making one per connection costs a fifth of the handshake. */
export function createTrust(extraAuthorities: string[]): SecureContext {
  if (extraAuthorities.length === 0) return createSecureContext()
  return createSecureContext({ ca: [...getCACertificates('default'), ...extraAuthorities] })
}

/**
 * A full TLS handshake on an open socket, for `host` as the certificate's name (and SNI, unless it is an address).
 *
 * With `rejectInvalidCerts` false a certificate that fails verification is let through, and `warning` says why.
 * Rejects with a `TransportError`, or with the signal's reason when it aborts.
 */
export function handshake(
  plain: Socket,
  options: { host: string; trust: SecureContext; rejectInvalidCerts: boolean; signal: AbortSignal },
): Promise<Session> {
  const { host, trust, rejectInvalidCerts, signal } = options
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    let identityError = ''
    const socket = connect({
      socket: plain,
      host,
      servername: isIP(host) === 0 ? host : '',
      secureContext: trust,
      ALPNProtocols: ['http/1.1'],
      rejectUnauthorized: rejectInvalidCerts,
      checkServerIdentity: (name, certificate) => {
        const error = checkServerIdentity(name, certificate)
        identityError = error?.message ?? ''
        return error
      },
    })
    const onAbort = () => fail(signal.reason)
    const fail = (reason: unknown) => {
      signal.removeEventListener('abort', onAbort)
      socket.destroy()
      reject(reason)
    }
    signal.addEventListener('abort', onAbort)
    socket.on('error', (cause) => fail(tlsFailure(cause)))
    socket.once('secureConnect', () => {
      // With an abort pending the socket is already gone, and has no certificate to describe.
      if (signal.aborted) return
      const warning = socket.authorized
        ? null
        : describeCertificateError(String(socket.authorizationError), identityError)
      if (warning !== null && rejectInvalidCerts) return fail(new TransportError('tls', warning))
      signal.removeEventListener('abort', onAbort)
      socket.disableRenegotiation()
      resolve({ socket, meta: describe(socket), warning: warning })
    })
  })
}

function describe(socket: TLSSocket): TlsMeta {
  return {
    protocol: socket.getProtocol() ?? 'unknown',
    cipher: socket.getCipher()?.standardName ?? 'unknown',
    alpn: socket.alpnProtocol || null,
    certificate: describeCertificate(socket.getPeerCertificate()),
  }
}

function describeCertificate(certificate: PeerCertificate): CertificateMeta | null {
  // Node answers an empty object when the peer showed none.
  if (!certificate?.valid_from) return null
  return {
    subject: commonName(certificate.subject),
    subjectAltNames: splitAltNames(certificate.subjectaltname ?? ''),
    issuer: commonName(certificate.issuer),
    notBefore: isoTime(certificate.valid_from),
    notAfter: isoTime(certificate.valid_to),
  }
}

function commonName(name: PeerCertificate['subject'] | undefined): { cn?: string } {
  const cn: unknown = name?.CN
  if (typeof cn === 'string') return { cn }
  return Array.isArray(cn) && typeof cn[0] === 'string' ? { cn: cn[0] } : {}
}

// `DNS:a.example, IP Address:192.0.2.1`, where a value with a comma or a quote of its own is a JSON string.
function splitAltNames(text: string): string[] {
  return [...text.matchAll(/([^:,]+):("(?:[^"\\]|\\.)*"|[^,]*)(?:, |$)/g)].map(
    ([, kind = '', value = '']) => `${kind === 'IP Address' ? 'IP' : kind}:${value}`,
  )
}

function isoTime(text: string): string {
  const time = new Date(text)
  return Number.isNaN(time.getTime()) ? text : time.toISOString().replace('.000Z', 'Z')
}
