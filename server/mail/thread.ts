import type { Settings } from '../process/settings.ts'

// Message ids by which mail clients show the mails about one incident as one conversation. They are derived, so that every
// worker computes the same ones, and a mail that is sent twice has the same id.

export type Thread = { messageId: string; inReplyTo?: string }

type Address = Partial<Pick<Settings, 'BASE_URL' | 'MAIL_FROM'>>

/** What a mail is about: an event, perhaps of an incident, or several events in one digest. */
export type ThreadSubject = { eventId: string; kind: string; incidentId: string | null } | { digestId: string }

/**
 * Returns the ids of a mail to a member. The mail about the failure starts the thread of its incident; the others reply to
 * it, even if this member did not get it.
 */
export function threadOf(settings: Address, membershipId: string, subject: ThreadSubject): Thread {
  const idOf = (what: string) => `<${what}.${membershipId}@${mailDomain(settings)}>`
  if ('digestId' in subject) return { messageId: idOf(`digest.${subject.digestId}`) }
  const { eventId, kind, incidentId } = subject
  if (incidentId === null) return { messageId: idOf(`event.${eventId}`) }
  const first = idOf(`incident.${incidentId}`)
  if (kind === 'service.failed') return { messageId: first }
  return { messageId: idOf(`event.${eventId}.incident.${incidentId}`), inReplyTo: first }
}

/** Returns the domain of our message ids: the installation's own host, or the domain of the sender. */
export function mailDomain({ BASE_URL, MAIL_FROM }: Address): string {
  if (BASE_URL) return new URL(BASE_URL).hostname
  return /@([^\s<>@]+)>?\s*$/.exec(MAIL_FROM ?? '')?.[1]?.toLowerCase() ?? 'localhost'
}
