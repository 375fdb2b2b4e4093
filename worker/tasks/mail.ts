import type { Task } from 'graphile-worker'
import { createTransport } from 'nodemailer'
import type { Db } from '#db/client.ts'
import { and, eq, sql } from '#db/drizzle.cjs'
import { matchesId, matchesRow } from '#db/row-match.ts'
import { alertEvents, alertMessages, incidents } from '#db/schema/alerts.ts'
import { MAIL_NOT_CONFIGURED } from '#server/alerts/mail/configured.ts'
import { type Announcer, addChange, type Changes } from '#server/live/announce.ts'
import { observeMail } from '#server/observe/metrics/sends.ts'
import { setMark } from '#server/observe/system/marks.ts'
import { warnOperator } from '#server/observe/system/warnings.ts'
import { log } from '#server/process/log.ts'
import type { Settings } from '#server/process/settings.ts'
import { JOBS, type JobPayload } from '#server/schedule/jobs.ts'
import { topics } from '#server/schemas/live/topics.ts'

const TIMEOUT_MS = 30_000

/** Why a mail about a failure is not sent: it would come after the one about the recovery. */
export const INCIDENT_OVER = 'the incident was over before the mail could be sent'
/** Why a mail about a service is not sent. A deleted service keeps its events until its deletion expires. */
export const SERVICE_DELETED = 'the service was deleted before the mail could be sent'

type Alert = NonNullable<JobPayload<'mail'>['alert']>

/**
 * Returns a task that sends a mail by SMTP, or only logs it without `SMTP_URL`. The queue retries failed mails. The alert
 * messages in the mail are `sent` when the server has accepted it. If the worker dies in between, the mail is sent again
 * with the same message id.
 */
export function createMailer(db: Db, settings: Pick<Settings, 'SMTP_URL' | 'MAIL_FROM'>, announcer?: Announcer): Task {
  const { SMTP_URL: url, MAIL_FROM: from } = settings
  const limits = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS }
  const server = url ? createTransport({ url, ...limits }, { from }) : null
  const store = async (alert: Alert, outcome: Outcome) => {
    const changes: Changes = new Map()
    for (const organizationId of await record(db, alert, outcome)) addChange(changes, organizationId, topics.message)
    announcer?.add(changes)
  }
  const noteSent = createSentMark(db)
  return async (payload, { job }) => {
    const { alert, inReplyTo, ...mail } = JOBS.mail.parse(payload)
    if (alert && !(await isPending(db, alert))) return
    const reason = alert ? await reasonToSuppress(db, alert, job.attempts > 1) : null
    if (alert && reason !== null) {
      await store(alert, { state: 'suppressed', reason })
      return
    }
    if (!server) {
      log.info({ subject: mail.subject }, 'mail is not configured (SMTP_URL): a mail was not sent')
      if (alert) await store(alert, { state: 'failed', reason: MAIL_NOT_CONFIGURED })
      return
    }
    const started = performance.now()
    try {
      await server.sendMail({ ...mail, ...(inReplyTo && { inReplyTo, references: inReplyTo }) })
    } catch (error) {
      const isFinal = isRefusal(error)
      if (!isOfRecipient(error)) warnOperator(db, 'mail_failed', '', reasonOf(error))
      observeMail(isFinal ? 'refused' : 'failed', started)
      if (alert) {
        const isGivenUp = isFinal || job.attempts >= job.max_attempts
        await store(alert, { state: isGivenUp ? 'failed' : 'pending', reason: reasonOf(error) })
      }
      if (!isFinal) throw error
      log.warn({ err: error, subject: mail.subject }, 'the mail server refused a mail permanently')
      return
    }
    observeMail('sent', started)
    noteSent()
    if (alert) await store(alert, { state: 'sent', reason: null })
  }
}

/** A repeated job finds no pending message, nor does one whose events are cleared. */
async function isPending(db: Db, alert: Alert): Promise<boolean> {
  return (await db.$count(alertMessages, pendingOf(alert))) > 0
}

