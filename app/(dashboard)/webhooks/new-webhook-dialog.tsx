'use client'

import { useRouter } from 'next/navigation'
import { useState } from 'react'
import type { WebhookPreset } from '#server/schemas/organization/webhook-presets.ts'
import { hasPermission, useMe } from '../../client/me.tsx'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import type { PickedPlace } from '../../components/pickers/place.ts'
import { ChosenBindings } from './chosen-bindings.tsx'
import { CreatedWebhook } from './created-webhook.tsx'
import { WebhookFields } from './webhook-fields.tsx'
import { NEW_WEBHOOK, webhookForm, webhookInput } from './webhook-values.ts'

/** Creates a webhook with its bindings, offers a test, and shows its page. */
export function NewWebhookDialog({ preset = 'json', onClose }: { preset?: WebhookPreset; onClose: () => void }) {
  const router = useRouter()
  const me = useMe()
  const [created, setCreated] = useState<{ id: string; name: string; signingSecret: string | null } | null>(null)
  const { id: resourceId, name } = me.organization
  const everything: PickedPlace = { resourceType: 'organization', resourceId, name }
  const { form, ...operation } = useOperationForm({
    path: 'organization.webhooks.create',
    schema: webhookForm(),
    initialValues: { ...NEW_WEBHOOK, preset, bindings: hasPermission(me, 'workspaces', 'read') ? [everything] : [] },
    toInput: (values) => ({
      preset: values.preset,
      ...webhookInput(values, true),
      bindings: values.bindings.map(({ resourceType, resourceId }) => ({ resourceType, resourceId })),
    }),
    errorFields: { already_exists: 'name' },
    onDone: setCreated,
  })
  if (created) return <CreatedWebhook {...created} onDone={() => router.push(`/webhooks/${created.id}`)} />
  return (
    <FormDialog {...operation} title="New webhook" submitLabel="Create webhook" onClose={onClose}>
      <WebhookFields form={form} />
      <ChosenBindings value={form.values.bindings} onChange={(bindings) => form.setFieldValue('bindings', bindings)} />
    </FormDialog>
  )
}
