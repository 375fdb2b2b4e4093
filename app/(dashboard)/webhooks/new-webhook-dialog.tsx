'use client'

import { Button, Group, Modal, Stack } from '@mantine/core'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { SigningSecret } from './signing-secret.tsx'
import { WebhookFields } from './webhook-fields.tsx'
import { NEW_WEBHOOK, WebhookForm, webhookInput } from './webhook-values.ts'

/** Makes a webhook, then shows its signing secret, this once. */
export function NewWebhookDialog({ onClose }: { onClose: () => void }) {
  const router = useRouter()
  const [created, setCreated] = useState<{ id: string; signingSecret: string } | null>(null)
  const { form, submit, isPending, error } = useOperationForm({
    path: 'organization.webhooks.create',
    schema: WebhookForm,
    initialValues: NEW_WEBHOOK,
    toInput: webhookInput,
    onProblem: (problem, form) => {
      if (problem.code !== 'already_exists') return false
      form.setFieldError('name', problem.message)
      return true
    },
    onDone: setCreated,
  })
  if (created) {
    return (
      <Modal
        opened
        onClose={onClose}
        title="The webhook is created"
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
    <Modal opened onClose={onClose} title="New webhook" centered>
      <form onSubmit={submit} noValidate>
        <Stack>
          <ProblemAlert error={error} />
          <WebhookFields form={form} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isPending}>
              Create webhook
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
