import { describe, expect, test } from 'vitest'
import { screenSize, screensOf } from '#app/(dashboard)/(board)/wall/screens.ts'
import { localPath } from '#app/client/session/local-path.ts'
import { runTitle, serviceTitle } from '#app/client/titles/titles.ts'
import { bytesText, millisecondsText, percentText, responseTimeText } from '#app/components/numbers.ts'
import { relativeTimeText } from '#app/components/relative-time-text.ts'
import { causeParts } from '#app/components/status/cause-parts.ts'
import { elapsedText } from '#app/components/status/elapsed-text.ts'
import { SERVICE_STATES } from '#server/schemas/status/states.ts'
import { ongoingText, statusLabel, statusText } from '#server/schemas/status/status-text.ts'

test('statuses and states have one word each, and unknown ones are their own', () => {
  expect(['success', 'failure', 'timeout', 'skipped', 'constructor'].map(statusText)).toEqual([
    'passed',
    'failed',
    'timed out',
    'skipped',
    'constructor',
  ])
  expect(SERVICE_STATES.map(statusLabel)).toEqual([
    'Failing',
    'Degraded',
    'Unknown',
    'Passing',
    'Not run yet',
    'Paused',
  ])
  expect(['success', 'failure', 'timeout', 'skipped'].map(ongoingText)).toEqual([
    'passing',
    'failing',
    'timing out',
    'skipped',
  ])
  expect(runTitle({ state: 'done', outcome: 'timeout' }, 'Checkout')).toBe('Timed out · run of Checkout')
  expect(serviceTitle({ state: 'pending', name: 'Checkout' })).toBe('Not run yet · Checkout')
})

test('percentages are rounded down, and unknown numbers are a dash', () => {
  expect(percentText(9_999, 10_000)).toBe('99.9\u00a0%')
  expect(percentText(99_999, 100_000)).toBe('99.9\u00a0%')
  expect(percentText(3, 3)).toBe('100\u00a0%')
  expect(percentText(0, 0)).toBe('–')
  expect(millisecondsText(null)).toBe('–')
  expect(millisecondsText(0.04)).toBe('0\u00a0ms')
  expect(responseTimeText(0)).toBe('–')
  expect(responseTimeText(12)).toBe('12\u00a0ms')
  expect(millisecondsText(1_250)).toBe('1.25\u00a0s')
  expect(millisecondsText(125_000)).toBe('2\u00a0min 5\u00a0s')
  expect(bytesText(1_536)).toBe('1.5\u00a0KiB')
})

test('relative times use the largest unit that fits', () => {
  const now = Date.UTC(2026, 0, 1)
  expect(relativeTimeText(now - 1_000, now)).toBe('just now')
  expect(relativeTimeText(now - 59_000, now)).toBe('59 seconds ago')
  expect(relativeTimeText(now - 3_600_000, now)).toBe('1 hour ago')
  expect(relativeTimeText(now + 86_400_000 * 3, now)).toBe('in 3 days')
  expect(relativeTimeText(now + 86_400_000 * 3 - 20_000, now)).toBe('in 3 days')
  expect(relativeTimeText(now - 86_400_000 * 3 + 20_000, now)).toBe('2 days ago')
})

test('a local path is accepted only on this site', () => {
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

test('a cause is split into its request and the reason, which a long address must not hide', () => {
  expect(causeParts('POST https://shop.example/v2?a=b: status 503, expected 201: no (1 more failed)')).toEqual({
    request: 'POST https://shop.example/v2?a=b',
    reason: 'status 503, expected 201: no (1 more failed)',
  })
  expect(causeParts('the run exceeded its time limit')).toEqual({
    request: null,
    reason: 'the run exceeded its time limit',
  })
})

test('elapsed times have no seconds from a minute on', () => {
  expect(elapsedText(-5)).toBe('0\u00a0s')
  expect(elapsedText(59_999)).toBe('59\u00a0s')
  expect(elapsedText(795_000)).toBe('13\u00a0min')
  expect(elapsedText(10_925_000)).toBe('3\u00a0h 2\u00a0min')
})

describe('the screens of the wall', () => {
  const isLarge = (name: string) => name === name.toUpperCase()
  const screens = (names: string, columns: number, rows: number) =>
    screensOf([...names], isLarge, { columns, rows }).map((screen) => screen.join(''))

  test('have each service once, in its order', () => {
    expect(screens('', 3, 6)).toEqual([''])
    expect(screens('ABcdef', 3, 6)).toEqual(['ABcdef'])
    expect(screens('ABcdefgh', 2, 4)).toEqual(['ABcdef', 'gh'])
  })

  test('have room for large tiles only where two rows are left', () => {
    expect(screens('ABCDEf', 2, 5)).toEqual(['ABCD', 'Ef'])
    expect(screens('ABCDef', 2, 5)).toEqual(['ABCDef'])
    expect(screens('AB', 1, 2)).toEqual(['A', 'B'])
  })

  test('have as many tiles in 4K as in full HD, and at least one on a small window', () => {
    expect(screenSize(1_920, 1_080)).toEqual({ columns: 3, rows: 6 })
    expect(screenSize(3_840, 2_160)).toEqual(screenSize(1_920, 1_080))
    expect(screenSize(320, 100)).toEqual({ columns: 1, rows: 2 })
  })
})
