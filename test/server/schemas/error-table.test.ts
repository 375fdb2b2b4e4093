import { describe, expect, test } from 'vitest'
import { findDocument } from '#app/docs/documents.ts'
import {
  AGENT_ERROR_CODES,
  dashboardTextOf,
  ERROR_CODES,
  ERRORS,
  type ErrorCode,
  messageOf,
  PUBLIC_ERROR_CODES,
} from '#server/schemas/errors/error-table.ts'
import { sources } from '#test/support/code/sources.ts'

/** Codes of requests with keys or of agents, and of requests that no browser sends. The dashboard never gets them. */
const OTHER_CALLERS = new Set<ErrorCode>([
  ...['missing_auth_header', 'invalid_token', 'invalid_api_key', 'too_many_unknown_keys'],
  ...['api_key_revoked', 'api_key_expired', 'api_key_owner_inactive', 'api_key_read_only'],
  ...['idempotency_mismatch', 'idempotency_in_progress'],
  ...['bad_request', 'length_required', 'request_timeout', 'request_headers_too_large'],
  ...AGENT_ERROR_CODES,
] as ErrorCode[])

describe('the table of errors', () => {
  test.each(ERROR_CODES)('%s has a status, a meaning and an action, with and without details', (code) => {
    const { status, meaning, details = [] } = ERRORS[code]
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(600)
    expect(meaning).toMatch(/^[A-Z].*\.$/)
    const whole = Object.fromEntries(
      details.map((name) => [name, name === 'max' || name === 'maxBytes' ? 7 : 'example']),
    )
    for (const given of [{}, whole]) {
      expect(messageOf({ api: code, details: given })).toMatch(/^[A-Z][^\n]{7,400}\.$/)
      expect(messageOf({ api: code, details: given })).not.toMatch(/undefined|\[object|\.\.$/)
    }
  })

  test('has the codes that the program answers with, and no other', () => {
    const texts = sources(['server'])
      .filter(({ file }) => !file.startsWith('server/schemas/errors/'))
      .map(({ text }) => text)
    const thrown = texts.flatMap((text) => [...text.matchAll(/new ApiError\(\s*'(\w+)'/g)].map(([, code]) => code))
    expect(thrown.length).toBeGreaterThan(100)
    expect([...new Set(thrown)].filter((code) => !ERROR_CODES.some((known) => known === code))).toEqual([])
    const unused = ERROR_CODES.filter((code) => !texts.some((text) => text.includes(`'${code}'`)))
    expect(unused).toEqual([])
  })
})

describe('the dashboard', () => {
  const codes = ERROR_CODES.filter((code) => !OTHER_CALLERS.has(code))

  test.each(codes)('shows %s in words of a person in front of a form', (code) => {
    const text = dashboardTextOf({ api: code })
    expect(text).toMatch(/^[A-Z].*\.$/)
    expect(text).not.toMatch(/`|Retry-After|UUID|header|undefined/)
  })

  test('names the field and the reason of a value that is not accepted', () => {
    const details = { field: 'serviceWindow', reason: 'has no minutes' }
    expect(dashboardTextOf({ api: 'field_invalid', details })).toBe('Service window: has no minutes')
    expect(dashboardTextOf({ api: 'field_required', details: { field: 'script' } })).toBe('Script is required.')
  })

  test('shows meaning and action where no words of its own are needed', () => {
    const shown = dashboardTextOf({ api: 'variable_limit_reached', details: { max: 100 } })
    expect(shown).toBe(
      'The scope has reached its limit of variables. Delete a variable first: a scope has at most 100.',
    )
  })
})

describe('the guide', () => {
  test('shows status, meaning and action of each code of the API', () => {
    const text = String(findDocument('/docs/guide'))
    for (const code of PUBLIC_ERROR_CODES) {
      const { status, meaning } = ERRORS[code]
      expect(text).toContain(`### \`${code}\`\n\nStatus ${status}. ${meaning}`)
      expect(text).toContain(messageOf({ api: code }))
    }
  })

  test('shows the same of each code of agents', () => {
    const text = String(findDocument('/docs/guide/agents'))
    for (const code of AGENT_ERROR_CODES) {
      const { status, meaning } = ERRORS[code]
      expect(text).toContain(`| \`${code}\` | ${status} | ${meaning} | ${messageOf({ api: code })} |`)
    }
  })
})
