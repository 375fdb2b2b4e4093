'use client'

import { Button, Group, Modal, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { OrganizationMember } from '#server/schemas/organization/organizations.ts'
import { mutation } from '../../client/api.ts'
import { PermissionInputs } from '../../components/permissions/permission-inputs.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'

/** Changes a member's own permissions. Permissions through groups are added to them. */
export function PermissionsDialog({ member, onClose }: { member: OrganizationMember; onClose: () => void }) {
  const [permissions, setPermissions] = useState(member.permissions)
  const save = useMutation({ ...mutation('organization.members.setPermissions'), onSuccess: onClose })
  return (
    <Modal opened onClose={onClose} title={`Permissions of ${member.displayName}`} centered>
      <Stack>
        <ProblemAlert error={save.error} />
        <PermissionInputs value={permissions} onChange={setPermissions} />
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button loading={save.isPending} onClick={() => save.mutate({ userId: member.userId, permissions })}>
            Save permissions
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
