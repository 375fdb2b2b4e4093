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
}

const TEXTS: Record<Exclude<PresetField, 'url' | 'region'>, Texts> = {
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
    if (field === 'region') {
      const regions = [
        { value: 'us', label: 'United States' },
        { value: 'eu', label: 'European Union' },
      ]
      return (
        <Select
          key={field}
          label="Region of the account"
          data={regions}
          allowDeselect={false}
          {...form.getInputProps(field)}
        />
      )
    }
    const { placeholder, ...texts } = field === 'url' ? URL_TEXTS[preset] : TEXTS[field]
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

function proxied(own: string): Texts {
  return {
    label: 'API address',
    description: 'Only for a proxy. Leave it empty to use the service’s own address.',
    placeholder: own,
  }
}
