/**
 * The database did not respond, or not in time: the connection broke, no connection was free, or the request's deadline
 * passed. The transaction is rolled back, unless its commit was sent already.
 */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
  /** Callers check the code, not the class: Next bundles a second copy of the class. */
  readonly code = 'DATABASE_UNAVAILABLE'
}

/** The connection broke before a statement was answered. */
export class ConnectionBroken extends DatabaseUnavailable {}

const UNAVAILABLE = new Set([
  'DATABASE_UNAVAILABLE',
  // Cancelled by a deadline or statement_timeout; ended by an operator; shutting down or starting; no connection left.
  '57014',
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '53300',
  '25P03',
  // Out of file descriptors, disk or memory; an I/O error.
  '53000',
  '53100',
  '53200',
  '58030',
  // A former primary that is a standby now.
  '25006',
])
/** Connection exceptions: poolers report with them that they have no server. */
const CONNECTION_EXCEPTION = /^08[0-9A-Z]{3}$/
/** The disk of the server is full, or fails. */
const DISK_FAILED = new Set(['53100', '58030'])

const CAUSES_MAX = 8

/** Returns an error and its causes, outermost first: drizzle wraps the driver's errors. */
export function causesOf(error: unknown): Error[] {
  const causes: Error[] = []
  for (let cause = error; cause instanceof Error && causes.length < CAUSES_MAX; cause = cause.cause) causes.push(cause)
  return causes
}

/** Whether an error means that the database could not process a statement now, rather than that it refused one. */
export function isUnavailable(error: unknown): boolean {
  return causesOf(error).some((cause) => {
    const code = String((cause as { code?: unknown }).code)
    return UNAVAILABLE.has(code) || CONNECTION_EXCEPTION.test(code)
  })
}

/** Transactions rolled back, resources used up, an operator or the machine intervened: classes 40, 53, 57 and 58. */
const PASSING_CLASS = /^(40|53|57|58)/
/** An object is in use, and a lock was not free. */
const PASSING = new Set(['55006', '55P03'])

/** Whether the same statements may succeed later: the connection or the database's own state failed, not what was sent. */
export function isTransient(error: unknown): boolean {
  const { sqlState } = sqlErrorOf(error)
  return isUnavailable(error) || PASSING_CLASS.test(sqlState) || PASSING.has(sqlState)
}

/** Whether the server could not store because of its disk. */
export function isDiskFailure(error: unknown): boolean {
  return DISK_FAILED.has(sqlErrorOf(error).sqlState)
}

/** `key` is the text with which PostgreSQL names the columns and values that violate a unique constraint. */
export type SqlError = { sqlState: string; constraint: string | null; key: string | null }

/** Returns the SQLSTATE of an error, or an empty string without one, and the violated constraint. */
export function sqlErrorOf(error: unknown): SqlError {
  for (const cause of causesOf(error)) {
    const {
      code,
      constraint_name: constraint,
      detail,
    } = cause as { [field in 'code' | 'constraint_name' | 'detail']?: unknown }
    if (typeof code === 'string' && /^[0-9][0-9A-Z]{4}$|^(F0|HV|P0|XX)[0-9A-Z]{3}$/.test(code)) {
      return { sqlState: code, constraint: textOf(constraint), key: textOf(detail) }
    }
  }
  return { sqlState: '', constraint: null, key: null }
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
