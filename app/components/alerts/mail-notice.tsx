import { Alert } from '@mantine/core'
import { MailX } from '../icons.ts'

/** Says that no alert is mailed, unless the web process knows a mail server. */
export function MailNotice({ isConfigured }: { isConfigured: boolean }) {
  if (isConfigured) return null
  return (
    <Alert variant="light" color="orange" icon={<MailX size={18} aria-hidden />}>
      Mail is not configured, so alerts are not sent by mail. To enable it, the operator sets <code>SMTP_URL</code>.
    </Alert>
  )
}
