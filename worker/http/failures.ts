import { TransportError } from '#server/lace/transport.ts'

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

const CERTIFICATE_ERRORS: Record<string, string> = {
  CERT_HAS_EXPIRED: 'the certificate has expired',
  CERT_NOT_YET_VALID: 'the certificate is not valid yet',
  CERT_REVOKED: 'the certificate has been revoked',
  CERT_SIGNATURE_FAILURE: 'the signature of the certificate is wrong',
  CERT_UNTRUSTED: 'the certificate is not trusted for this use',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the certificate is self-signed',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
  INVALID_PURPOSE: 'the certificate is not meant for servers',
  SELF_SIGNED_CERT_IN_CHAIN: 'the certificate authority at the end of the chain is not trusted',
  UNABLE_TO_GET_ISSUER_CERT: 'the issuer of the certificate is not known',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the issuer of the certificate is not known',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the issuer of the certificate is not known',
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
  if (code in CERTIFICATE_ERRORS)
    return new TransportError('tls', describeCertificateError(code, messageOf(cause)), { cause })
  if (code === 'ECONNRESET' || code === 'EPIPE') {
    return new TransportError('tls', 'the server closed the connection during the TLS handshake', { cause })
  }
  // OpenSSL's `reason` is readable; its message contains thread and source line.
  const reason = (cause as { reason?: unknown })?.reason
  const detail = typeof reason === 'string' ? reason : code || 'unknown reason'
  return new TransportError('tls', `the TLS handshake failed: ${detail}`, { cause })
}

/** Describes a certificate error in words, with OpenSSL's code for looking it up. */
export function describeCertificateError(code: string, detail = ''): string {
  const description = `${CERTIFICATE_ERRORS[code] ?? 'the certificate could not be verified'} (${code})`
  return code === 'ERR_TLS_CERT_ALTNAME_INVALID' && detail ? `${description}: ${detail}` : description
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
