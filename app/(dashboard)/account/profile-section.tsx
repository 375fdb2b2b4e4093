'use client'

import { Button, Group, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { ProfileChange } from '#server/schemas/account/accounts.ts'
import { useMe } from '../../client/me.tsx'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { Section } from '../../components/layout/section.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'

export function ProfileSection() {
  const me = useMe()
  const { form, submit, isPending, error } = useOperationForm({
    path: 'account.updateProfile',
    schema: ProfileChange,
    initialValues: { displayName: me.user.displayName },
    onDone: () => notifications.show({ message: 'Your name is saved.', color: 'teal' }),
  })
  return (
    <Section title="Profile">
      <form onSubmit={submit} noValidate>
        <Stack>
          <ProblemAlert error={error} />
          <TextInput label="Your name" autoComplete="name" required {...form.getInputProps('displayName')} />
          <Group justify="flex-end">
            <Button type="submit" variant="default" loading={isPending}>
              Save name
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}
