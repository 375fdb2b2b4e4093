import { describe, expect, test } from 'vitest'
import { hearersText } from '#app/(dashboard)/services/[serviceId]/header/hearers.ts'
import { zoomIn } from '#app/(dashboard)/services/[serviceId]/history/selection.ts'
import { versionMarks } from '#app/(dashboard)/services/[serviceId]/history/version-marks.ts'
import { timeLabels } from '#app/components/charts/time-labels.ts'
import type { AlertedWebhook, AlertRecipient } from '#server/schemas/alerts/alerting.ts'

const HOUR_MS = 3_600_000
const START = Date.parse('2026-11-22T22:00:00Z')
const at = (hours: number) => new Date(START + hours * HOUR_MS).toISOString()
const buckets = Array.from({ length: 100 }, (_, hour) => ({ start: at(hour), end: at(hour + 1) }))

describe('the marks of versions', () => {
  const marksOf = (...hours: number[]) =>
    versionMarks(
      's',
      hours.map((hour, i) => ({ version: i + 1, firstRunAt: at(hour) })),
      buckets,
    )

  test('each leads to what its version changed', () => {
    expect(marksOf(10, 50)).toEqual([
      { at: 0.1, text: 'v1', title: 'v1: what it changed', href: '/services/s/script?compare=1' },
      { at: 0.5, text: 'v2', title: 'v2: what it changed', href: '/services/s/script?compare=2' },
    ])
  })

  test('those that would cover each other are one mark, which leads to all they changed', () => {
    const found = marksOf(10, 50, 52, 54)
    expect(found.map(({ text }) => text)).toEqual(['v1', 'v2–4'])
    expect(found[1]).toMatchObject({
      at: 0.5,
      title: 'v2–4: what they changed',
      href: '/services/s/script?compare=1..4',
    })
  })

  test('one outside of the zoomed part is left out', () => {
    expect(marksOf(-1, 101)).toEqual([])
  })
})

describe('the part that a URL names', () => {
  const zoomOf = (zoom: string) => zoomIn(new URLSearchParams({ zoom }))

  test('has two instants in their order', () => {
    expect(zoomOf(`${at(0)}/${at(3)}`)).toEqual({ since: at(0), until: at(3) })
  })

  test('is left out where it is none', () => {
    const wrong = ['', at(0), `${at(3)}/${at(0)}`, `${at(0)}/${at(0)}`, `${at(0)}/${at(24 * 92)}`, `${at(0)}/x`]
    expect([...wrong, `${at(0)}/${at(1)}/${at(2)}`].map(zoomOf).filter((zoom) => zoom !== null)).toEqual([])
  })
})

test('a zoomed part has few labels, with the date where a day begins', () => {
  const labels = timeLabels(buckets.slice(0, 12), { length: 'hour' }, 'UTC')
  expect(labels.map(({ text }) => text)).toEqual(['22 Nov', '23 Nov', '02:00', '04:00', '06:00', '08:00'])
})

describe('who hears of a failure', () => {
  const member = (name: string | null): AlertRecipient => ({
    ...{ orgUserId: null, name, email: name && `${name.toLowerCase()}@acme.test`, heardThrough: [] },
    ...{ isSilenced: false, silencedReason: null, silencedUntil: null, silence: null },
  })
  const webhook = (name: string, enabled = true): AlertedWebhook => ({
    webhookId: name,
    name,
    enabled,
    heardThrough: [],
  })
  const textOf = (names: (string | null)[], webhooks: AlertedWebhook[] | null, members = 0, bound = 0) =>
    hearersText(
      {
        recipients: names.map(member),
        recipientsTotal: members || names.length,
        webhooks,
        webhooksTotal: bound || (webhooks?.length ?? 0),
      },
      'ada@acme.test',
    )

  test('names two members and a single webhook, and counts the others', () => {
    expect(textOf(['Ada'], [])).toBe('You')
    expect(textOf(['Ada', 'Ben', 'Cleo'], [webhook('Pager')])).toBe('You, Ben, 1 more member, and the webhook Pager')
    expect(textOf(['Ben', null], [webhook('a'), webhook('b'), webhook('c', false)], 100)).toBe(
      'Ben, A member, 98 more members, and 2 webhooks',
    )
  })

  test('counts webhooks that the reader may not see', () => {
    expect(textOf([], null, 0, 3)).toBe('3 webhooks')
  })

  test('is nobody without a member and an enabled webhook', () => {
    expect(textOf([], [webhook('Pager', false)])).toBe(null)
  })
})
