import { randomUUID } from 'node:crypto'
import createOpenApiClient, { type Client } from 'openapi-fetch'
import type { Cli } from '../cli.ts'
import { readConnection } from '../configuration/connection.ts'
import type { Login } from '../configuration/login-file.ts'
import { sendWithRetries } from './retry.ts'
import type { components, paths } from './schema.d.ts'

/** Shapes of the API by name, such as `Schemas['Service']`. */
export type Schemas = components['schemas']

export type ApiClient = Client<paths>

export type Connection = {
  /** The address of the installation, without a slash at the end. */
  url: string
  client: ApiClient
}

/** How long requests are tried again; see `RetryOptions`. */
type RetryLimits = { retryForMs?: number; deadline?: number }

const RETRY_FOR_MS = 90_000

/** Connects with the configured address and key. Nothing is sent yet. @throws CliError without a connection */
export async function connect(cli: Cli, options: RetryLimits = {}): Promise<Connection> {
  const login = await readConnection(cli)
  return { url: login.url, client: createClient(cli, login, options) }
}

/**
 * Creates a client that survives short outages: every request is tried again for `retryForMs`, and every POST has one
 * Idempotency-Key for all its tries, so that it takes effect once.
 */
export function createClient(cli: Cli, { url, key }: Login, options: RetryLimits = {}): ApiClient {
  const { retryForMs = RETRY_FOR_MS, deadline = Number.POSITIVE_INFINITY } = options
  const onRetry = (reason: string, pauseMs: number) => {
    cli.note(`${reason}; next try in ${Math.ceil(pauseMs / 1_000)} s`)
  }
  return createOpenApiClient<paths>({
    baseUrl: url,
    redirect: 'manual',
    headers: { Authorization: `Bearer ${key}`, 'User-Agent': `soundline-cli/${cli.version}` },
    fetch: (request) => {
      if (request.method === 'POST') request.headers.set('Idempotency-Key', randomUUID())
      return sendWithRetries(request, { send: cli.send, signal: cli.signal, retryForMs, deadline, onRetry })
    },
  })
}
