import { ERROR_CODES, ERRORS, type ErrorCode } from '../../schemas/errors/error-table.ts'
import type { Route } from './route.ts'

const ALWAYS: ErrorCode[] = [
  'invalid_path',
  'missing_auth_header',
  'invalid_token',
  'invalid_api_key',
  'api_key_revoked',
  'api_key_expired',
  'api_key_owner_inactive',
  'totp_enrollment_required',
  'rate_limited',
  'too_many_unknown_keys',
  'internal_error',
  'service_unavailable',
]

/** The facts about an operation's input that decide which errors it can return. */
export type OperationInput = { hasId: boolean; hasChecked: boolean; hasRequiredQuery: boolean }

/**
 * Returns the codes that an operation can return, by status, in the order of the error table: its own, those that follow
 * from its input, and those of every operation.
 */
export function errorsByStatus(route: Route, input: OperationInput): Map<number, ErrorCode[]> {
  const isWrite = route.method !== 'GET'
  const codes = new Set<ErrorCode>([...ALWAYS, ...(route.api.errors ?? [])])
  if (input.hasId) codes.add('invalid_uuid')
  // The row of a write can be deleted during the write.
  if (input.hasId || isWrite) codes.add('not_found')
  if (input.hasChecked) codes.add('field_invalid')
  if (input.hasRequiredQuery) codes.add('field_required')
  if (isWrite) codes.add('api_key_read_only')
  if (route.method === 'POST') {
    codes.add('field_invalid').add('idempotency_mismatch').add('idempotency_in_progress')
  }
  if (isWrite) codes.add('invalid_request_body').add('request_body_too_large')
  const ordered = ERROR_CODES.filter((code) => codes.has(code))
  return Map.groupBy(ordered, (code) => ERRORS[code].status)
}
