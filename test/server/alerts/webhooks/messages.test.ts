import { expect, test } from 'vitest'
import { WEBHOOK_MESSAGE, WEBHOOK_TEMPLATE } from '#app/docs/guide/webhook-message.ts'
import {
  linksOf,
  sampleMessage,
  summarize,
  titleOf,
  type WebhookMessage,
  withLinks,
} from '#server/alerts/webhooks/messages.ts'
import { templateProblem } from '#server/alerts/webhooks/templates.ts'

// What people read first: the summary of a message, and the title of a mail.

const NAMES = {
  organization: { id: 'o', name: 'Acme' },
  workspace: { id: 'w', name: 'Shop' },
  project: { id: 'p', name: 'Web' },
  service: { id: 's', name: 'Checkout' },
}
const CAUSE = 'status 500, expected 200'
const FAILURE = { summary: `GET https://shop.example/cart: ${CAUSE} (2 more failed)`, cause: CAUSE, status: 'failure' }
const INCIDENT = { id: 'i', failingSince: '2026-11-21T10:00:00.000Z', summary: FAILURE.summary, downMs: null }
const RESULT = { id: 'r', status: 'failure', error: null }
const CERTIFICATE = { host: 'shop.example', notAfter: '2026-11-28T10:00:00.000Z', daysLeft: 7 }
const FLAPPING = { from: '2026-11-21T11:50:00.000Z', until: '2026-11-21T11:58:00.000Z', failures: 3 }
const AGENT = { organization: NAMES.organization, agent: { id: 'a', slug: 'eu-1', label: null } }

const of = (type: string, data: object): WebhookMessage => ({
  type,
  timestamp: '2026-11-21T12:05:00.000Z',
  data: { ...NAMES, ...data },
})

test.each<[string, object, summary: string, title: string]>([
  [
    'service.failed',
    { failure: FAILURE, incident: INCIDENT, result: RESULT },
    'Checkout (Shop / Web) failed: GET https://shop.example/cart: status 500, expected 200 (2 more failed)',
    '[Failed] Checkout – status 500, expected 200',
  ],
  [
    'service.failed',
    { failure: { summary: 'no response within 5000 ms', cause: 'no response within 5000 ms', status: 'timeout' } },
    'Checkout (Shop / Web) timed out: no response within 5000 ms',
    '[Failed] Checkout – no response within 5000 ms',
  ],
  [
    'service.failed',
    { result: { ...RESULT, status: 'timeout' } },
    'Checkout (Shop / Web) timed out',
    '[Failed] Checkout – timed out',
  ],
  ['service.failed', { result: RESULT }, 'Checkout (Shop / Web) failed', '[Failed] Checkout'],
  [
    'service.recovered',
    { failure: null, incident: { ...INCIDENT, downMs: 7_512_000 }, result: { ...RESULT, status: 'success' } },
    'Checkout (Shop / Web) has recovered after being down for 2 h 5 min',
    '[Recovered] Checkout – down for 2 h 5 min',
  ],
  [
    'service.recovered',
    { incident: null, result: { ...RESULT, status: 'success' } },
    'Checkout (Shop / Web) has recovered',
    '[Recovered] Checkout',
  ],
  [
    'service.flapping',
    { failure: FAILURE, incident: INCIDENT, flapping: FLAPPING },
    `Checkout (Shop / Web) is flapping: it failed 3 times in 8 min: ${FAILURE.summary}`,
    '[Flapping] Checkout – failed 3 times in 8 min',
  ],
  [
    'service.recovered',
    { failure: null, incident: { ...INCIDENT, downMs: 7_512_000 }, flapping: FLAPPING },
    'Checkout (Shop / Web) has recovered: it failed 3 times in 8 min',
    '[Recovered] Checkout – failed 3 times in 8 min',
  ],
  [
    'service.failed',
    { failure: FAILURE, incident: INCIDENT, flapping: FLAPPING },
    `Checkout (Shop / Web) still fails, and failed 3 times in 8 min: ${FAILURE.summary}`,
    `[Failed] Checkout – ${CAUSE}`,
  ],
  [
    'service.reminder',
    { failure: FAILURE, incident: INCIDENT },
    `Checkout (Shop / Web) is still failing after 2 h 5 min: ${FAILURE.summary}`,
    `[Still failing] Checkout – ${CAUSE}`,
  ],
  [
    'service.reminder',
    { incident: { ...INCIDENT, summary: undefined } },
    'Checkout (Shop / Web) is still failing after 2 h 5 min',
    '[Still failing] Checkout – for 2 h 5 min',
  ],
  [
    'certificate.expiring',
    { certificate: CERTIFICATE },
    'Checkout (Shop / Web): the certificate of shop.example expires in 7 days, 2026-11-28 10:00 UTC',
    '[Certificate] Checkout – shop.example expires in 7 days, 2026-11-28 10:00 UTC',
  ],
  [
    'certificate.expiring',
    { certificate: { ...CERTIFICATE, daysLeft: 1 } },
    'Checkout (Shop / Web): the certificate of shop.example expires in 1 day, 2026-11-28 10:00 UTC',
    '[Certificate] Checkout – shop.example expires in 1 day, 2026-11-28 10:00 UTC',
  ],
  [
    'certificate.expiring',
    { certificate: { ...CERTIFICATE, subject: 'R11' } },
    'Checkout (Shop / Web): the certificate "R11" of shop.example expires in 7 days, 2026-11-28 10:00 UTC',
    '[Certificate] Checkout – "R11" of shop.example expires in 7 days, 2026-11-28 10:00 UTC',
  ],
  [
    'certificate.expiring',
    { certificate: { ...CERTIFICATE, daysLeft: 0, notAfter: '2026-11-21T12:04:00.000Z' } },
    'Checkout (Shop / Web): the certificate of shop.example expired 2026-11-21 12:04 UTC',
    '[Certificate] Checkout – shop.example expired 2026-11-21 12:04 UTC',
  ],
  [
    'agent.lost',
    { ...AGENT, lastSeenAt: '2026-11-21T12:01:30.000Z', services: { total: 7, names: ['A', 'B', 'C', 'D', 'E', 'F'] } },
    'Agent eu-1 is lost: no heartbeat since 2026-11-21 12:01 UTC; 7 services use it: A, B, C, D, E and 2 more',
    '[Agent lost] eu-1 – 7 services use it: A, B, C, D, E and 2 more',
  ],
  [
    'agent.back',
    { ...AGENT, agent: { id: 'a', slug: 'eu-1', label: 'Frankfurt' }, services: { total: 1, names: ['Checkout'] } },
    'Agent Frankfurt is back; 1 service uses it: Checkout',
    '[Agent back] Frankfurt – 1 service uses it: Checkout',
  ],
  ['agent.back', AGENT, 'Agent eu-1 is back', '[Agent back] eu-1'],
])('%s %j', (type, data, summary, title) => {
  expect(summarize(of(type, data))).toBe(summary)
  expect(titleOf(of(type, data))).toBe(title)
})

