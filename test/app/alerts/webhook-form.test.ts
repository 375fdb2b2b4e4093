import { expect, test } from 'vitest'
import { NEW_WEBHOOK, type WebhookValues, webhookForm, webhookInput } from '#app/(dashboard)/webhooks/webhook-values.ts'

const VALUES: WebhookValues = { ...NEW_WEBHOOK, name: 'Pager', preset: 'pagerduty' }

/** The fields that the form of a stored webhook refuses. */
function refused(storedUrl: string | null, values: Partial<WebhookValues>) {
  const { error } = webhookForm({ url: storedUrl }).safeParse({ ...VALUES, ...values })
  return error?.issues.map(({ path }) => path.join('.')) ?? []
}

test('the form of a webhook asks for its key again before another host gets it', () => {
  const url = 'https://proxy.example/a'
  const routingKey = 'R0'.padEnd(32, 'k')
  expect(refused(null, {})).toEqual([])
  expect(refused(null, { url })).toEqual(['routingKey'])
  expect(refused(null, { url, routingKey })).toEqual([])
  expect(refused(url, { url: 'https://proxy.example/b' })).toEqual([])
  expect(refused(url, { url: 'https://other.example/a' })).toEqual(['routingKey'])
  expect(refused(url, { url: '' })).toEqual([])
  // A secret URL is replaced as a whole.
  expect(refused('https://hooks.slack.com/…', { preset: 'slack', url: 'https://other.example/a' })).toEqual([])
  expect(webhookForm().safeParse(VALUES).error?.issues).toMatchObject([{ path: ['routingKey'] }])
})

test('the form of a preset asks for its fields alone, and sends no others', () => {
  const values = { ...NEW_WEBHOOK, name: 'Phone', preset: 'twilio' as const }
  const missing = webhookForm()
    .safeParse(values)
    .error?.issues.map(({ path }) => path[0])
  expect(missing).toEqual(['accountSid', 'token', 'from', 'to'])
  const sms = { accountSid: `AC${'0'.repeat(32)}`, token: 'auth-token', from: '+15005550006', to: '+4915112345678' }
  expect(webhookForm().safeParse({ ...values, ...sms }).error).toBeUndefined()
  const given = Object.entries(webhookInput({ ...values, ...sms, topic: 'x' }, true)).filter(([, value]) => value)
  expect(Object.fromEntries(given)).toEqual({ name: 'Phone', ...sms })
  // An update keeps a token that is left empty.
  expect(webhookInput({ ...values, ...sms, token: '' }, false)).toMatchObject({ token: undefined, to: sms.to })
  expect(refused('https://ntfy.example', { preset: 'ntfy', url: 'https://other.example' })).toEqual(['topic'])
  expect(refused('https://ntfy.example', { preset: 'ntfy', url: 'https://ntfy.example' })).toEqual([])
})
