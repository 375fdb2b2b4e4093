import type { Task } from 'graphile-worker'
import { createTransport } from 'nodemailer'
import { log } from '#server/process/log.ts'
import type { Settings } from '#server/process/settings.ts'
import { JOBS } from '#server/schedule/jobs.ts'

const TIMEOUT_MS = 30_000

/** Hands mails to the operator's mail server; without one they are only logged. What fails comes again by the queue. */
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
      log.warn({ err: error, subject: mail.subject }, 'the mail server refused a mail for good')
    }
  }
}

/** A reply of class 5 stays what it is however often it is asked for. */
function isRefusal(error: unknown): boolean {
  const { responseCode, code } = error as { responseCode?: unknown; code?: unknown }
  // That credentials are wrong is the operator's to mend, and then the mail still goes out.
  return code !== 'EAUTH' && typeof responseCode === 'number' && responseCode >= 500 && responseCode < 600
}
