import type { EventKind } from '#db/schema/alerts.ts'
import { linksOf, titleOf, type WebhookMessage } from '../webhooks/messages.ts'
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
import { withUnlinkedNames } from './unlinked-names.ts'

// The content of a mail about one event, or of a digest: one mail about many events, the worst first.

/** The entries that a digest lists; of the others it says how many there are. */
export const DIGEST_LISTED_MAX = 100

export type Digest = {
  /** The latest message of each service or agent, worst first, at most `DIGEST_LISTED_MAX`. */
  messages: WebhookMessage[]
  /** How many entries of each kind there are, listed or not. */
  counts: ReadonlyMap<EventKind, number>
  /** Whether it says, when quiet hours end, what began in them. Its messages are those of that time, see `asKindOf`. */
  isQuietEnd: boolean
}

export type DigestMail = { subject: string; content: MailContent }

/** The kinds of event, the worst first. */
const KINDS = [
  'service.failed',
  'service.flapping',
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

const IN_QUIET_HOURS = 'This began during your quiet hours'

/** A digest of one message is the mail about that event. Names in it are no links. */
export function digestMail(given: Digest, reader: MailReader): DigestMail {
  const digest = { ...given, messages: given.messages.map(withUnlinkedNames) }
  const { messages, isQuietEnd } = digest
  const [first, second] = messages
  if (first && !second) {
    const content = eventContent(first, reader)
    const summary = isQuietEnd ? `${content.summary}. ${IN_QUIET_HOURS}` : content.summary
    return { subject: titleOf(first), content: { ...content, summary } }
  }
  const data = (first?.data ?? {}) as EventPayload
  const worst = toneOf(first?.type ?? '')
  const kinds = kindsOf(digest)
  const title = kinds.map(kindText).join(', ')
  const place = data.project?.name
  const where = isQuietEnd ? IN_QUIET_HOURS : whereOf(data)
  const label = isQuietEnd ? 'Quiet hours' : worst.label
  return {
    subject: `[${label}] ${place && !isQuietEnd ? `${place} – ` : ''}${title}`,
    content: {
      ...{ tone: worst.tone, label, title, where },
      summary: isQuietEnd ? `${title}. ${IN_QUIET_HOURS}` : `${title}${where && ` in ${where}`}`,
      blocks: [...listBlocks(digest, reader.baseUrl), ...pageLink(digest, reader.baseUrl)],
      footer: footerOf(reader, 'service'),
    },
  }
}

/** Returns the kind of an event that still holds when quiet hours end: a failure becomes a reminder. */
export function asKindOf(kind: EventKind): EventKind {
  return kind === 'service.failed' ? 'service.reminder' : kind
}

type CountedKind = [kind: EventKind, count: number, index: number]

function kindsOf({ counts }: Digest): CountedKind[] {
  return KINDS.filter((kind) => counts.has(kind)).map((kind, index) => [kind, counts.get(kind) as number, index])
}

function kindText([kind, count, index]: CountedKind): string {
  const services = index > 0 ? String(count) : counted(count, 'service')
  switch (kind) {
    case 'service.failed':
      return `${services} failed`
    case 'service.recovered':
      return `${services} recovered`
    case 'service.flapping':
      return `${services} ${count === 1 ? 'flaps' : 'flap'}`
    case 'service.reminder':
      return `${services} still ${count === 1 ? 'fails' : 'fail'}`
    case 'certificate.expiring':
      return certificatesText(count)
    default:
      return `${counted(count, 'agent')} ${count === 1 ? 'is' : 'are'} ${kind === 'agent.lost' ? 'lost' : 'back'}`
  }
}

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

function pageLink({ messages }: Digest, baseUrl: string | null): MailBlock[] {
  if (!baseUrl) return []
  const isOfAgents = messages.every(({ data }) => (data as EventPayload).agent)
  const link = isOfAgents
    ? { label: 'Agents', url: `${baseUrl}/agents` }
    : { label: 'Open incidents', url: `${baseUrl}/incidents` }
  return [{ kind: 'links', links: [link] }]
}
