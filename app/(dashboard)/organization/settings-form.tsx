'use client'

import { Button, Fieldset, Group, Select, Stack, Switch, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type OrganizationSettings, OrganizationSettingsChange } from '#server/schemas/organization/organizations.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { Section } from '../../components/layout/section.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'

export function SettingsForm({ settings, mayWrite }: { settings: OrganizationSettings; mayWrite: boolean }) {
  const { form, submit, isPending, error } = useOperationForm({
    path: 'organization.settings.update',
    schema: OrganizationSettingsChange,
    initialValues: { name: settings.name, timezone: settings.timezone, requireTotp: settings.requireTotp },
    onDone: () => notifications.show({ color: 'teal', message: 'The settings are saved.' }),
  })
  const zones = [...new Set(['UTC', settings.timezone, ...Intl.supportedValuesOf('timeZone')])]
  return (
    <Section title="Settings">
      <form onSubmit={submit} noValidate>
        <Fieldset variant="unstyled" disabled={!mayWrite}>
          <Stack>
            <ProblemAlert error={error} />
            <TextInput label="Name" autoComplete="off" required {...form.getInputProps('name')} />
            <Select
              label="Timezone"
              description="For maintenance windows and quiet hours that name none."
              data={zones}
              searchable
              allowDeselect={false}
              required
              {...form.getInputProps('timezone')}
            />
            <Switch
              label="Require two-factor authentication"
              description="Members without it reach nothing but their account, and their keys rest, until they have it."
              {...form.getInputProps('requireTotp', { type: 'checkbox' })}
            />
            {mayWrite && (
              <Group justify="flex-end">
                <Button type="submit" loading={isPending}>
                  Save settings
                </Button>
              </Group>
            )}
          </Stack>
        </Fieldset>
      </form>
    </Section>
  )
}
