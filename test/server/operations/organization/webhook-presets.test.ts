import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import { eq } from '#db/drizzle.cjs'
import { webhooks } from '#db/schema/webhooks.ts'
import { openWebhook } from '#server/alerts/webhooks/config.ts'
import { failureOf, testApi } from '#test/support/api/api.ts'
import { auditOf } from '#test/support/side-effects.ts'

// What each preset of a webhook needs, and what it hides.

const api = testApi({ settings: { PROBE_ALLOWED_NETWORKS: '127.9.0.0/16' } })
let caller: Awaited<ReturnType<typeof api.caller>>

beforeAll(async () => {
  caller = await api.caller((await api.create.organization()).owner)
})

const PRESET_INPUTS = {
  slack: { url: 'https://hooks.slack.com/services/T0/B0/very-hidden' },
  teams: { url: 'https://prod.westus.logic.azure.com/workflows/very-hidden' },
  discord: { url: 'https://discord.com/api/webhooks/1/very-hidden' },
  pagerduty: { routingKey: 'veryhidden'.padEnd(32, '0') },
  opsgenie: { apiKey: 'very-hidden-very-hidden' },
  telegram: { botToken: '123456789:very-hidden_very-hidden', chatId: '-1001234' },
  googlechat: { url: 'https://chat.googleapis.com/v1/spaces/A/messages?key=very-hidden' },
  mattermost: { url: 'https://chat.example.com/hooks/very-hidden' },
  ntfy: { topic: 'very-hidden' },
  pushover: { token: 'very-hidden-token', userKey: 'veryhidden'.padEnd(30, '0') },
  matrix: { url: 'https://matrix.example.org', token: 'very-hidden-token', roomId: '!room:example.org' },
  twilio: { accountSid: `AC${'0'.repeat(32)}`, token: 'very-hidden-token', from: 'Soundline', to: '+4915112345678' },
  incidentio: { url: 'https://api.incident.io/v2/alert_events/http/01GW2G', token: 'very-hidden-token' },
  oncall: { url: 'https://oncall.example.com/integrations/v1/formatted_webhook/very-hidden/' },
} as const
const PRESET_NAMES = Object.keys(PRESET_INPUTS) as (keyof typeof PRESET_INPUTS)[]

