import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'

// Parses `DATABASE_URL` for both drivers, because each of them interprets `sslmode` differently.

/** As in libpq: `require` encrypts but does not verify, and `verify-ca` verifies everything except the name. */
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const
export type SslMode = (typeof SSL_MODES)[number]

/** Synonyms in libpq and the Node drivers. */
const SAME_MODES: Record<string, SslMode> = { allow: 'prefer', 'no-verify': 'require' }

const CONNECT_MS = 3_000

/** The address of a database, and how to connect to it. */
export type DatabaseTarget = {
  /** A name or an address; with a leading slash the folder of a Unix socket. */
  host: string
  port: number
  user: string
  password: string
  database: string
  sslMode: SslMode
  /** TLS from the first byte, without a request for it (PostgreSQL 17). */
  isDirectTls: boolean
  /** The longest time to connect, TLS included. */
  connectMs: number
  /** Certificates, and how the server's certificate is verified. */
  tls: ConnectionOptions
}

/**
 * Parses a URL such as `postgres://user:password@host:5432/name?sslmode=verify-full&sslrootcert=/etc/ssl/db.pem`.
 * @throws Error with a reason of one line, without the password, when the URL is invalid
 */
export function parseDatabaseUrl(text: string): DatabaseTarget {
  const url = new URL(text)
  const given = (name: string) => url.searchParams.get(name) || null
  const host = given('host') ?? (decodeURIComponent(url.hostname.replace(/^\[(.*)\]$/, '$1')) || 'localhost')
  const user = given('user') ?? (decodeURIComponent(url.username) || 'postgres')
  const sslMode = sslModeOf(given)
  return {
    host,
    port: Number(given('port') ?? (url.port || 5432)),
    user,
    password: given('password') ?? decodeURIComponent(url.password),
    database: given('dbname') ?? (decodeURIComponent(url.pathname.slice(1)) || user),
    // PostgreSQL does not encrypt Unix sockets.
    sslMode: host.startsWith('/') ? 'disable' : sslMode,
    isDirectTls: given('sslnegotiation') === 'direct',
    connectMs: CONNECT_MS,
    tls: sslMode === 'disable' ? {} : tlsOptions(host, sslMode, given),
  }
}

type Given = (name: string) => string | null

function sslModeOf(given: Given): SslMode {
  const fallback = given('sslrootcert') === 'system' ? 'verify-full' : given('ssl') === 'true' ? 'require' : 'prefer'
  const mode = given('sslmode') ?? fallback
  const known = SAME_MODES[mode] ?? SSL_MODES.find((name) => name === mode)
  if (!known) throw new Error(`sslmode must be ${SSL_MODES.slice(0, -1).join(', ')} or ${SSL_MODES.at(-1)}`)
  // As libpq does: a root certificate is always used.
  if (known === 'require' && given('sslrootcert')) return 'verify-ca'
  return known
}

function tlsOptions(host: string, mode: SslMode, given: Given): ConnectionOptions {
  const file = (name: string) => {
    const path = given(name)
    if (path === null || path === 'system') return undefined
    try {
      return readFileSync(path)
    } catch (error) {
      throw new Error(`${name} ${path} cannot be read (${(error as NodeJS.ErrnoException).code})`)
    }
  }
  return {
    host,
    ca: file('sslrootcert'),
    cert: file('sslcert'),
    key: file('sslkey'),
    passphrase: given('sslpassword') ?? undefined,
    rejectUnauthorized: mode === 'verify-ca' || mode === 'verify-full',
    ...(mode === 'verify-full' ? {} : { checkServerIdentity: () => undefined }),
  }
}
