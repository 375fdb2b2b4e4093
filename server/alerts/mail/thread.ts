import type { Settings } from '../../process/settings.ts'

// Message ids by which mail clients show the mails about one incident as one conversation. They are derived from the ids of
// mails, so a mail that is sent twice has the same one.

export type Thread = { messageId: string; inReplyTo?: string }

type Address = Partial<Pick<Settings, 'BASE_URL' | 'MAIL_FROM'>>

/** A mail, and the first mail to its reader about the same incident, which can be a digest; null for the first. */
export type ThreadSubject = { mailId: string; repliesTo: string | null }

export function threadOf(settings: Address, { mailId, repliesTo }: ThreadSubject): Thread {
  const idOf = (id: string) => `<mail.${id}@${mailDomain(settings)}>`
  return { messageId: idOf(mailId), ...(repliesTo !== null && { inReplyTo: idOf(repliesTo) }) }
}

/** Returns the domain of our message ids: the installation's own host, or the domain of the sender. */
export function mailDomain({ BASE_URL, MAIL_FROM }: Address): string {
  if (BASE_URL) return new URL(BASE_URL).hostname
  return /@([^\s<>@]+)>?\s*$/.exec(MAIL_FROM ?? '')?.[1]?.toLowerCase() ?? 'localhost'
}
