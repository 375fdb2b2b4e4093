'use client'

import { Select, Switch } from '@mantine/core'
import { type OrganizationSettings, OrganizationSettingsChange } from '#server/schemas/organization/organizations.ts'
import { hasPermission, useMe } from '../../client/me.tsx'
import { notify } from '../../client/notify.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { zonesToChoose } from '../../client/zone-choice.ts'
import { FormFrame } from '../../components/forms/form-frame.tsx'
import { NameInput } from '../../components/forms/name-input.tsx'
import { Section } from '../../components/layout/section.tsx'

export function SettingsForm({ settings, mayWrite }: { settings: OrganizationSettings; mayWrite: boolean }) {
  const { form, ...operation } = useOperationForm({
    path: 'organization.settings.update',
    schema: OrganizationSettingsChange,
    initialValues: { name: settings.name, timezone: settings.timezone, requireTotp: settings.requireTotp },
    onDone: () => notify({ color: 'teal', message: 'Settings saved.' }),
  })
  const isAdministrator = hasPermission(useMe(), 'orgAdmin', 'write')
  return (
    <Section title="Settings">
      <FormFrame {...operation} submitLabel="Save settings" readOnly={!mayWrite}>
        <NameInput {...form.getInputProps('name')} />
        <Select
          label="Timezone"
          description="The default for maintenance windows and quiet hours."
          data={zonesToChoose([settings.timezone])}
          searchable
          allowDeselect={false}
          required
          {...form.getInputProps('timezone')}
        />
        <Switch
          label="Require two-factor authentication"
          description="Until they enrol, members can open only their account page, and their API keys are refused. Only administrators can change this."
          disabled={!isAdministrator}
          {...form.getInputProps('requireTotp', { type: 'checkbox' })}
        />
      </FormFrame>
    </Section>
  )
}
