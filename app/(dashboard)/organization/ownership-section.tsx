'use client'

import { Button, Group, Select, Stack } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { OwnershipTransfer } from '#server/schemas/organization/organizations.ts'
import { query } from '../../client/api.ts'
import { useMe } from '../../client/me.tsx'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { Section } from '../../components/layout/section.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { Reauthentication, showCredentialError, useReauthentication } from '../../components/reauthentication.tsx'

export function OwnershipSection() {
  const me = useMe()
  const members = useQuery(query('members.list', { pageSize: 100 }))
  const { form, submit, isPending, error } = useOperationForm({
    path: 'organization.transferOwnership',
    schema: OwnershipTransfer,
    initialValues: { userId: '', ...useReauthentication() },
    onProblem: showCredentialError,
    onDone: (_, form) => {
      form.reset()
      notifications.show({ color: 'teal', message: 'The organization has a new owner.' })
    },
  })
  const others = (members.data?.items ?? []).filter((member) => member.isActive && member.userId !== me.user.id)
  return (
    <Section title="Ownership" intro="The owner may do everything. You stay a member when you hand it on.">
      <form onSubmit={submit} noValidate>
        <Stack>
          <ProblemAlert error={error} />
          <Select
            label="New owner"
            placeholder={others.length === 0 ? 'There is no other member yet' : 'Choose a member'}
            data={others.map((member) => ({ value: member.userId, label: `${member.displayName} (${member.email})` }))}
            disabled={others.length === 0}
            searchable
            required
            {...form.getInputProps('userId')}
          />
          <Reauthentication form={form} />
          <Group justify="flex-end">
            <Button type="submit" variant="default" loading={isPending} disabled={others.length === 0}>
              Hand on ownership
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
