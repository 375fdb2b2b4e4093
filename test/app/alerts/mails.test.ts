import type { Page } from 'playwright-core'
import { v7 as uuidv7 } from 'uuid'
import { beforeAll, describe, expect, test } from 'vitest'
import type { EventKind } from '#db/schema/alerts.ts'
import { renderText } from '#server/alerts/mail/content.ts'
import { asKindOf, digestMail } from '#server/alerts/mail/digest-content.ts'
import { eventContent, type MailReader } from '#server/alerts/mail/event-content.ts'
import { renderHtml } from '#server/alerts/mail/layout.ts'
import { titleOf, type WebhookMessage } from '#server/alerts/webhooks/messages.ts'
import { FAILURE } from '#test/support/alerts/alert-world.ts'
import { accessibilityViolations } from '#test/support/browser/accessibility.ts'
import { testBrowser } from '#test/support/browser/browser.ts'
import { scrollsSideways } from '#test/support/browser/pages.ts'
import { type HttpTarget, startHttpTarget } from '#test/support/targets/http-target.ts'

// Alert mails as a browser shows them: in light and dark, wide and on a phone, without loading anything.

const browser = testBrowser()
const AT = '2026-11-22T03:05:00.000Z'

let shown = ''
let target: HttpTarget
let page: Page
beforeAll(async () => {
  target = await startHttpTarget((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(shown)
  })
  page = await browser.open(`http://127.0.0.1:${target.port}`)
  return () => target.close()
})

const reader: MailReader = {
  heardThrough: [
    { kind: 'group', group: 'On call', resourceType: 'workspace', resourceName: 'Shop' },
    { kind: 'follow', group: null, resourceType: 'service', resourceName: 'Checkout' },
  ],
  timezone: 'Europe/Berlin',
  baseUrl: 'https://probes.example.com',
  stop: { label: 'Stop mails about the service Checkout', url: 'https://probes.example.com/unsubscribe#token' },
}

const named = (name: string) => ({ id: uuidv7(), name })
function message(type: EventKind, data: object = {}, service = 'Checkout'): WebhookMessage {
  const place = { organization: named('Acme'), workspace: named('Shop'), project: named('Webshop') }
  return { type, timestamp: AT, data: { ...place, service: named(service), ...data } }
}
const incident = { id: uuidv7(), failingSince: '2026-11-22T02:52:48.000Z', summary: FAILURE.summary, downMs: null }
const result = { id: uuidv7(), status: 'failure', startedAt: AT, agentSlug: 'eu-1', totalResponseMs: 1_204 }
const agents = [
  { agentSlug: 'eu-1', status: 'failure', since: incident.failingSince, failingRuns: 3, summary: FAILURE.summary },
  { agentSlug: 'eu-2', status: 'timeout', since: AT, failingRuns: 1, summary: `${'no response '.repeat(30)}` },
  { agentSlug: 'us-1', status: 'success', since: '2026-11-20T00:00:00.000Z', failingRuns: 0, summary: null },
]
const failed = message('service.failed', {
  incident,
  result,
  failure: { ...FAILURE, excerpt: `{"message":"no connection","trace":"${'x'.repeat(300)}"}` },
  agents,
})
const recovered = message('service.recovered', {
  incident: { ...incident, downMs: 7_512_000 },
  result: { ...result, status: 'success' },
  failure: null,
  agents: [],
})
const certificate = message('certificate.expiring', {
  certificate: {
    host: 'shop.example',
    notAfter: '2026-11-29T10:00:00.000Z',
    daysLeft: 7,
    subject: '*.shop.example',
    issuer: 'R11',
  },
})
const lost: WebhookMessage = {
  type: 'agent.lost',
  timestamp: AT,
  data: {
    agent: { id: uuidv7(), slug: 'eu-1', label: 'Frankfurt' },
    lastSeenAt: incident.failingSince,
    services: { total: 7, names: ['Checkout', 'Search', 'Cart', 'Login', 'Home'] },
  },
}

const single = (one: WebhookMessage) => ({ subject: titleOf(one), content: eventContent(one, reader) })
const storm = () => {
  const names = ['Cart', 'Checkout', 'Search', 'Login', 'Product page with a rather long name that wraps on a phone']
  const messages = names.map((name) => message('service.failed', { incident, failure: FAILURE }, name))
  const counts = new Map<EventKind, number>([
    ['service.failed', 17],
    ['service.recovered', 1],
  ])
  return digestMail({ messages: [...messages, recovered], counts, isQuietEnd: false }, reader)
}
const quiet = () => {
  const messages = [failed, certificate, lost].map((one) => ({ ...one, type: asKindOf(one.type as EventKind) }))
  const counts = new Map<EventKind, number>(messages.map(({ type }) => [type as EventKind, 1]))
  return digestMail({ messages, counts, isQuietEnd: true }, reader)
}

test('the mail says how runs ended in the words of the dashboard', () => {
  const text = renderText(single(failed).content)
  expect(text).toContain('Run: failed on eu-1')
  expect(text).toMatch(
    /- eu-1: failing, 3 runs in a row, since .*\n- eu-2: timing out, since .*\n- us-1: passing, since /,
  )
  expect(text).not.toMatch(/\b(success|failure|timeout)\b/)
})

describe('the mail', () => {
  test.each([
    ['of a failure', () => single(failed)],
    ['of a recovery', () => single(recovered)],
    ['of a certificate', () => single(certificate)],
    ['of a lost agent', () => single(lost)],
    ['of a storm', storm],
    ['after quiet hours', quiet],
  ])('%s is accessible in light and dark, and as narrow as a phone', async (_, make) => {
    const { subject, content } = make()
    shown = renderHtml(content, subject)
    expect(renderText(content)).not.toMatch(/undefined|null|NaN/)
    await page.setViewportSize({ width: 1280, height: 720 })
    await page.goto('/')
    expect(await page.title()).toBe(subject)
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
    expect(await page.evaluate(() => document.body.textContent)).not.toMatch(/undefined|null|NaN/)
    for (const colorScheme of ['dark', 'light'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await accessibilityViolations(page)).toEqual([])
    }
    await page.setViewportSize({ width: 320, height: 700 })
    expect(await scrollsSideways(page)).toBe(false)
  })
})
