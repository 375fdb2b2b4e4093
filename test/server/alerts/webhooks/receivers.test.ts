import { describe, expect, test } from 'vitest'
import type { PresetAccess, WebhookConfig } from '#server/alerts/webhooks/config.ts'
import { ALERT_CLOSED, type WebhookMessage } from '#server/alerts/webhooks/messages.ts'
import { requestOf } from '#server/alerts/webhooks/presets/presets.ts'
import { BASE, EVERY_KIND, FAILED, LONGEST, messageOf, RECOVERED, textsOf } from '#test/support/alerts/messages.ts'
import { ALERT_SERVICES } from '#test/support/alerts/services.ts'

// What the presets beside those of presets.test.ts send, against services that are as strict as their formats.

type Name = keyof typeof ALERT_SERVICES
const NAMES = Object.keys(ALERT_SERVICES) as Name[]
const AT = { id: 'd1', at: new Date(0), secrets: [] }

function sent(name: Name, message: WebhookMessage, given: { access?: PresetAccess; url?: string } = {}) {
  const base = ALERT_SERVICES[name].config(`https://${name}.example`)
  const config: WebhookConfig = {
    ...{ url: '', headers: {}, body: null, signingSecret: '' },
    ...base,
    ...given,
    access: { ...base.access, ...given.access },
  }
  const request = requestOf({ preset: name, method: 'POST', config }, message, AT)
  const isForm = request.headers.some(([, value]) => value === 'application/x-www-form-urlencoded')
  const fields = isForm ? Object.fromEntries(new URLSearchParams(request.body)) : JSON.parse(request.body)
  return {
    ...request,
    fields,
    text: textsOf(fields)
      .map(([, one]) => one)
      .join('\n'),
  }
}

test.each(NAMES)('%s accepts the message of every kind', (name) => {
  for (const [kind, message] of Object.entries(EVERY_KIND)) {
    const { status, body } = ALERT_SERVICES[name].answer(sent(name, message))
    expect(status, `${kind}: ${JSON.stringify(body)}`).toBeLessThan(300)
  }
})

test.each(NAMES)('%s accepts the longest and the most hostile texts, and no character is cut in half', (name) => {
  const { links } = FAILED.data
  for (const message of LONGEST.filter(({ data }) => !JSON.stringify(data).includes('\\ud800'))) {
    const request = sent(name, { ...message, data: { ...message.data, links } })
    const { status, body } = ALERT_SERVICES[name].answer(request)
    expect(status, `${message.type}: ${JSON.stringify(body)}`).toBeLessThan(300)
    for (const [path, text] of textsOf(request.fields)) expect(text.isWellFormed(), path).toBe(true)
  }
})

test.each(NAMES)('%s says what failed, for how long, and where to look', (name) => {
  const failed = sent(name, FAILED)
  const plain = failed.text.replaceAll('\\', '')
  expect(plain).toMatch(/\[Failed\] Example service [–-] status 500, expected 200/)
  expect(plain).toContain(`${BASE}/incidents/`)
  expect(sent(name, RECOVERED).text).toContain('1 min 5 s')
  // An SMS has no room for more.
  if (name !== 'twilio') {
    expect(plain).toContain('GET https://service.example/: status 500, expected 200')
    expect(plain).toContain('Internal Server Error')
  }
  const unlinked = sent(name, messageOf('service.failed', { links: undefined }))
  expect(unlinked.text).not.toContain('/incidents/')
  const example = sent(name, messageOf('webhook.test'))
  expect(example.text).toContain('a test notification')
  expect(example.text).not.toContain(BASE)
})

test.each(NAMES)('%s is reached at its own address, or at that of the webhook', (name) => {
  const own: Partial<Record<Name, string>> = {
    ntfy: 'https://ntfy.sh/',
    pushover: 'https://api.pushover.net/1/messages.json',
    twilio: `https://api.twilio.com/2010-04-01/Accounts/AC${'0'.repeat(32)}/Messages.json`,
  }
  if (own[name]) expect(sent(name, FAILED, { url: '' }).url).toBe(own[name])
  expect(sent(name, FAILED).url).toMatch(new RegExp(`^https://${name}.example/`))
})

describe('one alert per incident', () => {
  const ID = (FAILED.data.incident as { id: string }).id

  test('is fired and resolved at incident.io', () => {
    const key = `soundline-incident-${ID}`
    expect(sent('incidentio', FAILED).fields).toMatchObject({
      deduplication_key: key,
      status: 'firing',
      source_url: `${BASE}/incidents/${ID}`,
      metadata: { severity: 'critical', type: 'service.failed', service: 'Example service' },
    })
    expect(sent('incidentio', messageOf('service.reminder')).fields).toMatchObject({
      deduplication_key: key,
      status: 'firing',
    })
    for (const message of [RECOVERED, messageOf(ALERT_CLOSED)])
      expect(sent('incidentio', message).fields).toMatchObject({ deduplication_key: key, status: 'resolved' })
    expect(sent('incidentio', messageOf('webhook.test')).fields.deduplication_key).not.toBe(key)
  })

  test('alerts and is ok at Grafana OnCall', () => {
    const key = `soundline-incident-${ID}`
    expect(sent('oncall', FAILED).fields).toMatchObject({ alert_uid: key, state: 'alerting' })
    for (const message of [RECOVERED, messageOf(ALERT_CLOSED)])
      expect(sent('oncall', message).fields).toMatchObject({ alert_uid: key, state: 'ok' })
  })

  test('is one thread in Google Chat', () => {
    const threads = [FAILED, messageOf('service.reminder'), RECOVERED].map(
      (message) => sent('googlechat', message).fields.thread,
    )
    expect(new Set(threads.map((thread) => JSON.stringify(thread)))).toHaveLength(1)
  })
})

