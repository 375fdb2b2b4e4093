'use client'

import { Button, Group, Modal, Stack, Switch, TextInput } from '@mantine/core'
import { GroupCreate, type OrganizationGroup } from '#server/schemas/organization/organizations.ts'
import type { Input } from '../../client/api.ts'
import { useOperationForm } from '../../client/use-operation-form.ts'
import { NO_PERMISSIONS, PermissionInputs } from '../../components/permissions/permission-inputs.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'

/** Makes a group, or changes one. */
export function GroupDialog({ group, onClose }: { group?: OrganizationGroup; onClose: () => void }) {
  const { form, submit, isPending, error } = useOperationForm({
    path: group ? 'organization.groups.update' : 'organization.groups.create',
    schema: GroupCreate,
    initialValues: {
      name: group?.name ?? '',
      permissions: group?.permissions ?? NO_PERMISSIONS,
      requireTotp: group?.requireTotp ?? false,
    },
    // A new group has no id to name.
    toInput: (values) =>
      (group ? { groupId: group.id, ...values } : values) as Input<
        'organization.groups.update' | 'organization.groups.create'
      >,
    onProblem: (problem, form) => {
      if (problem.code !== 'already_exists') return false
      form.setFieldError('name', problem.message)
      return true
    },
    onDone: onClose,
  })
  return (
    <Modal opened onClose={onClose} title={group ? `Change ${group.name}` : 'New group'} centered>
      <form onSubmit={submit} noValidate>
        <Stack>
          <ProblemAlert error={error} />
          <TextInput label="Name" data-autofocus autoComplete="off" required {...form.getInputProps('name')} />
          <PermissionInputs
            value={form.values.permissions}
            onChange={(permissions) => form.setFieldValue('permissions', permissions)}
          />
          <Switch
            label="Requires two-factor authentication"
            description="Members without it reach nothing but their account until they have it."
            {...form.getInputProps('requireTotp', { type: 'checkbox' })}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isPending}>
              {group ? 'Save group' : 'Create group'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
