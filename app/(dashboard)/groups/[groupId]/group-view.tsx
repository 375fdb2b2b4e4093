'use client'

import { Button, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { mutation, query } from '../../../client/api.ts'
import { lazyDialog } from '../../../client/lazy-dialog.ts'
import { hasPermission, useMe } from '../../../client/me.tsx'
import { ConfirmRemoval } from '../../../components/forms/confirm-removal.tsx'
import { PageFrame } from '../../../components/layout/page-frame.tsx'
import { Section } from '../../../components/layout/section.tsx'
import { Loaded } from '../../../components/lists/loaded.tsx'
import { PermissionBadges } from '../../../components/permissions/permission-badges.tsx'
import { GroupGrants } from './group-grants.tsx'
import { GroupMembers } from './group-members.tsx'

const GroupDialog = lazyDialog(async () => (await import('../group-dialog.tsx')).GroupDialog)

export function GroupView({ id }: { id: string }) {
  const router = useRouter()
  const mayWrite = hasPermission(useMe(), 'users', 'write')
  const [openDialog, setOpenDialog] = useState<'change' | 'remove' | null>(null)
  const group = useQuery(query('organization.groups.get', { groupId: id }))
  const remove = useMutation({
    ...mutation('organization.groups.remove'),
    onSuccess: () => router.push('/groups'),
  })
  return (
    <Loaded query={group}>
      {(group) => (
        <PageFrame
          title={group.name}
          crumbs={[{ label: 'Groups', href: '/groups' }]}
          actions={
            mayWrite && (
              <>
                <Button variant="default" onClick={() => setOpenDialog('change')}>
                  Change
                </Button>
                <Button variant="default" c="red" onClick={() => setOpenDialog('remove')}>
                  Delete
                </Button>
              </>
            )
          }
        >
          <Section title="Permissions">
            <PermissionBadges permissions={group.permissions} />
            {group.requireTotp && <Text size="sm">Its members must use two-factor authentication.</Text>}
          </Section>
          <GroupMembers groupId={id} mayWrite={mayWrite} />
          <GroupGrants group={group} />
          {openDialog === 'change' && <GroupDialog group={group} onClose={() => setOpenDialog(null)} />}
          <ConfirmRemoval
            opened={openDialog === 'remove'}
            onClose={() => setOpenDialog(null)}
            title="Delete group"
            warning="Its members lose the permissions and the access that they have through the group."
            submitLabel="Delete group"
            confirmationText={group.name}
            mutation={remove}
            onConfirm={() => remove.mutate({ groupId: id })}
          />
        </PageFrame>
      )}
    </Loaded>
  )
}
