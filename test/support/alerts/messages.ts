import { ALERT_CLOSED, sampleMessage, type WebhookMessage, withLinks } from '#server/alerts/webhooks/messages.ts'
import { SAMPLES } from '#server/alerts/webhooks/samples.ts'

// Messages about events as presets get them: usual ones, and the longest and most hostile.

export const BASE = 'https://probes.example.com'
export const FAILED = withLinks({ ...sampleMessage({ id: 'o', name: 'Acme' }), type: 'service.failed' }, BASE)
export const RECOVERED = {
  ...FAILED,
  type: 'service.recovered',
  data: { ...FAILED.data, failure: null, incident: { ...(FAILED.data.incident as object), downMs: 65_000 } },
}

/** A message of a type, with the fields of a failure unless they are given. */
export function messageOf(type: string, data: object = {}): WebhookMessage {
  return { ...FAILED, type, data: { ...FAILED.data, ...data } }
}

const certificate = { host: 'shop.example', notAfter: FAILED.timestamp, daysLeft: 7, subject: 'CN=shop', issuer: 'CA' }
const { organization } = FAILED.data
const agent = { organization, agent: { id: 'a1', slug: 'frankfurt' }, services: { total: 2, names: ['Shop', 'Blog'] } }
const agentMessage = (type: string) => ({ ...FAILED, type, data: agent })
/** What webhooks are told of. */
export const EVERY_KIND: Record<string, WebhookMessage> = {
  opened: FAILED,
  reminder: messageOf('service.reminder'),
  flapping: messageOf('service.flapping'),
  recovered: RECOVERED,
  'expiring certificate': messageOf('certificate.expiring', { certificate, incident: undefined, failure: undefined }),
  'lost agent': agentMessage('agent.lost'),
  'returned agent': agentMessage('agent.back'),
  test: messageOf('webhook.test'),
  closed: messageOf(ALERT_CLOSED),
}

/** A failure whose texts are as long as they can be, and made of one character. */
export function filledWith(text: string): WebhookMessage {
  const name = text.repeat(255)
  const long = text.repeat(20_000)
  return {
    ...FAILED,
    data: {
      ...FAILED.data,
      service: { id: 's', name },
      workspace: { id: 'w', name },
      project: { id: 'p', name },
      failure: { summary: long, cause: long, status: 'failure', excerpt: text.repeat(500) },
      agents: Array.from({ length: 200 }, () => ({ agentSlug: name, status: 'failure' })),
      certificate: null,
    },
  }
}

export const KINDS = ['service.failed', 'service.reminder', 'service.flapping', 'certificate.expiring', 'webhook.test']
const HOSTILE = [
  'x',
  '&',
  '<',
  '"',
  '\\',
  '*',
  '`',
  '\n',
  '\u0000',
  '\u2028',
  '😀',
  '\ud800',
  '<!channel>',
  '@everyone',
]
export const LONGEST = [...HOSTILE.map(filledWith), ...SAMPLES, ...filledCertificates()]

function filledCertificates(): WebhookMessage[] {
  const certificate = { host: 'h'.repeat(253), notAfter: FAILED.timestamp, daysLeft: 7, issuer: 'i'.repeat(2_000) }
  return [{ ...filledWith('x'), type: 'certificate.expiring', data: { ...filledWith('x').data, certificate } }]
}

/** The strings of a value, by the path of their fields. */
export function textsOf(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => textsOf(inner, `${path}.${key}`))
}
