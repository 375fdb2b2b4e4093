import { describe, expect, test } from 'vitest'
import { type HeldSilence, suppressionOf } from '#server/alerts/alerts/silencing.ts'

const EVENT = { kind: 'service.failed', workspaceId: 'w', projectId: 'p', serviceId: 's' }
const NOON = new Date('2026-06-03T12:00:00Z')

function silence(given: Partial<HeldSilence> = {}): HeldSilence {
  return {
    id: 'silence',
    channel: 'email',
    config: null,
    quietHours: null,
    workspaceId: null,
    projectId: null,
    serviceId: null,
    ...given,
  }
}

function silenced(given: Partial<HeldSilence>, { event = EVENT, at = NOON, timezone = 'UTC' } = {}): boolean {
  return suppressionOf([silence(given)], event, 'email', at, timezone) !== null
}

describe('suppressionOf', () => {
  test('without silences nothing is silenced', () => {
    expect(suppressionOf([], EVENT, 'email', NOON, 'UTC')).toBe(null)
  })

  test('the channels email and all silence mails, of everything or of a resource and everything below it', () => {
    for (const channel of ['email', 'all'] as const) {
      expect(silenced({ channel })).toBe(true)
      for (const own of [{ workspaceId: 'w' }, { projectId: 'p' }, { serviceId: 's' }]) {
        expect(silenced({ channel, ...own })).toBe(true)
      }
      for (const other of [{ workspaceId: 'w2' }, { projectId: 'p2' }, { serviceId: 's2' }, { serviceId: 'p' }]) {
        expect(silenced({ channel, ...other })).toBe(false)
      }
    }
  })

  test('one matching silence of many is enough', () => {
    const held = [silence({ serviceId: 'x' }), silence({ projectId: 'p' })]
    expect(suppressionOf(held, EVENT, 'email', NOON, 'UTC')).not.toBe(null)
  })

  test('events lists the kinds that a silence covers', () => {
    expect(silenced({ config: '{"events":["service.failed"]}' })).toBe(true)
    expect(silenced({ config: '{"events":["service.recovered"]}' })).toBe(false)
    expect(silenced({ config: '{}' })).toBe(true)
    // Flapping is a kind of failure, and no failure is a kind of flapping.
    const flapping = { ...EVENT, kind: 'service.flapping' }
    expect(silenced({ config: '{"events":["service.failed"]}' }, { event: flapping })).toBe(true)
    expect(silenced({ config: '{"events":["service.recovered"]}' }, { event: flapping })).toBe(false)
    expect(silenced({ config: '{"events":["service.flapping"]}' })).toBe(false)
  })

  test('until ends a silence, to the millisecond', () => {
    const config = '{"until":"2026-06-03T14:00:00+02:00"}'
    expect(silenced({ config }, { at: new Date(NOON.getTime() - 1) })).toBe(true)
    expect(silenced({ config }, { at: NOON })).toBe(false)
  })

  test("quiet hours apply while their window is open, in their own zone or the organization's", () => {
    const quiet = (quietHours: string, at: string, timezone = 'UTC') =>
      silenced({ channel: 'quiet-hours', quietHours }, { at: new Date(at), timezone })
    const night = 'FREQ=DAILY;BYHOUR=22/480'
    expect(quiet(night, '2026-06-03T21:59:59Z')).toBe(false)
    expect(quiet(night, '2026-06-03T22:00:00Z')).toBe(true)
    expect(quiet(night, '2026-06-04T05:59:59Z')).toBe(true)
    expect(quiet(night, '2026-06-04T06:00:00Z')).toBe(false)
    expect(quiet(night, '2026-06-03T20:00:00Z', 'Europe/Berlin')).toBe(true)
    expect(quiet(`${night}/America/New_York`, '2026-06-04T02:00:00Z', 'Europe/Berlin')).toBe(true)
    expect(quiet(`${night}/America/New_York`, '2026-06-03T22:00:00Z', 'Europe/Berlin')).toBe(false)
    // One hour by default.
    expect(quiet('FREQ=DAILY;BYHOUR=22', '2026-06-03T22:59:59Z')).toBe(true)
    expect(quiet('FREQ=DAILY;BYHOUR=22', '2026-06-03T23:00:00Z')).toBe(false)
  })

  test('a silence applies only if all its parts do', () => {
    const quietHours = 'FREQ=DAILY;BYHOUR=12/60'
    const config = '{"events":["service.failed"],"until":"2027-01-01T00:00:00Z"}'
    expect(silenced({ serviceId: 's', quietHours, config })).toBe(true)
    expect(silenced({ serviceId: 's', quietHours: 'FREQ=DAILY;BYHOUR=13/60', config })).toBe(false)
    expect(silenced({ serviceId: 's2', quietHours, config })).toBe(false)
    expect(silenced({ quietHours, config }, { event: { ...EVENT, kind: 'service.recovered' } })).toBe(false)
  })
})
