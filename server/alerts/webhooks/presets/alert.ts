import { durationText } from '../../../schemas/duration-text.ts'
import { ALERT_CLOSED, type Links, summarize, titleOf, type WebhookMessage } from '../messages.ts'
import { clip, onOneLine } from '../text.ts'

/** The severity, by which presets choose colors. */
export type Tone = 'critical' | 'warning' | 'good' | 'info'

export const COLORS: Record<Tone, string> = {
  critical: '#d92d20',
  warning: '#f79009',
  good: '#12b76a',
  info: '#667085',
}

export const HTML_ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** The texts of a message for presets: plain, clipped, not yet escaped for a service. */
export type Alert = {
  tone: Tone
  /** The name of the service, or of the agent. */
  subject: string
  /** One line. */
  title: string
  /** One line. */
  summary: string
  facts: { name: string; value: string }[]
  /** The beginning of the body that the target sent, or null. */
  excerpt: string | null
  /** Pages of the dashboard, the most useful first. */
  links: { label: string; url: string }[]
  /** The subject of a service's incident: the same for the failure, its reminders and its recovery. */
  dedupKey: string
  /** Whether the message ends what `dedupKey` names. */
  isOver: boolean
  /** ISO-8601. */
  at: string
}

type Named = { id?: string; name?: string }
type Data = {
  service?: Named
  workspace?: Named
  project?: Named
  incident?: { id: string; failingSince?: string; downMs?: number | null } | null
  failure?: { summary?: string; excerpt?: string | null } | null
  agents?: { agentSlug: string; status: string }[]
  certificate?: { host: string; notAfter: string; subject?: string | null; issuer?: string | null } | null
  agent?: { id: string; slug: string } | null
  links?: Links | null
}

const TITLE_MAX = 250
const SUMMARY_MAX = 1_000
const FACT_MAX = 200
const EXCERPT_MAX = 500
const AGENTS_MAX = 10

const TONES: Record<string, Tone> = {
  'service.failed': 'critical',
  'service.recovered': 'good',
  'service.reminder': 'critical',
  'service.flapping': 'critical',
  'certificate.expiring': 'warning',
  'agent.lost': 'critical',
  'agent.back': 'good',
  [ALERT_CLOSED]: 'good',
}

export function alertOf(message: WebhookMessage): Alert {
  const data = message.data as Data
  const tone = TONES[message.type] ?? 'info'
  const isOver = tone === 'good'
  return {
    tone,
    subject: clip(onOneLine(data.service?.name ?? data.agent?.slug ?? ''), FACT_MAX) || 'Soundline',
    title: clip(titleOf(message), TITLE_MAX),
    summary: clip(onOneLine(summarize(message)), SUMMARY_MAX),
    facts: factsOf(message, data),
    excerpt: isOver || !data.failure?.excerpt ? null : clip(data.failure.excerpt, EXCERPT_MAX),
    // The resources of a test do not exist.
    links: tone === 'info' ? [] : linksOf(data),
    dedupKey: dedupKeyOf(message.type, data),
    isOver,
    at: message.timestamp,
  }
}

function factsOf({ type, timestamp }: WebhookMessage, data: Data): Alert['facts'] {
  const { service, workspace, project, incident, certificate } = data
  const since = incident?.failingSince
  const failing = (data.agents ?? []).filter(({ status }) => status !== 'success').map(({ agentSlug }) => agentSlug)
  const more = failing.length - AGENTS_MAX
  const facts: [string, string | null | undefined][] = [
    ['Service', service?.name],
    ['Project', project && `${workspace?.name ?? ''} / ${project.name ?? ''}`],
    ['Failing since', since && type !== 'service.recovered' ? instantText(since) : null],
    ['Down for', typeof incident?.downMs === 'number' ? durationText(incident.downMs) : null],
    ['Failing agents', `${failing.slice(0, AGENTS_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`],
    ['Certificate of', certificate?.host],
    ['Valid until', certificate ? instantText(certificate.notAfter) : null],
    ['Subject', certificate?.subject],
    ['Issuer', certificate?.issuer],
    ['Agent', data.agent?.slug],
    ['Time', instantText(timestamp)],
  ]
  return facts
    .map(([name, value]) => ({ name, value: clip(onOneLine(value ?? ''), FACT_MAX) }))
    .filter(({ value }) => value !== '')
}

function linksOf({ links }: Data): Alert['links'] {
  const all = [
    { label: 'Open the incident', url: links?.incident },
    { label: 'Open the result', url: links?.result },
    { label: 'Open the service', url: links?.service },
  ]
  return all.flatMap(({ label, url }) => (url ? [{ label, url }] : [])).slice(0, 2)
}

function dedupKeyOf(type: string, { incident, service, certificate, agent }: Data): string {
  if (certificate) return `soundline-certificate-${service?.id}-${clip(certificate.host, 150)}-${certificate.notAfter}`
  if (agent) return `soundline-agent-${agent.id}`
  if (!(type in TONES)) return 'soundline-test'
  return incident ? `soundline-incident-${incident.id}` : `soundline-service-${service?.id}`
}

/** Returns for example `2026-11-22 08:45:10 UTC`. */
function instantText(instant: string): string {
  return `${instant.slice(0, 10)} ${instant.slice(11, 19)} UTC`
}
