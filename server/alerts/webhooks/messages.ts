import { durationText } from '../../schemas/duration-text.ts'
import type { RunFailure } from '../../schemas/results/failures.ts'
import { clip, onOneLine } from './text.ts'

// Messages about events: for webhooks, mails and the dashboard.

/** A message by Standard Webhooks; `data` is the event's payload. */
export type WebhookMessage = { type: string; timestamp: string; data: Record<string, unknown> }

/** The type of the message that closes an alert although the service has not recovered. Only presets get it. */
export const ALERT_CLOSED = 'alert.closed'

/** The fields of a payload that the texts read. */
type Payload = {
  organization?: { id: string; name: string }
  workspace?: { id: string; name: string }
  project?: { id: string; name: string }
  service?: { id: string; name: string }
  incident?: { id: string; failingSince?: string; summary?: string; downMs?: number | null } | null
  result?: { id: string; status?: string } | null
  failure?: { summary?: string; cause?: string; status?: string } | null
  flapping?: { from: string; until: string; failures: number }
  certificate?: { host: string; notAfter: string; daysLeft: number; subject?: string | null } | null
  agent?: { id: string; slug: string; label?: string | null }
  services?: { total: number; names: string[] }
  lastSeenAt?: string
}

/** Pages of the dashboard about an event; null where the event has none. */
export type Links = { service: string | null; result: string | null; incident: string | null }

const TITLE_CAUSE_MAX = 160
const NAMES_MAX = 5

/** Returns the event in one sentence without a full stop. */
export function summarize(message: WebhookMessage): string {
  const data = message.data as Payload
  const where = `${data.service?.name ?? ''} (${data.workspace?.name ?? ''} / ${data.project?.name ?? ''})`
  switch (message.type) {
    case 'service.failed':
      if (data.flapping) return withCause(`${where} still fails, and ${flapped(data)}`, summaryOf(data))
      return withCause(`${where} ${timedOut(data) ? 'timed out' : 'failed'}`, summaryOf(data))
    case 'service.recovered':
      return `${where} has recovered${data.flapping ? `: it ${flapped(data)}` : downFor(data, ' after being down for ')}`
    case 'service.flapping':
      return withCause(`${where} is flapping: it ${flapped(data)}`, summaryOf(data))
    case 'service.reminder':
      return withCause(`${where} is still failing${failingFor(message, ' after ')}`, summaryOf(data))
    case 'certificate.expiring':
      return `${where}: ${certificateText(message)}`
    case ALERT_CLOSED:
      return `${data.service?.name ?? ''}: closed, because Soundline no longer sends its messages here`
    case 'agent.lost':
      return `Agent ${agentName(data)} is lost: no heartbeat${data.lastSeenAt ? ` since ${minuteText(data.lastSeenAt)}` : ''}${usedBy(data)}`
    case 'agent.back':
      return `Agent ${agentName(data)} is back${usedBy(data)}`
    default:
      return `${where}: a test notification`
  }
}

/** Returns the words of a mail's subject, on one line: `[Failed] Checkout – status 500, expected 200`. */
export function titleOf(message: WebhookMessage): string {
  const data = message.data as Payload
  const [label, subject, detail] = titleParts(message, data)
  return onOneLine(`[${label}] ${subject}${detail ? ` – ${clip(onOneLine(detail), TITLE_CAUSE_MAX)}` : ''}`)
}

function titleParts(message: WebhookMessage, data: Payload): [label: string, subject: string, detail: string] {
  const service = data.service?.name ?? ''
  switch (message.type) {
    case 'service.failed':
      return ['Failed', service, causeOf(data) ?? (timedOut(data) ? 'timed out' : '')]
    case 'service.recovered':
      return ['Recovered', service, data.flapping ? flapped(data) : downFor(data, 'down for ')]
    case 'service.flapping':
      return ['Flapping', service, flapped(data)]
    case 'service.reminder':
      return ['Still failing', service, causeOf(data) ?? failingFor(message, 'for ')]
    case 'certificate.expiring':
      return ['Certificate', service, certificateText(message).replace(/^the certificate (of )?/, '')]
    case 'agent.lost':
      return ['Agent lost', agentName(data), usedBy(data).replace(/^; /, '')]
    case 'agent.back':
      return ['Agent back', agentName(data), usedBy(data).replace(/^; /, '')]
    default:
      return ['Test', service, 'a test notification']
  }
}

/** Returns the links of an event's message, or null without the installation's own URL. */
export function linksOf({ data }: WebhookMessage, baseUrl: string | null | undefined): Links | null {
  if (!baseUrl) return null
  const { service, result, incident } = data as Payload
  const page = service ? `${baseUrl}/services/${service.id}` : null
  return {
    service: page,
    result: page && result ? `${page}/results/${result.id}` : null,
    incident: incident ? `${baseUrl}/incidents/${incident.id}` : null,
  }
}

