/** Why no mail is sent in an installation without a mail server. */
export const MAIL_NOT_CONFIGURED = 'mail is not configured: SMTP_URL is not set'
