import type { AgentObservation, HeardThrough } from '#db/schema/alerts.ts'
import { durationText } from '../../schemas/duration-text.ts'
import { actualText, expectedText, phaseText } from '../../schemas/results/assertion-text.ts'
import type { RunFailure } from '../../schemas/results/failures.ts'
import { ongoingText, statusText } from '../../schemas/status/status-text.ts'
import { linksOf, summarize, titleOf, type WebhookMessage } from '../webhooks/messages.ts'
import { clip } from '../webhooks/text.ts'
import type { ListItem, MailBlock, MailContent, MailLink, Tone } from './content.ts'
import { listeningText } from './listening.ts'

// The content of the mail about one event.

type Named = { id: string; name: string }

/** The fields of a payload that mails read. */
export type EventPayload = {
  workspace?: Named
  project?: Named
  service?: Named
  incident?: { id: string; failingSince?: string; summary?: string; downMs?: number | null } | null
  result?: { status?: string; startedAt?: string; agentSlug?: string; totalResponseMs?: number } | null
  failure?: RunFailure | null
  agents?: AgentObservation[]
  certificate?: { host: string; notAfter: string; daysLeft: number; subject?: string | null; issuer?: string | null }
  agent?: { id: string; slug: string; label?: string | null }
  lastSeenAt?: string
  services?: { total: number; names: string[] }
}

/** Who gets the mail and why, and the pages that it links to. */
export type MailReader = {
  heardThrough: HeardThrough[]
  /** IANA zone of the times in the mail. */
  timezone: string
  baseUrl: string | null
  /** Makes a silence; null without the installation's own URL. */
  stop: MailLink | null
}

const TONES: Record<string, { tone: Tone; label: string }> = {
  'service.failed': { tone: 'bad', label: 'Failed' },
  'service.recovered': { tone: 'good', label: 'Recovered' },
  'service.reminder': { tone: 'bad', label: 'Still failing' },
  'service.flapping': { tone: 'bad', label: 'Flapping' },
  'certificate.expiring': { tone: 'warning', label: 'Certificate' },
  'agent.lost': { tone: 'bad', label: 'Agent lost' },
  'agent.back': { tone: 'good', label: 'Agent back' },
}

/** Agents and services that a mail lists. */
const LISTED_MAX = 20
const DETAIL_MAX = 300

export function eventContent(message: WebhookMessage, reader: MailReader): MailContent {
  const { tone, label } = toneOf(message.type)
  const data = message.data as EventPayload
  return {
    tone,
    label,
    summary: summarize(message),
    title: titleOf(message).replace(/^\[[^\]]*\] /, ''),
    where: whereOf(data),
    blocks: [...blocksOf(message, data, reader.timezone), ...linksBlock(message, reader.baseUrl)],
    footer: footerOf(reader, data.service ? 'service' : 'agent'),
  }
}

export function toneOf(kind: string): { tone: Tone; label: string } {
  return TONES[kind] ?? { tone: 'warning', label: 'Test' }
}

export function whereOf({ workspace, project }: EventPayload): string {
  return [workspace?.name, project?.name].filter((name) => name).join(' / ')
}

export function footerOf(
  { heardThrough, baseUrl, stop }: MailReader,
  about: 'service' | 'agent',
): MailContent['footer'] {
  const why = { text: listeningText(heardThrough, about) }
  if (!baseUrl) return [why, { text: 'To stop these mails, add a silence in Soundline, under My silences.' }]
  const silences = { link: { label: 'My silences', url: `${baseUrl}/silences` } }
  return stop ? [why, { link: stop }, silences] : [why, silences]
}

function blocksOf(message: WebhookMessage, data: EventPayload, timezone: string): MailBlock[] {
  switch (message.type) {
    case 'service.recovered':
      return [facts(recoveryFacts(data, timezone)), ...agentsBlock(data, timezone)]
    case 'certificate.expiring':
      return [facts(certificateFacts(data, timezone))]
    case 'agent.lost':
    case 'agent.back':
      return [facts(agentFacts(data, timezone)), ...servicesBlock(message.type, data)]
    default:
      return [
        facts([...failureFacts(data), ...periodFacts(message, data, timezone)]),
        ...excerptBlock(data),
        ...agentsBlock(data, timezone),
      ]
  }
}

type Facts = [label: string, value: string | null | undefined][]

function facts(rows: Facts): MailBlock {
  return { kind: 'facts', rows: rows.filter((row): row is [string, string] => !!row[1]) }
}

function failureFacts({ failure }: EventPayload): Facts {
  if (!failure) return []
  const { step, assertion, error, phase, moreFailed } = failure
  return [
    ['Request', step && `${step.method} ${step.url ?? ''}`.trim()],
    ['Expected', assertion && expectedText(assertion)],
    ['Actual', assertion && actualText(assertion)],
    ['Error', error],
    ['Timed out during', phase && phaseText(phase)],
    ['Also failed', moreFailed > 0 ? `${moreFailed} more ${moreFailed === 1 ? 'check' : 'checks'} of this run` : null],
  ]
}

