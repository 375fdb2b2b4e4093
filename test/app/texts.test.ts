import { expect, test } from 'vitest'
import { hasMessage, messageFor } from '#app/client/error-messages.ts'
import { localPath } from '#app/client/local-path.ts'
import { relativeTimeText } from '#app/components/instant.tsx'
import { bytesText, millisecondsText, percentText } from '#app/components/numbers.ts'
import { ERRORS } from '#server/errors.ts'

/** Answers of the keyed API's own gate, which the dashboard never meets. */
const KEYS_ONLY = [
  'missing_auth_header',
  'invalid_token',
  'invalid_api_key',
  'api_key_revoked',
  'api_key_expired',
  'api_key_owner_inactive',
  'api_key_read_only',
  'too_many_unknown_keys',
]

test('every refusal that can reach a page has words for people', () => {
  const missing = Object.keys(ERRORS).filter((code) => !hasMessage(code) && !KEYS_ONLY.includes(code))
  expect(missing).toEqual([])
  for (const code of Object.keys(ERRORS)) expect(messageFor(code, {})).toMatch(/^[A-Z].*[.]$/)
  expect(messageFor('never_heard_of', {})).toContain('never_heard_of')
})

test('a refusal that names a field says which and why', () => {
  expect(messageFor('field_invalid', { field: 'serviceWindow', reason: 'has no minutes' })).toBe(
    'Service window: has no minutes',
  )
  expect(messageFor('field_required', { field: 'script' })).toBe('Script is required.')
})

test('numbers are rounded in the direction that does not flatter', () => {
  expect(percentText(9_999, 10_000)).toBe('99.99 %')
  expect(percentText(99_999, 100_000)).toBe('99.99 %')
  expect(percentText(3, 3)).toBe('100 %')
  expect(percentText(0, 0)).toBe('–')
  expect(millisecondsText(null)).toBe('–')
  expect(millisecondsText(0.04)).toBe('0 ms')
  expect(millisecondsText(1_250)).toBe('1.25 s')
  expect(millisecondsText(125_000)).toBe('2 min 5 s')
  expect(bytesText(1_536)).toBe('1.5 KiB')
})

test('times are told in the largest unit that fits', () => {
  const now = Date.UTC(2026, 0, 1)
  expect(relativeTimeText(now - 1_000, now)).toBe('just now')
  expect(relativeTimeText(now - 59_000, now)).toBe('59 seconds ago')
  expect(relativeTimeText(now - 3_600_000, now)).toBe('1 hour ago')
  expect(relativeTimeText(now + 86_400_000 * 3, now)).toBe('in 3 days')
  expect(relativeTimeText(now + 86_400_000 * 3 - 20_000, now)).toBe('in 3 days')
  expect(relativeTimeText(now - 86_400_000 * 3 + 20_000, now)).toBe('2 days ago')
})

test('sign-in leads only to pages of this site', () => {
  expect(localPath('/services/1?page=2')).toBe('/services/1?page=2')
  for (const path of [
    '//evil.test',
    '/\\evil.test',
    'https://evil.test',
    'javascript:alert(1)',
    '',
    '/a\nb',
    null,
    ['/a'],
  ]) {
    expect(localPath(path)).toBe('/')
  }
})
