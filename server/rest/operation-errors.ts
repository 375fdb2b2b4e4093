import { ERRORS, type ErrorCode } from '../errors.ts'
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

/** What an operation takes, as far as it decides which errors it can answer. */
export type OperationInput = { hasId: boolean; hasChecked: boolean; hasRequiredQuery: boolean }

/**
 * The codes an operation can answer, by status: its own, those that follow from what it takes, and those of every
 * operation. In the order of the error table.
 */
export function errorsByStatus(route: Route, input: OperationInput): Map<number, ErrorCode[]> {
  const isWrite = route.method !== 'GET'
  const codes = new Set<ErrorCode>([...ALWAYS, ...(route.api.errors ?? [])])
  if (input.hasId) codes.add('invalid_uuid')
  // A write can also lose what it was about to touch to a deletion.
  if (input.hasId || isWrite) codes.add('not_found')
  if (input.hasChecked) codes.add('field_invalid')
  if (input.hasRequiredQuery) codes.add('field_required')
  if (isWrite) codes.add('api_key_read_only')
  if (isWrite) codes.add('invalid_request_body').add('request_body_too_large')
  const ordered = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => codes.has(code))
  return Map.groupBy(ordered, (code) => ERRORS[code])
}