function periodFacts({ timestamp }: WebhookMessage, { incident, result }: EventPayload, timezone: string): Facts {
  const since = incident?.failingSince
  const duration = since ? Date.parse(timestamp) - Date.parse(since) : 0
  return [
    [
      'Failing since',
      since && `${instantText(since, timezone)}${duration >= 1_000 ? ` (${durationText(duration)})` : ''}`,
    ],
    ['Run', result && runText(result, timezone)],
  ]
}

function runText(result: NonNullable<EventPayload['result']>, timezone: string): string {
  const { status, agentSlug, startedAt, totalResponseMs: ms } = result
  const where = [status && statusText(status), agentSlug && `on ${agentSlug}`].filter((part) => part).join(' ')
  return [where, startedAt && instantText(startedAt, timezone), ms !== undefined && `${Math.round(ms)} ms`]
    .filter((part) => part)
    .join(', ')
}

function recoveryFacts({ incident, result }: EventPayload, timezone: string): Facts {
  return [
    ['Down for', typeof incident?.downMs === 'number' ? durationText(incident.downMs) : null],
    ['Failing since', incident?.failingSince && instantText(incident.failingSince, timezone)],
    ['Passing since', result?.startedAt && instantText(result.startedAt, timezone)],
    ['Cause was', incident?.summary],
    ['Run', result && runText(result, timezone)],
  ]
}

function certificateFacts({ certificate }: EventPayload, timezone: string): Facts {
  if (!certificate) return []
  const { host, notAfter, daysLeft, subject, issuer } = certificate
  return [
    ['Host', host],
    ['Expires', instantText(notAfter, timezone)],
    ['Days left', String(Math.max(0, daysLeft))],
    ['Subject', subject],
    ['Issuer', issuer],
  ]
}

function agentFacts({ agent, lastSeenAt }: EventPayload, timezone: string): Facts {
  return [
    ['Agent', agent && (agent.label ? `${agent.label} (${agent.slug})` : agent.slug)],
    ['Last heartbeat', lastSeenAt && instantText(lastSeenAt, timezone)],
  ]
}

function excerptBlock({ failure }: EventPayload): MailBlock[] {
  const { excerpt } = failure ?? {}
  return excerpt ? [{ kind: 'quote', label: 'Start of the response', text: excerpt }] : []
}

function agentsBlock({ agents = [] }: EventPayload, timezone: string): MailBlock[] {
  if (agents.length === 0) return []
  const worstFirst = agents.toSorted((a, b) => b.failingRuns - a.failingRuns)
  const items = worstFirst.slice(0, LISTED_MAX).map((agent): ListItem => {
    const { agentSlug, status, since, failingRuns, summary } = agent
    const runs = failingRuns > 1 ? `${failingRuns} runs in a row, ` : ''
    const why = summary ? `: ${clip(summary, DETAIL_MAX)}` : ''
    return {
      tone: status === 'success' ? 'good' : 'bad',
      title: agentSlug,
      detail: `${ongoingText(status)}, ${runs}since ${instantText(since, timezone)}${why}`,
    }
  })
  return [{ kind: 'list', label: 'What each agent sees', items, more: moreText(agents.length - items.length) }]
}

function servicesBlock(kind: string, { services }: EventPayload): MailBlock[] {
  if (!services || services.total === 0) return []
  const isLost = kind === 'agent.lost'
  const items = services.names
    .slice(0, LISTED_MAX)
    .map((name): ListItem => ({ tone: isLost ? 'warning' : 'good', title: name, detail: null }))
  const label = isLost ? 'Services without new results from it' : 'Services that use it'
  return [{ kind: 'list', label, items, more: moreText(services.total - items.length) }]
}

export function moreText(more: number): string | null {
  return more > 0 ? `and ${more} more` : null
}

function linksBlock(message: WebhookMessage, baseUrl: string | null): MailBlock[] {
  if (!baseUrl) return []
  const pages = linksOf(message, baseUrl)
  const isAgent = message.type.startsWith('agent.')
  const links: [string, string | null | undefined][] = [
    ['Incident', pages?.incident],
    ['Result', pages?.result],
    ['Service', pages?.incident || pages?.result ? null : pages?.service],
    ['Agents', isAgent ? `${baseUrl}/agents` : null],
  ]
  return [{ kind: 'links', links: links.flatMap(([label, url]) => (url ? [{ label, url }] : [])) }]
}

/** Returns for example `22 Nov 2026, 09:45:03 CET`. */
export function instantText(instant: string, timezone: string): string {
  return formatFor(timezone).format(new Date(instant))
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatFor(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', { timeZone, dateStyle: 'medium', timeStyle: 'long' })
    formats.set(timeZone, format)
  }
  return format
}