test('a title is one line, and long causes are cut between characters', () => {
  const failure = { summary: '', cause: `a\r\nBcc: x\u2028${'😀'.repeat(200)}`, status: 'failure' }
  const title = titleOf(of('service.failed', { failure }))
  expect(title).toMatch(/^\[Failed\] Checkout – a Bcc: x 😀+…$/u)
  expect(title.length).toBeLessThan(200)
})

test('links lead to the result and the incident, where the installation knows its URL', () => {
  const base = 'https://probes.example.com'
  expect(linksOf(of('service.failed', { incident: INCIDENT, result: RESULT }), base)).toEqual({
    service: `${base}/services/s`,
    result: `${base}/services/s/results/r`,
    incident: `${base}/incidents/i`,
  })
  expect(linksOf(of('certificate.expiring', { certificate: CERTIFICATE }), base)).toEqual({
    service: `${base}/services/s`,
    result: null,
    incident: null,
  })
  const agent = { ...of('agent.lost', {}), data: AGENT }
  expect(linksOf(agent, base)).toEqual({ service: null, result: null, incident: null })
  expect(linksOf(of('service.failed', {}), undefined)).toBeNull()
})

test('a test message is like one about a failure', () => {
  const message = sampleMessage({ id: 'o', name: 'Acme' })
  expect(summarize(message)).toBe('Example service (Example workspace / Example project): a test notification')
  expect(summarize({ ...message, type: 'service.failed' })).toContain('GET https://service.example/: status 500')
})

test('the guide shows a message with the fields of real ones, and a template that is accepted', () => {
  const shapeOf = (value: unknown): unknown =>
    Array.isArray(value)
      ? value.map(shapeOf)
      : value !== null && typeof value === 'object'
        ? Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shapeOf(inner)]))
        : value === null
          ? null
          : typeof value
  const real = withLinks(sampleMessage({ id: 'o', name: 'Acme' }), 'https://soundline.example')
  expect(shapeOf(JSON.parse(WEBHOOK_MESSAGE))).toEqual(shapeOf(real))
  expect(templateProblem(WEBHOOK_TEMPLATE, 'application/json')).toBeNull()
})
