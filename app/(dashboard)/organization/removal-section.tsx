'use client'

import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import { OrganizationRemoval } from '#server/schemas/organization/organizations.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { ConfirmationInput } from '../../components/forms/confirmation.tsx'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import {
  REAUTHENTICATION_ERRORS,
  Reauthentication,
  useReauthentication,
} from '../../components/forms/reauthentication.tsx'
import { Section } from '../../components/layout/section.tsx'

export function RemovalSection({ name }: { name: string }) {
  const [isConfirming, setConfirming] = useState(false)
  return (
    <Section
      title="Delete organization"
      intro="This deletes everything in the organization: workspaces, results, members and API keys."
    >
      <Group>
        <Button variant="default" c="red" onClick={() => setConfirming(true)}>
          Delete {name}
        </Button>
      </Group>
      {isConfirming && <RemovalDialog name={name} onClose={() => setConfirming(false)} />}
    </Section>
  )
}

function RemovalDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const { form, ...operation } = useOperationForm({
    path: 'organization.remove',
    schema: OrganizationRemoval,
    initialValues: { name: '', ...useReauthentication() },
    errorFields: REAUTHENTICATION_ERRORS,
    // The server redirects to another organization of the member, or to sign-in.
    onDone: () => window.location.assign('/'),
  })
  return (
    <FormDialog
      {...operation}
      title={`Delete ${name}`}
      intro={<Text size="sm">This cannot be undone.</Text>}
      submitLabel="Delete organization"
      submitButton={{ color: 'red', disabled: form.values.name !== name }}
      onClose={onClose}
    >
      <ConfirmationInput text={name} required {...form.getInputProps('name')} />
      <Reauthentication form={form} />
    </FormDialog>
  )
}
