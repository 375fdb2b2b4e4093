'use client'

import { Button, Stack } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { mutation, query } from '../../../client/api.ts'
import { hasPermission, useMe } from '../../../client/me.tsx'
import { notify } from '../../../client/notify.ts'
import { problemOf } from '../../../client/problem.ts'
import { ConfirmRemoval } from '../../../components/forms/confirm-removal.tsx'
import { PageFrame } from '../../../components/layout/page-frame.tsx'
import { Loaded } from '../../../components/lists/loaded.tsx'
import { BindingsSection } from './bindings-section.tsx'
import { DeliveryTable } from './delivery-table.tsx'
import { WebhookSections } from './webhook-sections.tsx'

/** A webhook with its deliveries and, for members with write permission, its settings. */
export function WebhookView({ id }: { id: string }) {
  const router = useRouter()
  const mayWrite = hasPermission(useMe(), 'webhooks', 'write')
  const [isRemoving, setRemoving] = useState(false)
  const [openId, setOpenId] = useState<string | null>(null)
  const webhook = useQuery(query('organization.webhooks.summary', { id }))
  const test = useMutation({
    ...mutation('organization.webhooks.test'),
    onSuccess: (delivery) => {
      setOpenId(delivery.id)
      notify({ color: 'teal', message: 'A test message is being sent. See the deliveries below.' })
    },
    onError: (error) => notify({ color: 'red', message: problemOf(error).message }),
  })
  const remove = useMutation({
    ...mutation('organization.webhooks.remove'),
    onSuccess: () => router.push('/webhooks'),
  })
  return (
    <Loaded query={webhook}>
      {(webhook) => (
        <PageFrame
          title={webhook.name}
          crumbs={[{ label: 'Webhooks', href: '/webhooks' }]}
          actions={
            mayWrite && (
              <>
                <Button variant="default" loading={test.isPending} onClick={() => test.mutate({ id })}>
                  Send a test
                </Button>
                <Button variant="default" c="red" onClick={() => setRemoving(true)}>
                  Delete
                </Button>
              </>
            )
          }
        >
          <Stack gap="lg">
            <BindingsSection webhookId={id} mayWrite={mayWrite} />
            <DeliveryTable webhookId={id} mayWrite={mayWrite} openId={openId} onOpen={setOpenId} />
            {mayWrite && <WebhookSections id={id} />}
          </Stack>
          <ConfirmRemoval
            opened={isRemoving}
            onClose={() => setRemoving(false)}
            title="Delete webhook"
            warning="No more messages are sent to it. Its bindings and deliveries are deleted."
            submitLabel="Delete webhook"
            confirmationText={webhook.name}
            mutation={remove}
            onConfirm={() => remove.mutate({ id })}
          />
        </PageFrame>
      )}
    </Loaded>
  )
}
