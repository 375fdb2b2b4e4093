import { createHmac } from 'node:crypto'

// Webhook messages: the message of an event, its rendering by a template, and its signature.

/** A message by Standard Webhooks; `data` is the event's payload. */
export type WebhookMessage = { type: string; timestamp: string; data: Record<string, unknown> }

const PLACEHOLDER = /\{\{\s*([A-Za-z][A-Za-z0-9_.]*)\s*\}\}/g
const JSON_TYPE = /^\s*application\/([a-z0-9.-]+\+)?json\s*(;|$)/i

/** Returns a summary of the event in one line. */
export function summarize({ type, data }: WebhookMessage): string {
  const where = `${nameOf(data, 'service')} (${nameOf(data, 'workspace')} / ${nameOf(data, 'project')})`
  if (type === 'service.recovered') return `${where} has recovered`
  if (type !== 'service.failed') return `${where}: a test of notifications`
  const { error, status } = (data.result ?? {}) as { error?: string | null; status?: string }
  const how = status === 'timeout' ? 'timed out' : 'failed'
  return `${where} ${how}${error ? `: ${error}` : ''}`
}

/** Returns the request body: the message as JSON, or the template with its placeholders replaced. */
export function renderBody(template: string | null, contentType: string, message: WebhookMessage): string {
  if (template === null) return JSON.stringify(message)
  const values = valuesOf(message)
  const isJson = JSON_TYPE.test(contentType)
  return template.replace(PLACEHOLDER, (_, path: string) => {
    const value = valueAt(values, path)
    if (typeof value === 'string') return isJson ? JSON.stringify(value).slice(1, -1) : value
    return value === null || value === undefined ? '' : JSON.stringify(value)
  })
}

/** Returns what is wrong with a template, or null: an unknown placeholder, or a result that is not JSON. */
export function templateProblem(template: string, contentType: string): string | null {
  const values = valuesOf(sampleMessage({ id: '', name: '' }))
  for (const [found, path] of template.matchAll(PLACEHOLDER)) {
    if (valueAt(values, path as string) === undefined)
      return `must not contain ${found}, which is not part of a message`
  }
  if (!JSON_TYPE.test(contentType)) return null
  try {
    JSON.parse(renderBody(template, contentType, sampleMessage({ id: '', name: '"\\\n' })))
    return null
  } catch {
    return 'must be JSON after its placeholders are replaced; put strings in quotation marks'
  }
}

/** Returns a test message with every field that a message about a failure has. */
export function sampleMessage(organization: { id: string; name: string }, at = new Date(0)): WebhookMessage {
  const id = '00000000-0000-0000-0000-000000000000'
  return {
    type: 'webhook.test',
    timestamp: at.toISOString(),
    data: {
      organization,
      workspace: { id, name: 'Example workspace' },
      project: { id, name: 'Example project' },
      service: { id, name: 'Example service' },
      result: {
        id,
        status: 'failure',
        startedAt: at.toISOString(),
        agentSlug: 'local',
        runDurationMs: 120,
        totalResponseMs: 100,
        assertions: [],
        error: null,
      },
    },
  }
}

/** Returns the three headers of Standard Webhooks. `at` is the time of the attempt. */
export function signatureHeaders(signingSecret: string, id: string, at: Date, body: string): [string, string][] {
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  const key = Buffer.from(signingSecret.replace(/^whsec_/, ''), 'base64')
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  return [
    ['webhook-id', id],
    ['webhook-timestamp', timestamp],
    ['webhook-signature', `v1,${signature}`],
  ]
}

/** Returns the options of a delivery's job. Its key allows one job per delivery at a time. */
export function deliveryJob(delivery: { id: string; organizationId: string; webhookId: string }) {
  const { id, organizationId, webhookId: to } = delivery
  return { key: `delivery:${id}`, sends: { organizationId, to } }
}

/** Returns the content type of the body, by the webhook's headers. */
export function contentTypeOf(headers: Record<string, string>): string {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? 'application/json'
}

/** Returns the values that placeholders can name: the payload's fields, `type`, `timestamp` and `summary`. */
function valuesOf(message: WebhookMessage): Record<string, unknown> {
  return { ...message.data, type: message.type, timestamp: message.timestamp, summary: summarize(message) }
}

function valueAt(values: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, key)
          ? (value as Record<string, unknown>)[key]
          : undefined,
      values,
    )
}

function nameOf(data: Record<string, unknown>, part: string): string {
  return (data[part] as { name?: string } | undefined)?.name ?? ''
}
