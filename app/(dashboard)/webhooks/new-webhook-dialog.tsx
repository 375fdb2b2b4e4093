'use client'

import { Button, Group, Modal, Stack } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { SigningSecret } from './signing-secret.tsx'
import { WebhookFields } from './webhook-fields.tsx'
import { NEW_WEBHOOK, webhookForm, webhookInput } from './webhook-values.ts'

/** Creates a webhook, then shows its signing secret once, if it has one, or its page. */
export function NewWebhookDialog({ onClose }: { onClose: () => void }) {
  const router = useRouter()
  const [created, setCreated] = useState<{ id: string; signingSecret: string } | null>(null)
  const showPage = (id: string) => router.push(`/webhooks/${id}`)
  const { form, ...operation } = useOperationForm({
    path: 'organization.webhooks.create',
    schema: webhookForm(),
    initialValues: NEW_WEBHOOK,
    toInput: (values) => ({ preset: values.preset, ...webhookInput(values, true) }),
    errorFields: { already_exists: 'name' },
    onDone: ({ id, signingSecret }) => (signingSecret === null ? showPage(id) : setCreated({ id, signingSecret })),
  })
  if (created) {
    return (
      <Modal
        opened
        onClose={onClose}
        title="Webhook created"
        centered
        closeOnClickOutside={false}
        closeOnEscape={false}
      >
        <Stack>
          <SigningSecret secret={created.signingSecret} />
          <Group justify="flex-end">
            <Button onClick={() => showPage(created.id)}>Done</Button>
          </Group>
        </Stack>
      </Modal>
    )
  }
  return (
    <FormDialog {...operation} title="New webhook" submitLabel="Create webhook" onClose={onClose}>
      <WebhookFields form={form} />
    </FormDialog>
  )
}