describe('how urgent a message is', () => {
  const kinds = [FAILED, EVERY_KIND['expiring certificate'], RECOVERED, EVERY_KIND.test].filter(
    (one) => one !== undefined,
  )

  test('rings for failures on a phone, not for recoveries and tests', () => {
    expect(kinds.map((message) => sent('ntfy', message).fields.priority)).toEqual([5, 4, 3, 3])
    expect(kinds.map((message) => sent('pushover', message).fields.priority)).toEqual(['1', '0', '0', '-1'])
  })

  test('is an emergency in Pushover only where the webhook says so, and only for failures', () => {
    const access: PresetAccess = { urgency: 'emergency' }
    const sentOf = (message: WebhookMessage) => sent('pushover', message, { access })
    expect(sentOf(FAILED).fields).toMatchObject({ priority: '2', retry: '60', expire: '3600' })
    expect(ALERT_SERVICES.pushover.answer(sentOf(FAILED)).status).toBe(200)
    expect(sentOf(messageOf('webhook.test')).fields.priority).toBe('-1')
    expect(sent('pushover', RECOVERED).fields).not.toHaveProperty('retry')
  })

  test('ends the ringing of an emergency in Pushover by its tag, when it is over', () => {
    const access: PresetAccess = { urgency: 'emergency' }
    const cases: [WebhookMessage | undefined, WebhookMessage | undefined][] = [
      [FAILED, RECOVERED],
      [EVERY_KIND.flapping, RECOVERED],
      [EVERY_KIND['lost agent'], EVERY_KIND['returned agent']],
    ]
    for (const [began, over] of cases) {
      if (!began || !over) throw new Error('both kinds exist')
      const request = sent('pushover', over, { access })
      const tag = sent('pushover', began, { access }).fields.tags
      expect(request.url).toBe(`https://pushover.example/1/receipts/cancel_by_tag/${tag}.json`)
      expect(ALERT_SERVICES.pushover.answer(request).status).toBe(200)
    }
  })
})

describe('names', () => {
  const named = (name: string) => messageOf('service.failed', { service: { id: 's', name } })
  const NAME = '@all <users/all> <b>[x](https://evil.example)</b> @room & co'

  test('mention nobody and are no markup in Google Chat', () => {
    const { fields } = sent('googlechat', named(NAME))
    expect(fields.fallbackText).not.toContain('<')
    const widgets = JSON.stringify(fields.cardsV2)
    expect(widgets).toContain('&lt;users/all&gt;')
    expect(widgets).not.toMatch(/<(?!\/?(b|font|br)\b)/)
  })

  test('mention nobody and are no Markdown in Mattermost, whose URLs stay whole', () => {
    const [attachment] = sent('mattermost', named(NAME)).fields.attachments
    expect(JSON.stringify(attachment)).not.toMatch(/@(all|room)/)
    expect(attachment.text).toContain('\\[x\\]\\(https://evil.example\\)')
    const url = 'https://shop.example/a_b-c?x=*1#d'
    const cause = `GET ${url}: status 500, expected 200`
    const failure = { ...(FAILED.data.failure as object), summary: cause }
    const { text } = sent('mattermost', messageOf('service.failed', { failure })).fields.attachments[0]
    expect(text).toContain('https://shop.example/a_b-c?x=')
  })

  test('mention nobody and are no markup in Matrix', () => {
    const { fields } = sent('matrix', named(NAME))
    expect(fields['m.mentions']).toEqual({})
    expect(fields.formatted_body).toContain('&lt;b&gt;[x](https://evil.example)&lt;/b&gt;')
    for (const message of LONGEST) {
      const open: string[] = []
      for (const [, slash, tag] of sent('matrix', message).fields.formatted_body.matchAll(/<(\/?)(\w+)[^>]*>/g)) {
        if (tag === 'br') continue
        if (slash === '') open.push(tag)
        else expect(open.pop()).toBe(tag)
      }
      expect(open).toEqual([])
    }
  })
})

test('Matrix gets the id of the delivery as its transaction', () => {
  expect(sent('matrix', FAILED).method).toBe('PUT')
  expect(sent('matrix', FAILED).url.split('/').at(-1)).toBe('d1')
})

test('an SMS is one part with a link, or without one that leaves no room', () => {
  const { Body: body } = sent('twilio', FAILED).fields
  expect(body).toMatch(
    /^\[Failed\] Example service - status 500, expected 200 https:\/\/probes\.example\.com\/incidents\//,
  )
  const long = { incident: `https://${'x'.repeat(100)}.example/`, result: null, service: null }
  expect(sent('twilio', messageOf('service.failed', { links: long })).fields.Body).not.toContain('https')
  const named = messageOf('service.failed', { service: { id: 's', name: '{x}'.repeat(40) } })
  expect(sent('twilio', named).fields.Body).toMatch(/\.\.\. https:/)
  const service = `MG${'0'.repeat(32)}`
  const { fields } = sent('twilio', FAILED, { access: { from: service } })
  expect(fields).toMatchObject({ MessagingServiceSid: service })
  expect(fields).not.toHaveProperty('From')
})