/** Returns the message with its links, as receivers get it. */
export function withLinks(message: WebhookMessage, baseUrl: string | null | undefined): WebhookMessage {
  const { type, timestamp, data } = message
  const links = linksOf(message, baseUrl)
  // In this order, which the database does not keep.
  return { type, timestamp, data: links ? { ...data, links } : data }
}

/** Returns a test message with every field that a message about a failure has. */
export function sampleMessage(organization: { id: string; name: string }, at = new Date(0)): WebhookMessage {
  const id = '00000000-0000-0000-0000-000000000000'
  const assertion = { stepNum: 1, method: 'expect', scope: 'status', op: 'eq', expected: 200, actual: 500 }
  const cause = 'status 500, expected 200'
  const summary = `GET https://service.example/: ${cause}`
  return {
    type: 'webhook.test',
    timestamp: at.toISOString(),
    data: {
      organization,
      workspace: { id, name: 'Example workspace' },
      project: { id, name: 'Example project' },
      service: { id, name: 'Example service' },
      incident: { id, openedAt: at.toISOString(), failingSince: at.toISOString(), summary, downMs: null },
      result: {
        id,
        status: 'failure',
        startedAt: at.toISOString(),
        agentSlug: 'local',
        runDurationMs: 120,
        totalResponseMs: 100,
        assertions: [assertion],
        error: null,
      },
      failure: {
        summary,
        cause,
        status: 'failure',
        step: { stepNum: 1, method: 'GET', url: 'https://service.example/', statusCode: 500 },
        assertion,
        error: null,
        phase: null,
        moreFailed: 0,
        excerpt: 'Internal Server Error',
      } satisfies RunFailure,
      agents: [
        {
          agentId: id,
          agentSlug: 'local',
          status: 'failure',
          since: at.toISOString(),
          failingRuns: 1,
          summary,
          resultId: id,
        },
      ],
    },
  }
}

/** Returns the options of a delivery's job to a receiver (`receiverOf`). Its key allows one job per delivery at a time. */
export function deliveryJob({ id, organizationId }: { id: string; organizationId: string }, to: string) {
  return { key: `delivery:${id}`, sends: { organizationId, to } }
}

function withCause(text: string, cause: string | null): string {
  return cause ? `${text}: ${cause}` : text
}

function timedOut({ failure, result }: Payload): boolean {
  return (failure?.status ?? result?.status) === 'timeout'
}

/** The cause with its request. */
function summaryOf({ failure, incident }: Payload): string | null {
  return failure?.summary ?? incident?.summary ?? null
}

/** The cause alone. */
function causeOf({ failure, incident }: Payload): string | null {
  return failure?.cause ?? incident?.summary ?? null
}

/** How often a service failed that changed again and again. */
function flapped({ flapping }: Payload): string {
  if (!flapping) return 'changes again and again'
  const { from, until, failures } = flapping
  return `failed ${failures} times in ${durationText(Date.parse(until) - Date.parse(from))}`
}

function downFor({ incident }: Payload, words: string): string {
  return typeof incident?.downMs === 'number' ? words + durationText(incident.downMs) : ''
}

function failingFor({ timestamp, data }: WebhookMessage, words: string): string {
  const since = (data as Payload).incident?.failingSince
  return since ? words + durationText(Date.parse(timestamp) - Date.parse(since)) : ''
}

function certificateText({ timestamp, data }: WebhookMessage): string {
  const { certificate } = data as Payload
  if (!certificate) return 'a certificate expires soon'
  const { host, notAfter, daysLeft, subject } = certificate
  // The first of a chain to expire can be that of an authority.
  const name = `the certificate${subject && subject !== host ? ` "${subject}"` : ''} of ${host}`
  if (Date.parse(notAfter) <= Date.parse(timestamp)) return `${name} expired ${minuteText(notAfter)}`
  const when = daysLeft < 1 ? 'in less than a day' : daysLeft === 1 ? 'in 1 day' : `in ${daysLeft} days`
  return `${name} expires ${when}, ${minuteText(notAfter)}`
}

function agentName({ agent }: Payload): string {
  return agent?.label || agent?.slug || ''
}

function usedBy({ services }: Payload): string {
  if (!services || services.total === 0) return ''
  const named = services.names.slice(0, NAMES_MAX)
  const more = services.total - named.length
  const names = named.length > 0 ? `: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}` : ''
  return `; ${services.total === 1 ? '1 service uses it' : `${services.total} services use it`}${names}`
}

/** Returns for example `2026-11-22 08:45 UTC`. */
function minuteText(instant: string): string {
  return `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`
}
