'use client'

import { Switch } from '@mantine/core'
import { GroupCreate, type OrganizationGroup } from '#server/schemas/organization/organizations.ts'
import type { Input } from '../../client/api.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { FormDialog } from '../../components/forms/form-dialog.tsx'
import { NameInput } from '../../components/forms/name-input.tsx'
import { PermissionInputs } from '../../components/permissions/permission-inputs.tsx'
import { NO_PERMISSIONS } from '../../components/permissions/permissions.ts'

/** Creates a group, or changes `group`. */
export function GroupDialog({ group, onClose }: { group?: OrganizationGroup; onClose: () => void }) {
  const { form, ...operation } = useOperationForm({
    path: group ? 'organization.groups.update' : 'organization.groups.create',
    schema: GroupCreate,
    initialValues: {
      name: group?.name ?? '',
      permissions: group?.permissions ?? NO_PERMISSIONS,
      requireTotp: group?.requireTotp ?? false,
    },
    toInput: (values) =>
      (group ? { groupId: group.id, ...values } : values) as Input<
        'organization.groups.update' | 'organization.groups.create'
      >,
    errorFields: { already_exists: 'name' },
    onDone: onClose,
  })
  return (
    <FormDialog
      {...operation}
      title={group ? `Change ${group.name}` : 'New group'}
      submitLabel={group ? 'Save group' : 'Create group'}
      onClose={onClose}
    >
      <NameInput data-autofocus {...form.getInputProps('name')} />
      <PermissionInputs
        value={form.values.permissions}
        onChange={(permissions) => form.setFieldValue('permissions', permissions)}
      />
      <Switch
        label="Requires two-factor authentication"
        description="Until they enrol, members can open only their account page."
        {...form.getInputProps('requireTotp', { type: 'checkbox' })}
      />
    </FormDialog>
  )
}
