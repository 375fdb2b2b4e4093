import { describe, expect, test } from 'vitest'
import type { WebhookConfig } from '#server/alerts/webhooks/config.ts'
import type { WebhookMessage } from '#server/alerts/webhooks/messages.ts'
import { PRESET_REQUESTS } from '#server/alerts/webhooks/presets/presets.ts'
import { WEBHOOK_PRESETS } from '#server/schemas/organization/webhook-presets.ts'
import { BASE, FAILED, filledWith, KINDS, LONGEST, RECOVERED, textsOf } from '#test/support/alerts/messages.ts'

// What each preset sends, against the limits and rules that its service documents. `receivers.test.ts` has the others.

const CONFIG: WebhookConfig = { url: '', headers: {}, body: null, signingSecret: '' }
const ROUTING_KEY = 'R0'.padEnd(32, 'x')
const CONFIGS = {
  slack: { ...CONFIG, url: 'https://hooks.slack.com/services/T0/B0/x' },
  teams: { ...CONFIG, url: 'https://prod.logic.azure.com/workflows/x' },
  discord: { ...CONFIG, url: 'https://discord.com/api/webhooks/1/x' },
  pagerduty: { ...CONFIG, access: { routingKey: ROUTING_KEY } },
  opsgenie: { ...CONFIG, access: { apiKey: 'key', region: 'eu' } },
  telegram: { ...CONFIG, access: { botToken: '123:abc', chatId: '-100' } },
} satisfies Record<string, WebhookConfig>
const NAMES = Object.keys(CONFIGS) as (keyof typeof CONFIGS)[]

type Json = Record<string, unknown>

function sent(preset: keyof typeof CONFIGS, message: WebhookMessage, config: Partial<WebhookConfig> = {}) {
  const request = PRESET_REQUESTS[preset]?.(message, { ...CONFIGS[preset], ...config }, 'transaction')
  if (!request) throw new Error(preset)
  return { ...request, json: JSON.parse(request.body) as Json }
}

test('every service but the generic one has a preset', () => {
  expect(Object.keys(PRESET_REQUESTS).toSorted()).toEqual(WEBHOOK_PRESETS.filter((name) => name !== 'json').toSorted())
})

test.each(NAMES)('%s says what failed, for how long, and where to look', (preset) => {
  const failed = sent(preset, FAILED)
  expect(failed.method).toBe('POST')
  expect(failed.headers).toContainEqual(['Content-Type', 'application/json'])
  const plain = failed.body.replaceAll('\\\\', '')
  expect(plain).toContain('[Failed] Example service – status 500, expected 200')
  expect(plain).toContain('GET https://service.example/: status 500, expected 200')
  expect(plain).toContain('Internal Server Error')
  expect(plain).toContain(`${BASE}/incidents/`)
  const recovered = sent(preset, RECOVERED)
  if (preset !== 'pagerduty') expect(recovered.body).toContain('1 min 5 s')
})

test.each(NAMES)('%s has no links without the installation’s URL, and none to the example of a test', (preset) => {
  const unlinked = sent(preset, { ...FAILED, data: { ...FAILED.data, links: undefined } })
  expect(unlinked.body).not.toContain('/incidents/')
  const test = sent(preset, { ...FAILED, type: 'webhook.test' })
  expect(test.body).toContain('a test notification')
  expect(test.body).not.toContain(BASE)
})

test.each(NAMES)('%s cuts no character in half', (preset) => {
  for (const message of LONGEST.filter(({ data }) => !JSON.stringify(data).includes('\\ud800'))) {
    for (const [path, text] of textsOf(sent(preset, message).json)) expect(text.isWellFormed(), path).toBe(true)
  }
})

