/** What the executor needs of the network: one HTTP exchange, no redirects followed, no cookies kept. */
export type TransportRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Absolute URL, variables already resolved. */
  url: string
  /** In the order they are sent; names as written. */
  headers: [name: string, value: string][]
  body: Buffer | null
  /** Budget for the whole exchange, connection included, in milliseconds. */
  timeoutMs: number
  /** False lets an invalid certificate pass; the reason is then in `tlsWarning`. */
  rejectInvalidCerts: boolean
  signal: AbortSignal | null
  /** Is told how long the exchange waited for its turn, in milliseconds, before its budget began to count. */
  onWaited?: (ms: number) => void
  /** Is waited for before a large body is read on, or a coded one decoded. */
  reserveBody?: (signal: AbortSignal) => Promise<void>
}

export type DnsMeta = { resolvedIps: string[]; resolvedIp: string | null }

export type CertificateMeta = {
  subject: { cn?: string }
  subjectAltNames: string[]
  issuer: { cn?: string }
  /** ISO-8601, UTC. */
  notBefore: string
  notAfter: string
}

export type TlsMeta = { protocol: string; cipher: string; alpn: string | null; certificate: CertificateMeta | null }

/** Milliseconds on a monotonic clock, whole numbers; `tlsMs` is 0 without TLS. */
export type Timings = {
  responseTimeMs: number
  dnsMs: number
  connectMs: number
  tlsMs: number
  ttfbMs: number
  transferMs: number
}

export type TransportResponse = {
  status: number
  statusText: string
  /** Lower-cased names; a header sent several times is a list. */
  headers: Record<string, string | string[]>
  /** Decoded body (content codings undone); null when it passed the size limit and was read no further. */
  body: Buffer | null
  /** Bytes of the decoded body, or of what was read before the limit. */
  sizeBytes: number
  timings: Timings
  dns: DnsMeta
  tls: TlsMeta | null
  /** Why the certificate would have been refused, when `rejectInvalidCerts` is false. */
  tlsWarning: string | null
}

/** `busy`: the run ended before the exchange had its turn. */
export type TransportFailure = 'timeout' | 'busy' | 'connection' | 'tls' | 'blocked' | 'protocol' | 'aborted'

/** The exchange did not end in a response. `message` is fit for the result's `error` field. */
export class TransportError extends Error {
  readonly failure: TransportFailure
  constructor(failure: TransportFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'TransportError'
    this.failure = failure
  }
}

/** Performs one exchange, or throws `TransportError`. */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>
