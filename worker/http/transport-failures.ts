import { TransportError } from '#server/language/lace/transport.ts'

const CONNECT_ERRORS: Record<string, string> = {
  ECONNREFUSED: 'refused the connection',
  ECONNRESET: 'reset the connection',
  EHOSTUNREACH: 'cannot be reached',
  ENETUNREACH: 'cannot be reached',
  EADDRNOTAVAIL: 'cannot be reached',
  ETIMEDOUT: 'did not respond',
}

const RESOLVE_ERRORS: Record<string, string> = {
  ECONNREFUSED: 'they cannot be reached',
  EREFUSED: 'they refused the query (REFUSED)',
  ESERVFAIL: 'they reported a failure (SERVFAIL)',
  ETIMEOUT: 'they did not respond',
}

/** Names of a certificate in a message. A certificate can have hundreds. */
const NAMES_SHOWN = 5

const INCOMPLETE_CHAIN = 'the certificate chain is incomplete, or ends at an authority that is not known'

const CERTIFICATE_ERRORS: Record<string, string> = {
  CA_KEY_TOO_SMALL: 'a certificate of the chain is too weak: its key is too short',
  CA_MD_TOO_WEAK:
    'the certificate or one of its chain is too weak: it is signed with an outdated algorithm such as SHA-1',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  CERT_REVOKED: 'the certificate has been revoked',
  CERT_SIGNATURE_FAILURE: 'the signature of the certificate is wrong',
  CERT_UNTRUSTED: 'the certificate is not trusted for this use',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  EE_KEY_TOO_SMALL: 'the certificate is too weak: its key is too short',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
  INVALID_CA: 'a certificate of the chain is not that of an authority',
  INVALID_PURPOSE: 'the certificate is not meant for servers',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate authority at the end of the chain is not trusted',
  UNABLE_TO_GET_ISSUER_CERT: INCOMPLETE_CHAIN,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: INCOMPLETE_CHAIN,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'the certificate chain is incomplete: the server sent no other certificate, and the issuer of the certificate is not known',
}

/** Node has one code, UNSPECIFIED, for these messages of OpenSSL. They become OpenSSL's own codes. */
const UNSPECIFIED_ERRORS: Record<string, string> = {
  'CA certificate key too weak': 'CA_KEY_TOO_SMALL',
  'CA signature digest algorithm too weak': 'CA_MD_TOO_WEAK',
  'EE certificate key too weak': 'EE_KEY_TOO_SMALL',
}

/** Describes why the name servers gave no answer for a host. */
export function resolveFailure(cause: unknown, host: string): TransportError {
  const code = codeOf(cause)
  const what = `the name servers did not resolve ${host}: ${RESOLVE_ERRORS[code] ?? `they gave no valid answer (${code})`}`
  return new TransportError('connection', what, { cause })
}

/** Describes why no address of a destination accepted a connection. */
export function connectFailure(cause: unknown, url: URL): TransportError {
  const code = codeOf(cause)
  const what = CONNECT_ERRORS[code] ?? `could not be connected to${code && ` (${code})`}`
  return new TransportError('connection', `${url.host} ${what}`, { cause })
}

/** Describes why a TLS handshake failed, certificate errors included. */
export function tlsFailure(cause: unknown): TransportError {
  const code = codeOf(cause)
  if (code === 'UNSPECIFIED' || code in CERTIFICATE_ERRORS)
    return new TransportError('tls', describeCertificateError(code, messageOf(cause)), { cause })
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    return new TransportError('tls', 'the server closed the connection during the TLS handshake', { cause })
  }
  // OpenSSL's `reason` is readable; its message contains thread and source line.
  const reason = (cause as { reason?: unknown })?.reason
  const detail = typeof reason === 'string' ? reason : code || 'unknown reason'
  if (/unrecognized name$/.test(detail)) {
    return new TransportError('tls', `the server has no certificate for the name of the host (${detail})`, { cause })
  }
  return new TransportError('tls', `the TLS handshake failed: ${detail}`, { cause })
}

/** Describes a certificate error in words, with OpenSSL's code for looking it up. `message` is Node's. */
export function describeCertificateError(given: string, message: string): string {
  const code = (given === 'UNSPECIFIED' && UNSPECIFIED_ERRORS[message]) || given
  const description = `${CERTIFICATE_ERRORS[code] ?? 'the certificate could not be verified'} (${code})`
  const isDetailed = code === 'UNSPECIFIED' || code === 'ERR_TLS_CERT_ALTNAME_INVALID'
  return isDetailed && message ? `${description}: ${message}` : description
}

/** Says which names a certificate is for. `names` are its alternative names, such as `DNS:a.example`. */
export function otherNamesText(names: string[], host: string): string {
  const shown = names.slice(0, NAMES_SHOWN).map((name) => name.slice(name.indexOf(':') + 1))
  const more = names.length > NAMES_SHOWN ? ` and ${names.length - NAMES_SHOWN} more` : ''
  return `it is for ${shown.length > 0 ? shown.join(', ') + more : 'no name'}, not for ${host}`
}

/** Describes why an exchange on an open connection failed. */
export function exchangeFailure(cause: unknown, maxHeaderBytes: number): TransportError {
  if (cause instanceof TransportError) return cause
  const code = codeOf(cause)
  if (code === 'HPE_HEADER_OVERFLOW') {
    return new TransportError('protocol', `the response headers are larger than ${maxHeaderBytes} bytes`, { cause })
  }
  if (code.startsWith('HPE_')) {
    const reason = (cause as { reason?: unknown }).reason
    const detail = typeof reason === 'string' && reason !== '' ? reason : code
    return new TransportError('protocol', `the response is not valid HTTP: ${detail}`, { cause })
  }
  if (code === 'ECONNRESET' && (cause as { syscall?: unknown }).syscall === undefined) {
    return new TransportError('protocol', 'the server closed the connection without a response', { cause })
  }
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    return new TransportError('connection', 'the server reset the connection', { cause })
  }
  if (code.startsWith('ERR_SSL')) return tlsFailure(cause)
  return new TransportError('connection', `the connection broke${code && ` (${code})`}`, { cause })
}

function codeOf(cause: unknown): string {
  const code = (cause as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : ''
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : ''
}
