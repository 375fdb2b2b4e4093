import type { Task } from 'graphile-worker'
import { createTransport } from 'nodemailer'
import { log } from '#server/process/log.ts'
import type { Settings } from '#server/process/settings.ts'
import { JOBS } from '#server/schedule/jobs.ts'

const TIMEOUT_MS = 30_000

/** Returns a task that sends a mail by SMTP, or only logs it without `SMTP_URL`. The queue retries failed mails. */
export function createMailer(settings: Pick<Settings, 'SMTP_URL' | 'MAIL_FROM'>): Task {
  const { SMTP_URL: url, MAIL_FROM: from } = settings
  const limits = { connectionTimeout: TIMEOUT_MS, greetingTimeout: TIMEOUT_MS, socketTimeout: TIMEOUT_MS }
  const server = url ? createTransport({ url, ...limits }, { from }) : null
  return async (payload) => {
    const mail = JOBS.mail.parse(payload)
    if (!server) {
      log.info({ subject: mail.subject }, 'mail is not configured (SMTP_URL): a mail was not sent')
      return
    }
    try {
      await server.sendMail(mail)
    } catch (error) {
      if (!isRefusal(error)) throw error
      log.warn({ err: error, subject: mail.subject }, 'the mail server refused a mail permanently')
    }
  }
}

/** Whether a retry is useless: a permanent SMTP error (5xx). */
function isRefusal(error: unknown): boolean {
  const { responseCode, code } = error as { responseCode?: unknown; code?: unknown }
  // The operator can correct wrong credentials; then the mail is still sent.
  return code !== 'EAUTH' && typeof responseCode === 'number' && responseCode >= 500 && responseCode < 600
}
