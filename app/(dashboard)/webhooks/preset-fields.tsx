'use client'

import { PasswordInput, Select, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import type { ReactNode } from 'react'
import { PRESETS, type PresetField, type WebhookPreset } from '#server/schemas/organization/webhook-presets.ts'
import { isKept, type StoredWebhook, type WebhookValues } from './webhook-values.ts'

type Texts = { label: string; description?: ReactNode; placeholder?: string }

/** The texts of the fields whose meaning depends on the preset; the others have one text. */
const URL_TEXTS: Record<WebhookPreset, Texts> = {
  json: {
    label: 'URL',
    description: 'Private and internal addresses are blocked, as for services.',
    placeholder: 'https://chat.example.com/hooks/…',
  },
  slack: {
    label: 'Webhook URL',
    description: 'In Slack: your app, Incoming Webhooks, Add New Webhook.',
    placeholder: 'https://hooks.slack.com/services/…',
  },
  teams: {
    label: 'Webhook URL',
    description: 'In Teams: the channel, Workflows, Send webhook alerts to a channel.',
    placeholder: 'https://….logic.azure.com/workflows/…',
  },
  discord: {
    label: 'Webhook URL',
    description: 'In Discord: the channel’s settings, Integrations, Webhooks.',
    placeholder: 'https://discord.com/api/webhooks/…',
  },
  pagerduty: proxied('https://events.pagerduty.com'),
  opsgenie: proxied('https://api.opsgenie.com'),
  telegram: proxied('https://api.telegram.org'),
  googlechat: {
    label: 'Webhook URL',
    description: 'In Google Chat: the space, Apps & integrations, Webhooks.',
    placeholder: 'https://chat.googleapis.com/v1/spaces/…',
  },
  mattermost: {
    label: 'Webhook URL',
    description: 'In Mattermost: Integrations, Incoming Webhooks, Add Incoming Webhook.',
    placeholder: 'https://chat.example.com/hooks/…',
  },
  ntfy: {
    label: 'Server',
    description: 'Leave it empty for ntfy.sh.',
    placeholder: 'https://ntfy.sh',
  },
  pushover: proxied('https://api.pushover.net'),
  matrix: {
    label: 'Homeserver',
    description: 'The address of its client API.',
    placeholder: 'https://matrix.example.org',
  },
  twilio: proxied('https://api.twilio.com'),
  incidentio: {
    label: 'Alert source URL',
    description: 'In incident.io: Alerts, Sources, an HTTP source.',
    placeholder: 'https://api.incident.io/v2/alert_events/http/…',
  },
  oncall: {
    label: 'Integration URL',
    description: 'In Grafana: Alerts & IRM, Integrations, Formatted webhook.',
    placeholder: 'https://oncall-prod-us-central-0.grafana.net/oncall/integrations/v1/formatted_webhook/…',
  },
}

const TOKEN_TEXTS: Partial<Record<WebhookPreset, Texts>> = {
  ntfy: { label: 'Access token', description: 'Only for a protected topic.' },
  pushover: { label: 'Application token', description: 'In Pushover: Create an Application/API Token.' },
  matrix: { label: 'Access token', description: 'The token of a user who is in the room.' },
  twilio: { label: 'Auth token', description: 'In the Twilio Console, next to the account SID.' },
  incidentio: { label: 'Token', description: 'The alert source shows it in its Authorization header, after Bearer.' },
}

const TEXTS: Record<Exclude<PresetField, 'url' | 'token' | Choice>, Texts> = {
  routingKey: {
    label: 'Integration key',
    description: 'In PagerDuty: the service, Integrations, Events API V2.',
  },
  apiKey: {
    label: 'API key',
    description: 'In Opsgenie: the team, Integrations, API. It must be allowed to create and update alerts.',
  },
  botToken: { label: 'Bot token', description: 'BotFather shows it. Add the bot to the chat.' },
  chatId: {
    label: 'Chat',
    description: 'The number of a chat or group, or the name of a public channel.',
    placeholder: '-1001234567890 or @alerts',
  },
  topic: { label: 'Topic', description: 'Anyone who knows the name of an unprotected topic can read it.' },
  accountSid: { label: 'Account SID', placeholder: 'AC…' },
  userKey: { label: 'User or group key', description: 'Who gets the messages.' },
  roomId: {
    label: 'Room',
    description: 'The internal id of the room. In Element: the room’s settings, Advanced.',
    placeholder: '!abc:example.org',
  },
  from: {
    label: 'From',
    description: 'A number of the account, its sender name, or the SID of a messaging service.',
    placeholder: '+15005550006',
  },
  to: { label: 'To', description: 'The phone number, with its country code.', placeholder: '+15005550006' },
}

type Choice = 'region' | 'urgency'

const CHOICES: Record<Choice, { label: string; description?: string; data: { value: string; label: string }[] }> = {
  region: {
    label: 'Region of the account',
    data: [
      { value: 'us', label: 'United States' },
      { value: 'eu', label: 'European Union' },
    ],
  },
  urgency: {
    label: 'Priority of failures',
    description:
      'An emergency rings every minute for an hour, or until a person acknowledges it in Pushover or the service recovers.',
    data: [
      { value: 'high', label: 'High' },
      { value: 'emergency', label: 'Emergency' },
    ],
  },
}

type Props = {
  form: UseFormReturnType<WebhookValues>
  preset: WebhookPreset
  stored: StoredWebhook | undefined
}

/** The fields that the service of a preset needs. Stored keys are not shown: an empty field keeps them at their address. */
export function PresetFields({ form, preset, stored }: Props) {
  const { required, optional, secret } = PRESETS[preset]
  return [...required, ...optional].map((field) => {
    if (field === 'region' || field === 'urgency') {
      return <Select key={field} {...CHOICES[field]} allowDeselect={false} {...form.getInputProps(field)} />
    }
    const { placeholder, ...texts } = textsOf(field, preset)
    const keeps = isKept(field, form.getValues(), stored)
    const keptText =
      field === 'url' && stored?.url ? `${stored.url} – leave empty to keep it` : 'Leave empty to keep it'
    const props = {
      ...texts,
      placeholder: keeps ? keptText : placeholder,
      autoComplete: 'off',
      spellCheck: false,
      // No asterisk for a stored key.
      required: required.includes(field) && !keeps,
      ...form.getInputProps(field),
    }
    return secret.includes(field) && field !== 'url' ? (
      <PasswordInput key={field} {...props} autoComplete="new-password" />
    ) : (
      <TextInput key={field} {...props} />
    )
  })
}

function textsOf(field: Exclude<PresetField, Choice>, preset: WebhookPreset): Texts {
  if (field === 'url') return URL_TEXTS[preset]
  return field === 'token' ? (TOKEN_TEXTS[preset] ?? { label: 'Token' }) : TEXTS[field]
}

function proxied(own: string): Texts {
  return {
    label: 'API address',
    description: 'Only for a proxy. Leave it empty to use the service’s own address.',
    placeholder: own,
  }
}
