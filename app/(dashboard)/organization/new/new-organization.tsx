'use client'

import { Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { OrganizationName } from '#server/schemas/organization/organizations.ts'
import { mutation } from '../../../client/api.ts'
import { useOperationForm } from '../../../client/use-operation-form.ts'
import { FormFrame } from '../../../components/forms/form-frame.tsx'
import { PageFrame } from '../../../components/layout/page-frame.tsx'
import { Section } from '../../../components/layout/section.tsx'

/** Creates an organization that the member owns, and switches to it. */
export function NewOrganization() {
  const switchTo = useMutation({
    ...mutation('auth.switchOrganization'),
    onSuccess: () => window.location.assign('/'),
  })
  const { form, ...operation } = useOperationForm({
    path: 'organization.create',
    schema: OrganizationName,
    initialValues: { name: '' },
    onDone: ({ id }) => switchTo.mutate({ organizationId: id }),
  })
  return (
    <PageFrame title="New organization" intro="It has its own members, workspaces and API keys.">
      <Stack maw={560}>
        <Section title="Organization">
          <FormFrame
            {...operation}
            isPending={operation.isPending || switchTo.isPending}
            error={operation.error ?? switchTo.error}
            submitLabel="Create organization"
          >
            <TextInput label="Name" autoComplete="organization" required {...form.getInputProps('name')} />
          </FormFrame>
        </Section>
      </Stack>
    </PageFrame>
  )
}
