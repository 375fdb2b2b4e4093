import { CliError } from '../exit-codes.ts'

/** An error that the API returned. */
export class ApiFailure extends CliError {
  override readonly name = 'ApiFailure'
  readonly status: number
  /** Such as `not_found`; null when the response has none, as from a proxy. */
  readonly code: string | null
  readonly details: Readonly<Record<string, unknown>>

  constructor(status: number, body: unknown) {
    const { error, message, doc, details } = (typeof body === 'object' && body !== null ? body : {}) as ErrorBody
    const code = typeof error === 'string' ? error : null
    const reason = typeof message === 'string' ? `${message} (${code})` : (code ?? `the status ${status}`)
    super([`The installation refused: ${reason}`, ...detailLines(details), ...(doc ? [`See ${doc}`] : [])].join('\n'))
    this.status = status
    this.code = code
    this.details = details ?? {}
  }
}

/** The installation could not be reached, or did not respond as one, for as long as the command tried. */
export class ConnectionFailure extends CliError {
  override readonly name = 'ConnectionFailure'
}

type ErrorBody = { error?: unknown; message?: unknown; doc?: unknown; details?: Record<string, unknown> }

/** Returns the data of a call of the client. @throws ApiFailure */
export async function dataOf<T>(call: Promise<{ data?: T; error?: unknown; response: Response }>): Promise<T> {
  const { data, error, response } = await call
  // A response without content has no data.
  if (response.ok) return data as T
  throw new ApiFailure(response.status, error)
}

function detailLines(details: Record<string, unknown> | undefined): string[] {
  return Object.entries(details ?? {}).map(
    ([name, value]) => `  ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
}
