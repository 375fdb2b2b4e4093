import { beforeAll, describe, expect, test } from 'vitest'
import type { ScheduleKind } from '#server/schemas/schedule/preview.ts'
import { testApi } from '#test/support/api/api.ts'
import type { Key, Member } from '#test/support/factories.ts'

const NOW = new Date('2026-11-22T21:30:00Z')
const api = testApi({ now: () => NOW })
let member: Member
let key: Key

beforeAll(async () => {
  const organization = await api.create.organization({ timezone: 'Europe/Berlin' })
  member = await api.create.member(organization)
  key = await api.create.key(member)
})

async function preview(kind: ScheduleKind, expression: string, timezone?: string) {
  const { problem, times } = await (await api.caller(member)).schedule.preview({ kind, expression, timezone })
  return { problem, times: times.map(({ at, until }) => (until === null ? at : `${at} ${until}`)) }
}

describe('schedule.preview', () => {
  test('lists the next five runs of a schedule', async () => {
    const years = ['2028', '2032', '2036', '2040', '2044']
    expect(await preview('schedule', '0 6 29 2 *')).toEqual({
      problem: null,
      times: years.map((year) => `${year}-02-29T06:00:00.000Z`),
    })
    expect((await preview('schedule', '*/30 * * * *')).times[0]).toBe('2026-11-22T22:00:00.000Z')
  })

  test('lists runs at the local times of a time zone', async () => {
    const { times } = await preview('schedule', '0 9 1 * *', 'America/New_York')
    expect(times.map((time) => time.slice(0, 16))).toEqual([
      '2026-12-01T14:00',
      '2027-01-01T14:00',
      '2027-02-01T14:00',
      '2027-03-01T14:00',
      '2027-04-01T13:00',
    ])
    await expect(preview('schedule', '0 9 * * *', 'Mars/Olympus')).rejects.toThrow(/IANA time zone/)
  })

  test("lists the open window first, in the organization's time zone", async () => {
    const { problem, times } = await preview('quietHours', 'FREQ=DAILY;BYHOUR=22/540')
    expect(problem).toBeNull()
    expect(times).toHaveLength(5)
    expect(times.slice(0, 2)).toEqual([
      '2026-11-22T21:00:00.000Z 2026-11-23T06:00:00.000Z',
      '2026-11-23T21:00:00.000Z 2026-11-24T06:00:00.000Z',
    ])
  })

  test("follows daylight saving in the window's own time zone", async () => {
    const { times } = await preview('serviceWindow', 'FREQ=MONTHLY;BYMONTHDAY=1;BYHOUR=12/60/America/New_York')
    expect(times.map((time) => time.slice(0, 16))).toEqual([
      '2026-12-01T17:00',
      '2027-01-01T17:00',
      '2027-02-01T17:00',
      '2027-03-01T17:00',
      '2027-04-01T16:00',
    ])
  })

  test('lists fewer times when the rule ends', async () => {
    const rule = 'DTSTART=20261201T100000;FREQ=DAILY;COUNT=2/30/UTC'
    expect((await preview('serviceWindow', rule)).times).toHaveLength(2)
    expect(await preview('serviceWindow', rule.replace('2026', '2025'))).toEqual({ problem: null, times: [] })
  })

  test.each<[ScheduleKind, string, RegExp]>([
    ['schedule', '61 * * * *', /minute: "61"/],
    ['schedule', `${'1,'.repeat(20)}1 * * * *`, /at most 16 characters/],
    ['schedule', '0 0 31 2 *', /does not occur/],
    ['serviceWindow', 'FREQ=DAILY', /must have minutes/],
    ['serviceWindow', 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30/60', /never occurs, or takes too long/],
    ['quietHours', '', /not a part/],
  ])('says what is wrong with the %s %j', async (kind, expression, problem) => {
    expect(await preview(kind, expression)).toEqual({ problem: expect.stringMatching(problem), times: [] })
  })

  test('refuses longer expressions, and callers without a session', async () => {
    const caller = await api.caller(member)
    await expect(caller.schedule.preview({ kind: 'schedule', expression: 'x'.repeat(257) })).rejects.toThrow(
      /at most 256 characters/,
    )
    expect(await api.call(key, 'GET', '/schedule/preview')).toMatchObject({ status: 404 })
  })
})
