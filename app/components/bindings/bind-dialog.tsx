'use client'

import { Anchor, Text } from '@mantine/core'
import { z } from 'zod'
import type { ResourceRef } from '#server/schemas/scopes.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { FormDialog } from '../forms/form-dialog.tsx'
import { Link } from '../layout/link.tsx'
import { useFoundWebhooks } from '../pickers/finders.ts'
import { type Found, SearchSelect } from '../pickers/search-select.tsx'

const BindForm = z.object({ picked: z.object({ value: z.string() }, 'Select one') })

/** Binds a webhook of the organization to a resource. */
export function BindDialog({ resource, onClose }: { resource: ResourceRef; onClose: () => void }) {
  const { form, ...operation } = useOperationForm({
    path: 'webhooks.bindings.create',
    schema: BindForm,
    initialValues: { picked: null } as { picked: Found | null },
    toInput: ({ picked }) => ({ ...resource, webhookId: (picked as Found).value }),
    onDone: onClose,
  })
  const inputs = form.getInputProps('picked')
  return (
    <FormDialog {...operation} title="Bind a webhook" submitLabel="Bind" onClose={onClose}>
      <Text size="sm" c="dimmed">
        A webhook that is not in the list can be created{' '}
        <Anchor component={Link} href="/webhooks" inherit underline="always">
          under Webhooks
        </Anchor>
        .
      </Text>
      <SearchSelect
        label="Webhook"
        placeholder="Search by name"
        useFound={useFoundWebhooks}
        data-autofocus
        required
        error={inputs.error}
        value={form.values.picked}
        onChange={inputs.onChange}
      />
    </FormDialog>
  )
}
