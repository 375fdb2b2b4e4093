import { expect, test } from 'vitest'
import { NEW_WEBHOOK, type WebhookValues, webhookForm } from '#app/(dashboard)/webhooks/webhook-values.ts'

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
