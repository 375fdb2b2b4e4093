import type { HeardThrough } from '#db/schema/alerts.ts'
import { type StopTarget, signStopLink } from '#server/alerts/alerts/unsubscribe-token.ts'
import { type MailContent, renderText } from '#server/alerts/mail/content.ts'
import type { DigestMail } from '#server/alerts/mail/digest-content.ts'
import type { MailReader } from '#server/alerts/mail/event-content.ts'
import { renderHtml } from '#server/alerts/mail/layout.ts'
import { onOneLine, unlinked } from '#server/alerts/mail/text.ts'
import { type ThreadSubject, threadOf } from '#server/alerts/mail/thread.ts'
import { databaseTime } from '#server/observe/system/database-clock.ts'
import type { Settings } from '#server/process/settings.ts'
import type { JobPayload } from '#server/schedule/jobs.ts'
import type { Vault } from '#server/vault.ts'

/** The parts of the process that alert mails need. */
export type Mailing = { settings: Settings; vault: Vault }

export type MailRecipient = {
  organizationId: string
  membershipId: string
  email: string
  heardThrough: HeardThrough[]
  timezone: string
}

/** The resource that the one-click link silences. */
export type Stoppable = { target: StopTarget; name: string }

/** The recipient and thread of one mail. */
export type Envelope = { recipient: MailRecipient; thread: ThreadSubject; stoppable: Stoppable }

/** The attempts of a mail: about a day, by the delays of the queue. */
const ATTEMPTS = 12

/** Returns the options of the job of an alert mail. */
export function alertMailJob(key: string) {
  return { key, maxAttempts: ATTEMPTS }
}

/**
 * Returns the mail about one or several events. `write` gets the reader that its footer addresses. Payloads contain no
 * secrets: they are removed before a run is stored.
 */
export function alertMail(
  mailing: Mailing,
  envelope: Envelope,
  write: (reader: MailReader) => DigestMail,
): JobPayload<'mail'> {
  const links = stopLinks(mailing, envelope)
  const { subject, content } = write(readerOf(mailing, envelope, links))
  return mailOf(mailing, envelope, links, subject, content)
}

function readerOf({ settings }: Mailing, { recipient }: Envelope, links: StopLinks | null): MailReader {
  const { heardThrough, timezone } = recipient
  return {
    heardThrough,
    timezone,
    baseUrl: settings.BASE_URL ?? null,
    stop: links && { label: links.label, url: links.page },
  }
}

type StopLinks = { label: string; page: string; oneClick: string }

/** Returns the page that asks before it makes a silence, and the address by which mail programs make it at once. */
function stopLinks({ settings, vault }: Mailing, { recipient, stoppable }: Envelope): StopLinks | null {
  if (!settings.BASE_URL) return null
  const { target, name } = stoppable
  const { membershipId, email } = recipient
  const token = signStopLink(vault, { membershipId, email, target, issuedAt: databaseTime() })
  return {
    label: `Stop mails about ${aboutOf(target.type, unlinked(name))}`,
    page: `${settings.BASE_URL}/unsubscribe#${token}`,
    oneClick: `${settings.BASE_URL}/api/unsubscribe?token=${token}`,
  }
}

function aboutOf(type: StopTarget['type'], name: string): string {
  if (type === 'agents') return 'agents'
  return type === 'organization' ? `everything in ${name}` : `the ${type} ${name}`
}

function mailOf(
  { settings }: Mailing,
  { recipient, thread }: Envelope,
  links: StopLinks | null,
  title: string,
  content: MailContent,
): JobPayload<'mail'> {
  const subject = onOneLine(title)
  const { organizationId, membershipId, email } = recipient
  return {
    to: email,
    subject,
    text: renderText(content),
    html: renderHtml(content, subject),
    ...threadOf(settings, thread),
    headers: {
      // So that vacation responders do not reply (RFC 3834).
      'Auto-Submitted': 'auto-generated',
      // One click without a session (RFC 8058).
      ...(links && {
        'List-Unsubscribe': `<${links.oneClick}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    alert: { organizationId, mailId: thread.mailId, membershipId },
  }
}
