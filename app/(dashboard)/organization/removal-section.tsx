'use client'

import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { OrganizationRemoval } from '#server/schemas/organization/organizations.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { Section } from '../../components/layout/section.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { Reauthentication, showCredentialError, useReauthentication } from '../../components/reauthentication.tsx'

export function RemovalSection({ name }: { name: string }) {
  const [isConfirming, setConfirming] = useState(false)
  return (
    <Section title="Delete organization" intro="Everything in it goes: workspaces, results, members and keys.">
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
  const { form, submit, isPending, error } = useOperationForm({
    path: 'organization.remove',
    schema: OrganizationRemoval,
    initialValues: { name: '', ...useReauthentication() },
    onProblem: showCredentialError,
    // Where the member goes from here is for the server to say.
    onDone: () => window.location.assign('/'),
  })
  return (
    <Modal opened onClose={onClose} title={`Delete ${name}`} centered>
      <form onSubmit={submit} noValidate>
        <Stack>
          <Text size="sm">This cannot be undone.</Text>
          <ProblemAlert error={error} />
          <TextInput
            label={
              <>
                Type <strong>{name}</strong> to confirm
              </>
            }
            autoComplete="off"
            data-autofocus
            required
            {...form.getInputProps('name')}
          />
          <Reauthentication form={form} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" color="red" disabled={form.values.name !== name} loading={isPending}>
              Delete organization
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
