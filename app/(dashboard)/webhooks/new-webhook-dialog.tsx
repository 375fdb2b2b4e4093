'use client'

import { Button, Group, Modal, Stack } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { SigningSecret } from './signing-secret.tsx'
import { WebhookFields } from './webhook-fields.tsx'
import { NEW_WEBHOOK, WebhookForm, webhookInput } from './webhook-values.ts'

/** Creates a webhook, then shows its signing secret once. */
export function NewWebhookDialog({ onClose }: { onClose: () => void }) {
  const router = useRouter()
  const [created, setCreated] = useState<{ id: string; signingSecret: string } | null>(null)
  const { form, ...operation } = useOperationForm({
    path: 'organization.webhooks.create',
    schema: WebhookForm,
    initialValues: NEW_WEBHOOK,
    toInput: webhookInput,
    errorFields: { already_exists: 'name' },
    onDone: setCreated,
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
            <Button onClick={() => router.push(`/webhooks/${created.id}`)}>Done</Button>
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
