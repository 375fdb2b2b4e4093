'use client'

import { useQuery } from '@tanstack/react-query'
import type { WebhookPreset } from '#server/schemas/organization/webhook-presets.ts'
import type { ConfiguredWebhook } from '#server/schemas/organization/webhooks.ts'
import { query } from '../../../client/api.ts'
import { notify } from '../../../client/notify.ts'
import { useOperationForm } from '../../../client/use-operation-form.ts'
import { FormFrame } from '../../../components/forms/form-frame.tsx'
import { Section } from '../../../components/layout/section.tsx'
import { Loaded } from '../../../components/lists/loaded.tsx'
import { WebhookFields } from '../webhook-fields.tsx'
import { headersText, NEW_WEBHOOK, type WebhookValues, webhookForm, webhookInput } from '../webhook-values.ts'
import { SecretSection } from './secret-section.tsx'

/** The settings of a webhook and, if its receiver verifies signatures, its signing secret. */
export function WebhookSections({ id }: { id: string }) {
  const webhook = useQuery(query('organization.webhooks.get', { id }))
  return (
    <Loaded query={webhook}>
      {(webhook) => (
        <>
          <Section title="Settings">
            <UpdateForm webhook={webhook} />
          </Section>
          {webhook.preset === 'json' && <SecretSection id={id} previousUntil={webhook.previousSecretUntil} />}
        </>
      )}
    </Loaded>
  )
}

function UpdateForm({ webhook }: { webhook: ConfiguredWebhook }) {
  const { form, ...operation } = useOperationForm({
    path: 'organization.webhooks.update',
    schema: webhookForm({ url: webhook.url }),
    initialValues: valuesOf(webhook),
    toInput: (values) => ({ id: webhook.id, ...webhookInput(values, false) }),
    errorFields: { already_exists: 'name' },
    onDone: (saved, form) => {
      form.setValues(valuesOf(saved))
      notify({ color: 'teal', message: 'Webhook saved.' })
    },
  })
  return (
    <FormFrame {...operation} submitLabel="Save webhook">
      <WebhookFields form={form} stored={{ url: webhook.url }} />
    </FormFrame>
  )
}

/** Keys are not returned, and of a secret URL only the origin: these fields start empty. */
function valuesOf(webhook: ConfiguredWebhook): WebhookValues {
  return {
    ...NEW_WEBHOOK,
    preset: webhook.preset as WebhookPreset,
    name: webhook.name,
    label: webhook.label ?? '',
    url: webhook.url?.endsWith('…') ? '' : (webhook.url ?? ''),
    chatId: webhook.chatId ?? '',
    region: webhook.region === 'eu' ? 'eu' : 'us',
    accountSid: webhook.accountSid ?? '',
    urgency: webhook.urgency === 'emergency' ? 'emergency' : 'high',
    roomId: webhook.roomId ?? '',
    from: webhook.from ?? '',
    to: webhook.to ?? '',
    method: webhook.method as WebhookValues['method'],
    headers: headersText(webhook.headers),
    body: webhook.body ?? '',
  }
}
