'use client'

import { Button, Group, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import type { ConfiguredWebhook } from '#server/schemas/organization/webhooks.ts'
import { query } from '../../../client/api.ts'
import { useOperationForm } from '../../../client/use-operation-form.ts'
import { Section } from '../../../components/layout/section.tsx'
import { Loaded } from '../../../components/lists/loaded.tsx'
import { ProblemAlert } from '../../../components/problem-alert.tsx'
import { WebhookFields } from '../webhook-fields.tsx'
import { headersText, WebhookForm, webhookInput } from '../webhook-values.ts'

export function WebhookSection({ id }: { id: string }) {
  const webhooks = useQuery(query('organization.webhooks.list', { pageSize: 100 }))
  return (
    <Section title="Where it goes">
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
  const { form, submit, isPending, error } = useOperationForm({
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
    onProblem: (problem, form) => {
      if (problem.code !== 'already_exists') return false
      form.setFieldError('name', problem.message)
      return true
    },
    onDone: () => notifications.show({ color: 'teal', message: 'The webhook is saved.' }),
  })
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <ProblemAlert error={error} />
        <WebhookFields form={form} />
        <Group justify="flex-end">
          <Button type="submit" loading={isPending}>
            Save webhook
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
