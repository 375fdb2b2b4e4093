'use client'

import { Alert, Badge, List, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import type { AlertedWebhook, AlertRecipient, ServiceAlerting } from '#server/schemas/alerts/alerting.ts'
import { useMe } from '../../../../client/me.tsx'
import { throughAllText } from '../../../../components/alerts/hearing-text.ts'
import { MailNotice } from '../../../../components/alerts/mail-notice.tsx'
import { BellOff } from '../../../../components/icons.ts'
import { useDateTimeText } from '../../../../components/instant.tsx'
import { NoEntries } from '../../../../components/lists/no-entries.tsx'

/** Who would be notified if the service failed now, why, and what silences whom until when. */
export function AlertPreview({ alerting }: { alerting: ServiceAlerting }) {
  const { recipients, recipientsTotal, webhooks, webhooksTotal, hasListener, isMailConfigured } = alerting
  return (
    <Stack gap="sm">
      <MailNotice isConfigured={isMailConfigured} />
      {!hasListener && (
        <Alert variant="light" color="orange" icon={<BellOff size={18} aria-hidden />}>
          No active member has a grant on this service that notifies or follows it, and no webhook with an enabled
          binding covers it.
          {recipients.length > 0 && ' The owner of the organization is notified instead.'}
        </Alert>
      )}
      {recipients.length > 0 && (
        <List size="sm" spacing={6} aria-label="Members who are notified" listStyleType="none">
          {recipients.map((recipient, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: members whom the reader may not know have no id
            <Recipient key={index} recipient={recipient} />
          ))}
        </List>
      )}
      <More shown={recipients.length} total={recipientsTotal} what="members" />
      {webhooks === null ? (
        <Text size="sm" c="dimmed">
          {webhooksTotal === 1 ? '1 webhook is bound' : `${webhooksTotal} webhooks are bound`}. You need a permission to
          see webhooks.
        </Text>
      ) : webhooks.length > 0 ? (
        <List size="sm" spacing={6} aria-label="Webhooks that are notified" listStyleType="none">
          {webhooks.map((webhook) => (
            <Webhook key={webhook.webhookId} webhook={webhook} />
          ))}
        </List>
      ) : (
        <NoEntries>
          No webhook is bound to this service, its project, its workspace or the organization. Bind one under Webhooks.
        </NoEntries>
      )}
      <More shown={webhooks?.length ?? webhooksTotal} total={webhooksTotal} what="webhooks" />
    </Stack>
  )
}

function Recipient({ recipient }: { recipient: AlertRecipient }) {
  const dateTimeText = useDateTimeText()
  const me = useMe()
  const { name, email, heardThrough, isSilenced, silencedReason, silencedUntil } = recipient
  const isSelf = email === me.user.email
  return (
    <Entry
      title={isSelf ? `${name} (you)` : (name ?? 'A member')}
      detail={`Mail${email ? ` to ${email}` : ''}, ${throughAllText(heardThrough)}`}
    >
      {isSilenced && (
        <Badge variant="light" color="gray" tt="none">
          {silencedReason === 'quiet hours' ? 'Quiet hours' : 'Silenced'}{' '}
          {silencedUntil ? `until ${dateTimeText(silencedUntil)}` : 'indefinitely'}
        </Badge>
      )}
    </Entry>
  )
}

function Webhook({ webhook: { name, enabled, heardThrough } }: { webhook: AlertedWebhook }) {
  return (
    <Entry title={name} detail={`Webhook, ${throughAllText(heardThrough)}`}>
      {!enabled && (
        <Badge variant="light" color="gray" tt="none">
          Paused
        </Badge>
      )}
    </Entry>
  )
}

function Entry({ title, detail, children }: { title: string; detail: string; children: ReactNode }) {
  return (
    <List.Item style={{ overflowWrap: 'anywhere' }}>
      <Text size="sm" fw={600} component="span">
        {title}
      </Text>{' '}
      {children}
      <Text size="xs" c="dimmed">
        {detail}
      </Text>
    </List.Item>
  )
}

function More({ shown, total, what }: { shown: number; total: number; what: string }) {
  if (shown >= total) return null
  return (
    <Text size="sm" c="dimmed">
      and {(total - shown).toLocaleString('en')} more {what}
    </Text>
  )
}
