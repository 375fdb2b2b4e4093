/** One HTTP exchange: the transport follows no redirects and stores no cookies. */
export type TransportRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** The absolute URL, interpolated. The caller parses it once, so that the checked URL is the requested one. */
  url: URL
  /** In the order they are sent; names keep their case. */
  headers: [name: string, value: string][]
  body: Buffer | null
  /** For the whole exchange, connection included, in milliseconds. */
  timeoutMs: number
  /** When false, an invalid certificate is accepted and `tlsWarning` holds the reason. */
  rejectInvalidCerts: boolean
  signal: AbortSignal | null
  /** Called with the milliseconds that the exchange waited for a free connection, before `timeoutMs` began. */
  onWaited?: (ms: number) => void
  /** Awaited before the rest of a large body is read, and before a compressed body is decoded. */
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

/** A certificate without the names that it is valid for. */
export type CertificateDates = Omit<CertificateMeta, 'subjectAltNames'>

/** What a hop over TLS depends on: the certificate that expires first of the host's chain. `host` has the port unless 443. */
export type HopCertificate = CertificateDates & { host: string }

export type TlsMeta = { protocol: string; cipher: string; alpn: string | null; certificate: CertificateMeta | null }

/** Integer milliseconds on a monotonic clock; `tlsMs` is 0 without TLS. */
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
  /** By lower-case name; a header that was sent several times is an array. */
  headers: Record<string, string | string[]>
  /** The decoded body (without content codings); null when it exceeded the size limit and was not read to its end. */
  body: Buffer | null
  /** Bytes of the decoded body, or the bytes read up to the limit. */
  sizeBytes: number
  timings: Timings
  dns: DnsMeta
  tls: TlsMeta | null
  /** The certificate that expires first of the chain from the server's to the authority's. Absent without TLS. */
  firstToExpire?: CertificateDates | null
  /** Why the certificate is invalid, when `rejectInvalidCerts` is false. */
  tlsWarning: string | null
}

/** `busy`: no connection became free before the run ended. */
export type TransportFailure = 'timeout' | 'busy' | 'connection' | 'tls' | 'blocked' | 'protocol' | 'aborted'

/** The phases of an exchange, named like their timings, and what the exchange does in each. */
export const PHASES = {
  dns: 'looking up the host name',
  connect: 'connecting',
  tls: 'in the TLS handshake',
  ttfb: 'waiting for the response',
  transfer: 'reading the body',
} as const
export type Phase = keyof typeof PHASES

/** The exchange failed without a response. `message` becomes the result's `error`. */
export class TransportError extends Error {
  readonly failure: TransportFailure
  /** The phase in which a timeout fell; null for other failures. */
  readonly phase: Phase | null
  constructor(failure: TransportFailure, message: string, options: ErrorOptions & { phase?: Phase } = {}) {
    super(message, options)
    this.name = 'TransportError'
    this.failure = failure
    this.phase = options.phase ?? null
  }
}

/** Performs one exchange. @throws TransportError when there is no response */
export type Transport = (request: TransportRequest) => Promise<TransportResponse>

/** Stores a response body and returns its path; null when it was not stored. */
export type BodySink = (body: { callIndex: number; body: Buffer; contentType: string }) => Promise<string | null>
