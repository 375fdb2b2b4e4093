import { readFileSync } from 'node:fs'
import type { ConnectionOptions } from 'node:tls'

// One reading of `DATABASE_URL` for both drivers, since each of them understands `sslmode` in its own way.

/** As libpq means them: `require` encrypts and verifies nothing, `verify-ca` verifies all but the name. */
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full'] as const
export type SslMode = (typeof SSL_MODES)[number]

/** Spellings of libpq and of the Node drivers that mean one of ours. */
const SAME_MODES: Record<string, SslMode> = { allow: 'prefer', 'no-verify': 'require' }

const CONNECT_MS = 3_000

/** Where a database is, and how a connection to it is made. */
export type DatabaseTarget = {
  /** A name or an address; the folder of the Unix socket where it begins with a slash. */
  host: string
  port: number
  user: string
  password: string
  database: string
  sslMode: SslMode
  /** TLS from the first byte on, without asking first (PostgreSQL 17). */
  isDirectTls: boolean
  /** Longest time until a connection stands, TLS included. */
  connectMs: number
  /** Certificates and what of the server's is verified. */
  tls: ConnectionOptions
}

/**
 * Reads a URL such as `postgres://user:password@host:5432/name?sslmode=verify-full&sslrootcert=/etc/ssl/db.pem`.
 * @throws Error that says in one line what is wrong with it, without the password
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
    // A socket of the machine itself is never encrypted.
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
  // What libpq does, so that a root certificate is never named in vain.
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