describe('slack', () => {
  test('stays within the limits of messages and blocks', () => {
    for (const message of LONGEST) {
      const { json } = sent('slack', message)
      expect((json.text as string).length).toBeLessThanOrEqual(4_000)
      const [attachment] = json.attachments as { blocks: Json[] }[]
      expect(attachment?.blocks.length).toBeLessThanOrEqual(50)
      for (const block of attachment?.blocks ?? []) {
        const {
          text,
          fields = [],
          elements = [],
        } = block as {
          text?: { text: string }
          fields?: { text: string }[]
          elements?: { text: string }[]
        }
        if (text) expect(text.text.length).toBeLessThanOrEqual(3_000)
        if (text) expect(text.text).not.toBe('')
        expect(fields.length).toBeLessThanOrEqual(10)
        for (const field of fields) expect(field.text.length).toBeLessThanOrEqual(2_000)
        expect(elements.length).toBeLessThanOrEqual(10)
      }
    }
  })

  test('escapes the three control characters, so that names mention nobody and link nowhere', () => {
    const service = { id: 's', name: '<!channel> <https://evil.example|click> & co' }
    const { body, json } = sent('slack', { ...FAILED, data: { ...FAILED.data, service } })
    expect(json.text).toBe(
      '[Failed] &lt;!channel&gt; &lt;https://evil.example|click&gt; &amp; co – status 500, expected 200',
    )
    expect(body).not.toMatch(/<!|<https:\/\/evil/)
    expect(body.match(/<https:[^>]*>/g)?.every((link) => link.startsWith(`<${BASE}/`))).toBe(true)
    expect(body.match(/"type":"mrkdwn"/g)?.length).toBe(body.match(/"verbatim":true/g)?.length)
  })

  test('an excerpt cannot end its block of code', () => {
    const failure = { ...(FAILED.data.failure as object), excerpt: 'a ``` *bold*' }
    const { body } = sent('slack', { ...FAILED, data: { ...FAILED.data, failure } })
    expect(body.match(/```/g)).toHaveLength(2)
  })
})

describe('teams', () => {
  test('stays within 28 KB, in the envelope of workflows', () => {
    for (const message of LONGEST) {
      const { body, json } = sent('teams', message)
      expect(Buffer.byteLength(body)).toBeLessThan(28_000)
      expect(json).toMatchObject({
        type: 'message',
        attachments: [
          {
            contentType: 'application/vnd.microsoft.card.adaptive',
            content: { type: 'AdaptiveCard', version: '1.4' },
          },
        ],
      })
    }
  })

  test('shows names as they are: no text of an event is read as Markdown', () => {
    const content = (sent('teams', filledWith('*')).json.attachments as { content: { body: Json[] } }[])[0]?.content
    expect(new Set(content?.body.map(({ type }) => type))).toEqual(new Set(['RichTextBlock']))
  })
})

describe('discord', () => {
  test('stays within the limits of embeds', () => {
    for (const message of LONGEST) {
      const [embed] = sent('discord', message).json.embeds as {
        title: string
        description: string
        fields: { name: string; value: string }[]
        footer: { text: string }
      }[]
      if (!embed) throw new Error('no embed')
      expect(embed.title.length).toBeLessThanOrEqual(256)
      expect(embed.description.length).toBeLessThanOrEqual(4_096)
      expect(embed.fields.length).toBeLessThanOrEqual(25)
      for (const { name, value } of embed.fields) {
        expect(name.length).toBeLessThanOrEqual(256)
        expect(value.length).toBeLessThanOrEqual(1_024)
        expect(value).not.toBe('')
      }
      const all = [embed.title, embed.description, embed.footer.text, ...embed.fields.flatMap(Object.values)]
      expect(all.join('').length).toBeLessThanOrEqual(6_000)
    }
  })

  test('mentions nobody, and names are no Markdown', () => {
    const service = { id: 's', name: '@everyone <@1> [x](https://evil.example) **b**' }
    const { json } = sent('discord', { ...FAILED, data: { ...FAILED.data, service } })
    expect(json.allowed_mentions).toEqual({ parse: [] })
    expect((json.embeds as { title: string }[])[0]?.title).toContain(
      '\\@everyone \\<\\@1\\> \\[x\\]\\(https\\://evil.example\\) \\*\\*b\\*\\*',
    )
  })
})

describe('pagerduty', () => {
  const ID = (FAILED.data.incident as { id: string }).id

  test('triggers one alert per incident and resolves it', () => {
    const trigger = sent('pagerduty', FAILED)
    expect(trigger.url).toBe('https://events.pagerduty.com/v2/enqueue')
    expect(trigger.json).toMatchObject({
      routing_key: ROUTING_KEY,
      event_action: 'trigger',
      dedup_key: `soundline-incident-${ID}`,
      client_url: expect.stringContaining('/incidents/'),
      payload: { severity: 'critical', source: 'Example service', timestamp: FAILED.timestamp },
    })
    const reminder = sent('pagerduty', { ...FAILED, type: 'service.reminder' })
    expect(reminder.json).toMatchObject({ event_action: 'trigger', dedup_key: trigger.json.dedup_key })
    expect(sent('pagerduty', RECOVERED).json).toEqual({
      routing_key: ROUTING_KEY,
      event_action: 'resolve',
      dedup_key: trigger.json.dedup_key,
    })
  })

  test('keeps the alerts of services, certificates and tests apart', () => {
    const old = (type: string) => ({ ...FAILED, type, data: { ...FAILED.data, incident: undefined } })
    const keys = [
      sent('pagerduty', FAILED),
      sent('pagerduty', old('service.failed')),
      ...LONGEST.filter(({ type }) => type === 'certificate.expiring').map((message) => sent('pagerduty', message)),
      sent('pagerduty', { ...FAILED, type: 'webhook.test' }),
    ].map(({ json }) => json.dedup_key)
    expect(new Set(keys).size).toBe(keys.length)
    expect(sent('pagerduty', old('service.recovered')).json.dedup_key).toBe(keys[1])
  })

  test('pages for failures and their reminders, not for certificates and tests', () => {
    const severityOf = (type: string) => (sent('pagerduty', { ...FAILED, type }).json.payload as Json).severity
    expect(KINDS.map(severityOf)).toEqual(['critical', 'critical', 'critical', 'warning', 'info'])
  })

  test('stays within the limits of events', () => {
    for (const message of LONGEST) {
      const { body, json } = sent('pagerduty', message)
      expect(Buffer.byteLength(body)).toBeLessThan(512_000)
      expect((json.dedup_key as string).length).toBeLessThanOrEqual(255)
      if (json.event_action === 'resolve') continue
      const { summary, source, severity } = json.payload as { summary: string; source: string; severity: string }
      expect(summary.length).toBeLessThanOrEqual(1_024)
      expect(source).not.toBe('')
      expect(['critical', 'error', 'warning', 'info']).toContain(severity)
    }
  })

  test('goes to the account’s region, or to a proxy', () => {
    const access = { routingKey: ROUTING_KEY, region: 'eu' } as const
    expect(sent('pagerduty', FAILED, { access }).url).toBe('https://events.eu.pagerduty.com/v2/enqueue')
    expect(sent('pagerduty', FAILED, { url: 'https://proxy.example/pd/' }).url).toBe(
      'https://proxy.example/pd/v2/enqueue',
    )
  })
})

describe('opsgenie', () => {
  test('creates one alert per incident and closes it', () => {
    const created = sent('opsgenie', FAILED)
    expect(created.url).toBe('https://api.eu.opsgenie.com/v2/alerts')
    expect(created.headers).toContainEqual(['Authorization', 'GenieKey key'])
    const closed = sent('opsgenie', RECOVERED)
    expect(closed.url).toBe(`https://api.eu.opsgenie.com/v2/alerts/${created.json.alias}/close?identifierType=alias`)
    expect(closed.json).toMatchObject({ source: 'Soundline', note: expect.stringContaining('1 min 5 s') })
  })

  test('ranks certificates and tests low', () => {
    const priorityOf = (type: string) => sent('opsgenie', { ...FAILED, type }).json.priority
    expect(KINDS.map(priorityOf)).toEqual(['P2', 'P2', 'P2', 'P4', 'P5'])
  })

  test('stays within the limits of alerts', () => {
    for (const message of LONGEST) {
      const { json } = sent('opsgenie', message)
      if (!('message' in json)) continue
      const limits = { message: 130, alias: 512, description: 15_000, entity: 512, source: 100 }
      for (const [field, max] of Object.entries(limits)) {
        expect((json[field] as string).length, field).toBeLessThanOrEqual(max)
        expect(json[field], field).not.toBe('')
      }
      for (const tag of json.tags as string[]) expect(tag.length).toBeLessThanOrEqual(50)
      const details = Object.entries(json.details as Record<string, string>)
      expect(details.flat().join('').length).toBeLessThanOrEqual(8_000)
      expect(['P1', 'P2', 'P3', 'P4', 'P5']).toContain(json.priority)
    }
  })
})

describe('telegram', () => {
  /** The characters that count: those without tags and with entities as one. */
  const shown = (html: string) => html.replace(/<[^>]*>/g, '').replace(/&(amp|lt|gt|quot);/g, 'x')

  test('stays within 4,096 characters', () => {
    for (const message of LONGEST) {
      const { text } = sent('telegram', message).json as { text: string }
      expect(shown(text).length).toBeLessThanOrEqual(4_096)
    }
  })

  test('escapes HTML, and every tag is closed', () => {
    const service = { id: 's', name: '<a href="https://evil.example">&' }
    const { url, json } = sent('telegram', { ...FAILED, data: { ...FAILED.data, service } })
    expect(url).toBe('https://api.telegram.org/bot123:abc/sendMessage')
    expect(json).toMatchObject({ chat_id: '-100', parse_mode: 'HTML', link_preview_options: { is_disabled: true } })
    const text = json.text as string
    expect(text).toContain('&lt;a href=&quot;https://evil.example&quot;&gt;&amp;')
    for (const message of LONGEST) {
      const { text } = sent('telegram', message).json as { text: string }
      const open: string[] = []
      for (const [, slash, tag] of text.matchAll(/<(\/?)(\w+)[^>]*>/g)) {
        if (slash === '') open.push(tag as string)
        else expect(open.pop()).toBe(tag)
      }
      expect(open).toEqual([])
      expect(text.replace(/<\/?(b|pre|a)( href="[^"]*")?>/g, '')).not.toMatch(/[<>]|&(?!(amp|lt|gt|quot);)/)
    }
  })
})
