import { AGENT_ERRORS } from './agent-errors.ts'
import { DASHBOARD_ERRORS } from './dashboard-errors.ts'
import { type ErrorEntry, textWith } from './error-text.ts'
import { PUBLIC_ERRORS } from './public-errors.ts'

export type PublicErrorCode = keyof typeof PUBLIC_ERRORS
export type AgentErrorCode = keyof typeof AGENT_ERRORS
export type ErrorCode = PublicErrorCode | keyof typeof DASHBOARD_ERRORS | AgentErrorCode

/**
 * Every error code with its status, its meaning and what to do. Responses, document, guide and dashboard derive from
 * it.
 */
export const ERRORS: Record<ErrorCode, ErrorEntry> = { ...PUBLIC_ERRORS, ...DASHBOARD_ERRORS, ...AGENT_ERRORS }

export const ERROR_CODES = Object.keys(ERRORS) as ErrorCode[]

/** The codes of the public API and of the HTTP front before it. */
export const PUBLIC_ERROR_CODES = Object.keys(PUBLIC_ERRORS) as PublicErrorCode[]

/** The codes that only remote agents get. */
export const AGENT_ERROR_CODES = Object.keys(AGENT_ERRORS) as AgentErrorCode[]

/** An error as the texts need it. `advice` replaces the code's action. */
type ShownError = { api: ErrorCode; details?: Record<string, unknown> | undefined; advice?: string | undefined }

/** Returns the `message` of a response: what to do. */
export function messageOf({ api, details = {}, advice }: ShownError): string {
  return advice ?? textWith(ERRORS[api].action, details)
}

/** Returns whin the dashboard shows: what happened and what to do. */
export function dashboardTextOf({ api, details = {} }: ShownError): string {
  const { meaning, action, dashboard } = ERRORS[api]
  return dashboard === undefined ? `${meaning} ${textWith(action, details)}` : textWith(dashboard, details)
}