describe('presets', () => {
  const made = (preset: keyof typeof PRESET_INPUTS, given: object = {}) =>
    caller.organization.webhooks.create({ name: randomUUID(), preset, ...PRESET_INPUTS[preset], ...given })

  test.each(PRESET_NAMES)('%s needs its fields alone, and never shows its secrets', async (preset) => {
    const webhook = await made(preset)
    expect(webhook).toMatchObject({ preset, method: preset === 'matrix' ? 'PUT' : 'POST', signingSecret: null })
    const shown = await caller.organization.webhooks.get({ id: webhook.id })
    const saved = await caller.organization.webhooks.update({ id: webhook.id, label: 'Ops' })
    const audited = await auditOf(api.db, webhook.id)
    expect(JSON.stringify([webhook, shown, saved, audited])).not.toMatch(/very-?hidden/)
    const [row] = await api.db.select().from(webhooks).where(eq(webhooks.id, webhook.id))
    const { url, access } = openWebhook(api.runtime.vault, row as NonNullable<typeof row>)
    expect({ url: '', ...access, ...(url && { url }) }).toMatchObject(PRESET_INPUTS[preset])
  })

  test.each(PRESET_NAMES)(
    '%s without one of its fields is refused, and with one that it does not use',
    async (preset) => {
      for (const field of Object.keys(PRESET_INPUTS[preset])) {
        expect(await failureOf(made(preset, { [field]: null }))).toEqual({ code: 'field_required', details: { field } })
      }
      const reason = expect.stringMatching(/^is not used by /)
      const unused = {
        headers: { a: 'b' },
        body: '{"text": "{{summary}}"}',
        method: preset === 'matrix' ? 'PATCH' : 'PUT',
        ...(preset !== 'telegram' && { chatId: '-1' }),
        ...(preset !== 'pagerduty' && { routingKey: 'x'.repeat(32) }),
        ...(preset !== 'pagerduty' && preset !== 'opsgenie' && { region: 'eu' }),
        ...(preset !== 'pushover' && { urgency: 'emergency' }),
        ...(preset !== 'matrix' && { roomId: '!room:example.org' }),
        ...(preset !== 'twilio' && { to: '+4915112345678' }),
        ...(preset !== 'ntfy' && { topic: 'alerts' }),
      }
      for (const [field, value] of Object.entries(unused)) {
        expect(await failureOf(made(preset, { [field]: value })), field).toEqual({
          code: 'field_invalid',
          details: { field, reason },
        })
      }
    },
  )

  test.each([
    ['pagerduty', 'routingKey', 'short'],
    ['opsgenie', 'apiKey', 'has spaces in it and more'],
    ['telegram', 'botToken', 'no token'],
    ['telegram', 'chatId', 'my chat'],
    ['telegram', 'chatId', '1; drop'],
    ['pagerduty', 'region', 'mars'],
    ['ntfy', 'topic', 'a topic'],
    ['ntfy', 'token', 'two words'],
    ['pushover', 'userKey', 'short'],
    ['pushover', 'urgency', 'panic'],
    ['matrix', 'roomId', '#alias:example.org'],
    ['twilio', 'accountSid', 'SK0'],
    ['twilio', 'from', 'a sender that is too long'],
    ['twilio', 'to', '0151 12345678'],
  ] as const)('%s refuses a malformed %s', async (preset, field, value) => {
    const failure = await failureOf(made(preset, { [field]: value }))
    expect(failure).toMatchObject({ code: 'invalid_request_body', details: { field } })
  })

  test('URLs need TLS, except in networks that are allowed, and may not be internal', async () => {
    for (const preset of ['slack', 'pagerduty', 'telegram'] as const) {
      expect(await failureOf(made(preset, { url: 'http://example.com/hook' }))).toEqual({
        code: 'field_invalid',
        details: { field: 'url', reason: 'must begin with https://' },
      })
      for (const url of ['https://10.0.0.1/', 'http://localhost/', 'https://db.internal/']) {
        expect(await failureOf(made(preset, { url })), url).toMatchObject({
          code: 'blocked_probe_target',
          details: { field: 'url' },
        })
      }
      await made(preset, { url: 'http://127.9.0.1:8080/' })
    }
  })

  test('of a secret URL, only the origin is shown; an update without it keeps it', async () => {
    const { id, url } = await made('slack')
    expect(url).toBe('https://hooks.slack.com/…')
    const { update } = caller.organization.webhooks
    expect((await update({ id, name: randomUUID() })).url).toBe('https://hooks.slack.com/…')
    expect((await update({ id, url: 'https://chat.example/x' })).url).toBe('https://chat.example/…')
    expect(await failureOf(update({ id, url: null }))).toMatchObject({ code: 'field_required' })
    const proxied = await made('pagerduty', { url: 'https://proxy.example', region: 'eu' })
    expect(proxied).toMatchObject({ url: 'https://proxy.example', region: 'eu' })
    expect(await update({ id: proxied.id, url: null })).toMatchObject({ url: null, region: 'eu' })
    const [row] = await api.db.select().from(webhooks).where(eq(webhooks.id, proxied.id))
    expect(openWebhook(api.runtime.vault, row as NonNullable<typeof row>).access).toMatchObject(PRESET_INPUTS.pagerduty)
  })

  test.each([
    ['pagerduty', 'routingKey'],
    ['opsgenie', 'apiKey'],
    ['telegram', 'botToken'],
    ['twilio', 'token'],
  ] as const)('%s needs its %s again before another host gets it', async (preset, field) => {
    const { update } = caller.organization.webhooks
    const { [field]: key } = PRESET_INPUTS[preset] as Record<string, string>
    const { id } = await made(preset)
    const required = { code: 'field_required', details: { field } }
    const first = 'https://proxy.example/a'
    expect(await failureOf(update({ id, url: first }))).toEqual(required)
    expect(await failureOf(update({ id, url: first, [field]: null }))).toEqual(required)
    expect(await update({ id, url: first, [field]: key })).toMatchObject({ url: first })
    for (const url of ['https://proxy.example:444/a', 'https://proxy2.example/a']) {
      expect(await failureOf(update({ id, url })), url).toMatchObject({ details: { field } })
    }
    // The same host, and the service itself.
    const second = 'https://PROXY.example:443/b'
    expect(await update({ id, url: second, label: 'x' })).toMatchObject({ url: second, label: 'x' })
    expect(await update({ id, url: null })).toMatchObject({ url: null })
    expect(await failureOf(update({ id, url: second }))).toEqual(required)
  })

  test('an optional token is dropped, unless it is given again, before another host gets it', async () => {
    const { update } = caller.organization.webhooks
    const { id } = await made('ntfy', { token: 'very-hidden-token' })
    const stored = async () => {
      const [row] = await api.db.select().from(webhooks).where(eq(webhooks.id, id))
      return openWebhook(api.runtime.vault, row as NonNullable<typeof row>).access
    }
    const url = 'https://ntfy.example'
    expect(await failureOf(update({ id, url }))).toEqual({ code: 'field_required', details: { field: 'topic' } })
    expect(await stored()).toMatchObject({ token: 'very-hidden-token' })
    await update({ id, url, topic: 'very-hidden', token: 'very-hidden-other' })
    expect(await stored()).toEqual({ topic: 'very-hidden', token: 'very-hidden-other' })
    await update({ id, url: 'https://ntfy2.example', topic: 'very-hidden' })
    expect(await stored()).toEqual({ topic: 'very-hidden' })
  })

  test('a generic webhook needs a URL, and uses no keys', async () => {
    const name = randomUUID()
    expect(await failureOf(caller.organization.webhooks.create({ name }))).toEqual({
      code: 'field_required',
      details: { field: 'url' },
    })
    const wrong = caller.organization.webhooks.create({ name, url: 'https://hooks.example.com/', chatId: '-1' })
    expect(await failureOf(wrong)).toMatchObject({ details: { field: 'chatId' } })
    const unknown = caller.organization.webhooks.create({ name, preset: 'pigeon' as 'slack' })
    expect(await failureOf(unknown)).toMatchObject({ code: 'invalid_request_body', details: { field: 'preset' } })
  })
})
