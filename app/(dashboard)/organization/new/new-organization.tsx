'use client'

import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { OrganizationName } from '#server/schemas/organization/organizations.ts'
import { mutation } from '../../../client/api.ts'
import { useOperationForm } from '../../../client/use-operation-form.ts'
import { PageFrame } from '../../../components/layout/page-frame.tsx'
import { Section } from '../../../components/layout/section.tsx'
import { ProblemAlert } from '../../../components/problem-alert.tsx'

/** Makes another organization, owned by the member, and goes there. */
export function NewOrganization() {
  const enter = useMutation({
    ...mutation('auth.switchOrganization'),
    onSuccess: () => window.location.assign('/workspaces'),
  })
  const { form, submit, isPending, error } = useOperationForm({
    path: 'organization.create',
    schema: OrganizationName,
    initialValues: { name: '' },
    onDone: ({ id }) => enter.mutate({ organizationId: id }),
  })
  return (
    <PageFrame title="New organization" intro="It stands on its own: other members, other workspaces, other keys.">
      <Stack maw={560}>
        <Section title="Organization">
          <form onSubmit={submit} noValidate>
            <Stack>
              <ProblemAlert error={error ?? enter.error} />
              <TextInput label="Name" autoComplete="organization" required {...form.getInputProps('name')} />
              <Group justify="flex-end">
                <Button type="submit" loading={isPending || enter.isPending}>
                  Create organization
                </Button>
              </Group>
            </Stack>
          </form>
        </Section>
      </Stack>
    </PageFrame>
  )
}
