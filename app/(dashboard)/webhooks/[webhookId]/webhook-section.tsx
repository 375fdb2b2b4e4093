'use client'

import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import type { ConfiguredWebhook } from '#server/schemas/organization/webhooks.ts'
import { query } from '../../../client/api.ts'
import { useOperationForm } from '../../../client/use-operation-form.ts'
import { FormFrame } from '../../../components/forms/form-frame.tsx'
import { Section } from '../../../components/layout/section.tsx'
import { Loaded } from '../../../components/lists/loaded.tsx'
import { WebhookFields } from '../webhook-fields.tsx'
import { headersText, WebhookForm, webhookInput } from '../webhook-values.ts'

export function WebhookSection({ id }: { id: string }) {
  const webhooks = useQuery(query('organization.webhooks.list', { pageSize: 100 }))
  return (
    <Section title="Settings">
      <Loaded query={webhooks}>
        {({ items }) => {
          const webhook = items.find((item) => item.id === id)
          return webhook && <UpdateForm webhook={webhook} />
        }}
      </Loaded>
    </Section>
  )
}

function UpdateForm({ webhook }: { webhook: ConfiguredWebhook }) {
  const { form, ...operation } = useOperationForm({
    path: 'organization.webhooks.update',
    schema: WebhookForm,
    initialValues: {
      name: webhook.name,
      label: webhook.label ?? '',
      url: webhook.url,
      method: webhook.method as 'POST' | 'PUT' | 'PATCH',
      headers: headersText(webhook.headers),
      body: webhook.body ?? '',
    },
    toInput: (values) => ({ id: webhook.id, ...webhookInput(values) }),
    errorFields: { already_exists: 'name' },
    onDone: () => notifications.show({ color: 'teal', message: 'The webhook is saved.' }),
  })
  return (
    <FormFrame {...operation} submitLabel="Save webhook">
      <WebhookFields form={form} />
    </FormFrame>
  )
}