/**
 * Returns why a mail is obsolete, or null: the services are deleted, or in a retry, incidents of failures and reminders
 * are closed, or, for reminders, acknowledged. The mail about the recovery may have been accepted before a retry, and
 * must stay the last word.
 */
async function reasonToSuppress(db: Db, alert: Alert, isRetry: boolean): Promise<string | null> {
  const [mail] = await db
    .select({
      isDeleted: sql<boolean>`coalesce(bool_and(${SERVICE_IS_DELETED}), false)`,
      isOver: sql<boolean>`coalesce(bool_and(${SERVICE_IS_DELETED} or ${INCIDENT_IS_OVER}), false)`,
    })
    .from(alertMessages)
    .innerJoin(alertEvents, matchesRow(alertMessages.eventId, alertEvents))
    .leftJoin(incidents, matchesRow(alertEvents.incidentId, incidents))
    .where(pendingOf(alert))
  if (mail?.isDeleted) return SERVICE_DELETED
  return isRetry && mail?.isOver ? INCIDENT_OVER : null
}

/** Of an event. */
export const SERVICE_IS_DELETED = sql`(${alertEvents.serviceId} is not null
  and not exists (select from services s where (s.organization_id, s.id) = (${alertEvents.organizationId}, ${alertEvents.serviceId})))`

/** Of an event with its incident. */
export const INCIDENT_IS_OVER = sql`case ${alertEvents.kind}
  when 'service.failed' then ${incidents.closedAt} is not null
  when 'service.flapping' then ${incidents.closedAt} is not null
  when 'service.reminder' then ${incidents.closedAt} is not null or ${incidents.acknowledgedAt} is not null
  else false end`

type Outcome = { state: 'sent' | 'failed' | 'pending' | 'suppressed'; reason: string | null }

/** Returns the organization of each message in the mail. */
async function record(db: Db, alert: Alert, outcome: Outcome): Promise<string[]> {
  const rows = await db
    .update(alertMessages)
    .set({ ...outcome, ...(outcome.state === 'sent' && { sentAt: sql`now()` }) })
    .where(pendingOf(alert))
    .returning({ organizationId: alertMessages.organizationId })
  return rows.map(({ organizationId }) => organizationId)
}

/** The member's pending messages have an index, mails have none. */
function pendingOf({ organizationId, mailId, membershipId }: Alert) {
  return and(
    matchesId(alertMessages.membershipId, organizationId, membershipId),
    eq(alertMessages.state, 'pending'),
    eq(alertMessages.mailId, mailId),
  )
}

/** Whether a retry is useless: a permanent SMTP error (5xx). */
function isRefusal(error: unknown): boolean {
  const { responseCode, code } = error as { responseCode?: unknown; code?: unknown }
  // The operator can correct wrong credentials; then the mail is still sent.
  return code !== 'EAUTH' && typeof responseCode === 'number' && responseCode >= 500 && responseCode < 600
}

/** Whether the error is about the recipient's address, so that it says nothing about the server. */
function isOfRecipient(error: unknown): boolean {
  return (error as { command?: unknown }).command === 'RCPT TO'
}

/** Returns why an attempt failed, for members: without addresses and names of the mail server, which are in the log. */
function reasonOf(error: unknown): string {
  const { responseCode, response, code } = error as { responseCode?: number; response?: string; code?: string }
  if (code === 'EAUTH') return 'the mail server refused the credentials of SMTP_URL'
  if (typeof responseCode !== 'number') return 'the mail server cannot be reached'
  const [, detail] = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response ?? '') ?? []
  const status = detail ? `${responseCode} ${detail}` : String(responseCode)
  return isRefusal(error) ? `the mail server refused it: ${status}` : `the mail server did not accept it yet: ${status}`
}

const MARK_INTERVAL_MS = 60_000

/** Returns a function that stores when a mail was last sent, at most once a minute. */
function createSentMark(db: Db): () => void {
  let markedAt = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - markedAt < MARK_INTERVAL_MS) return
    markedAt = performance.now()
    setMark(db, 'mail', {}).catch((error) => log.debug({ err: error }, 'the time of a mail could not be stored'))
  }
}
