import type { JobPayload } from '../../schedule/jobs.ts'
import { type MailContent, renderText } from './content.ts'
import { instantText } from './event-content.ts'
import { renderHtml } from './layout.ts'
import { unlinked } from './text.ts'

export type Assignment = {
  serviceName: string
  /** The cause of the incident in one line. */
  summary: string
  failingSince: Date
  closedAt: Date | null
  shownSeverity: string | null
  actorName: string
  /** IANA zone of the times in the mail. */
  timezone: string
  /** The page of the incident. */
  url: string
}

/** To a member to whom another one assigned an incident. */
export function assignmentMail(to: string, given: Assignment): JobPayload<'mail'> {
  const { summary, failingSince, closedAt, shownSeverity, timezone, url } = given
  // Members chose both names.
  const [serviceName, actorName] = [unlinked(given.serviceName), unlinked(given.actorName)]
  const rows: [string, string | null][] = [
    ['Cause', summary],
    ['Severity', shownSeverity],
    ['Failing since', instantText(failingSince.toISOString(), timezone)],
    ['Recovered', closedAt && instantText(closedAt.toISOString(), timezone)],
  ]
  const title = `${actorName} assigned the incident of ${serviceName} to you`
  const content: MailContent = {
    tone: closedAt ? 'good' : 'bad',
    label: 'Assigned to you',
    summary: title,
    title,
    where: '',
    blocks: [
      { kind: 'facts', rows: rows.filter((row): row is [string, string] => row[1] !== null) },
      { kind: 'links', links: [{ label: 'Incident', url }] },
    ],
    footer: [{ text: 'You receive this because the incident was assigned to you.' }],
  }
  const subject = `[Assigned] ${serviceName}`
  return { to, subject, text: renderText(content), html: renderHtml(content, subject) }
}
