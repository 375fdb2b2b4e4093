import type { EventKind } from '#db/schema/alerts.ts'
import { linksOf, summarize, titleOf, type WebhookMessage } from '../webhooks/messages.ts'
import { clip } from '../webhooks/text.ts'
import type { ListItem, MailBlock, MailContent } from './content.ts'
import {
  type EventPayload,
  eventContent,
  footerOf,
  type MailReader,
  moreText,
  toneOf,
  whereOf,
} from './event-content.ts'

// The content of a digest: one mail about many events, the worst first.

/** The entries that a digest lists; of the others it says how many there are. */
export const DIGEST_LISTED_MAX = 100

export type Digest = {
  /** The latest message of each service or agent, worst first, at most `DIGEST_LISTED_MAX`. */
  messages: WebhookMessage[]
  /** How many entries of each kind there are, listed or not. */
  counts: ReadonlyMap<EventKind, number>
}

export type DigestMail = { subject: string; content: MailContent }

/** The kinds of event, the worst first. */
const KINDS = [
  'service.failed',
  'service.reminder',
  'agent.lost',
  'certificate.expiring',
  'service.recovered',
  'agent.back',
] as const satisfies EventKind[]

const DETAIL_MAX = 300

export function severityOf(kind: EventKind): number {
  return KINDS.indexOf(kind)
}

/** Instead of a mail for each service of a project of which many changed within a minute. */
export function stormMail(digest: Digest, reader: MailReader): DigestMail {
  const data = (digest.messages[0]?.data ?? {}) as EventPayload
  const { tone, label } = toneOf(worstOf(digest))
  const title = kindsOf(digest).map(stormText).join(', ')
  const { project } = data
  return {
    subject: `[${label}] ${project?.name ?? ''} – ${title}`,
    content: {
      tone,
      label,
      summary: `${title} in ${whereOf(data)}, within a minute`,
      title: `${title}, within a minute`,
      where: whereOf(data),
      blocks: [...listBlocks(digest, reader.baseUrl), ...incidentsLink(reader.baseUrl)],
      footer: footerOf(reader, 'service'),
    },
  }
}

/** When quiet hours end: what failed in them and still does. `digest` has its messages as of now, see `asOf`. */
export function quietMail(digest: Digest, reader: MailReader): DigestMail {
  const [first, second] = digest.messages
  if (first && !second) {
    const content = eventContent(first, reader)
    return {
      subject: titleOf(first),
      content: { ...content, summary: `${summarize(first)}. This began during your quiet hours` },
    }
  }
  const title = kindsOf(digest).map(stillText).join(', ')
  const label = 'Quiet hours'
  return {
    subject: `[${label}] ${title}`,
    content: {
      tone: toneOf(worstOf(digest)).tone,
      label,
      summary: `${title}. This began during your quiet hours`,
      title,
      where: 'This began during your quiet hours',
      blocks: [...listBlocks(digest, reader.baseUrl), ...incidentsLink(reader.baseUrl)],
      footer: footerOf(reader, 'service'),
    },
  }
}

/** Returns the message about an event that is still so at `now`: a failure becomes a reminder. */
export function asOf(message: WebhookMessage, now: Date): WebhookMessage {
  const type = message.type === 'service.failed' ? 'service.reminder' : message.type
  return { ...message, type, timestamp: now.toISOString() }
}

type CountedKind = [kind: EventKind, count: number, index: number]

function kindsOf({ counts }: Digest): CountedKind[] {
  return KINDS.filter((kind) => counts.has(kind)).map((kind, index) => [kind, counts.get(kind) as number, index])
}

function worstOf(digest: Digest): EventKind {
  return kindsOf(digest)[0]?.[0] ?? 'service.failed'
}

function stormText([kind, count, index]: CountedKind): string {
  const who = index > 0 ? String(count) : counted(count, 'service')
  switch (kind) {
    case 'service.failed':
      return `${who} failed`
    case 'service.recovered':
      return `${who} recovered`
    case 'service.reminder':
      return `${who} still ${count === 1 ? 'fails' : 'fail'}`
    default:
      return certificatesText(count)
  }
}

function stillText([kind, count]: CountedKind): string {
  switch (kind) {
    case 'agent.lost':
      return `${counted(count, 'agent')} ${count === 1 ? 'is' : 'are'} still lost`
    case 'certificate.expiring':
      return certificatesText(count)
    default:
      return `${counted(count, 'service')} still ${count === 1 ? 'fails' : 'fail'}`
  }
}

/** A service can have several certificates. */
function certificatesText(count: number): string {
  return `${counted(count, 'certificate')} ${count === 1 ? 'expires' : 'expire'} soon`
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** One list per kind, so that what recovered is not mistaken for what fails. */
function listBlocks(digest: Digest, baseUrl: string | null): MailBlock[] {
  return kindsOf(digest).map(([kind, count]) => {
    const listed = digest.messages.filter(({ type }) => type === kind)
    const items = listed.map((message) => itemOf(message, baseUrl))
    return { kind: 'list', label: `${toneOf(kind).label} (${count})`, items, more: moreText(count - items.length) }
  })
}

function itemOf(message: WebhookMessage, baseUrl: string | null): ListItem {
  const data = message.data as EventPayload
  const links = linksOf(message, baseUrl)
  const name = data.service?.name ?? data.agent?.label ?? data.agent?.slug ?? ''
  const isFailing = message.type === 'service.failed' || message.type === 'service.reminder'
  const detail = (isFailing ? data.failure?.summary : null) ?? titleDetail(message, name)
  return {
    tone: toneOf(message.type).tone,
    title: name,
    detail: detail ? clip(detail, DETAIL_MAX) : null,
    url: links?.incident ?? links?.result ?? links?.service ?? null,
  }
}

/** Returns the title of a message without its label and name. */
function titleDetail(message: WebhookMessage, name: string): string {
  const title = titleOf(message)
  const start = title.indexOf(`${name} – `)
  return start < 0 ? '' : title.slice(start + name.length + 3)
}

function incidentsLink(baseUrl: string | null): MailBlock[] {
  return baseUrl ? [{ kind: 'links', links: [{ label: 'Open incidents', url: `${baseUrl}/incidents` }] }] : []
}
