'use client'

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { OrganizationMember } from '#server/schemas/organization/organizations.ts'
import { mutation } from '../../client/api.ts'
import { lazyDialog } from '../../client/lazy-dialog.ts'
import { hasPermission, useMe } from '../../client/me.tsx'
import { notify } from '../../client/notify.ts'
import { problemOf } from '../../client/problem.ts'
import { ConfirmRemoval } from '../../components/forms/confirm-removal.tsx'
import { CircleCheck } from '../../components/icons.ts'
import { MoreMenu } from '../../components/menus/more-menu.tsx'
import { Ban, ShieldCheck, UserMinus } from '../icons.ts'

const PermissionsDialog = lazyDialog(async () => (await import('./permissions-dialog.tsx')).PermissionsDialog)

/** The menu of what may be done with a member. Nothing may be done with the owner. */
export function MemberActions({ member, onRemoved }: { member: OrganizationMember; onRemoved?: () => void }) {
  const me = useMe()
  const [dialog, setDialog] = useState<'permissions' | 'remove' | null>(null)
  const close = () => setDialog(null)
  const setActive = useMutation({
    ...mutation('organization.members.setActive'),
    onError: (error) => notify({ color: 'red', message: problemOf(error).message }),
  })
  const remove = useMutation({
    ...mutation('organization.members.remove'),
    onSuccess: () => {
      close()
      onRemoved?.()
    },
  })
  const mayWrite = hasPermission(me, 'users', 'write')
  const mayChangePermissions = hasPermission(me, 'orgAdmin', 'write')
  if (member.isOwner || !(mayWrite || mayChangePermissions)) return null
  const { userId, isActive, displayName } = member
  const ActiveIcon = isActive ? Ban : CircleCheck
  return (
    <>
      <MoreMenu
        label={`More actions for ${displayName}`}
        entries={[
          ...(mayChangePermissions
            ? [
                {
                  label: 'Permissions',
                  icon: <ShieldCheck size={15} aria-hidden />,
                  onSelect: () => setDialog('permissions'),
                },
              ]
            : []),
          ...(mayWrite
            ? [
                {
                  label: isActive ? 'Disable' : 'Enable',
                  icon: <ActiveIcon size={15} aria-hidden />,
                  onSelect: () => setActive.mutate({ userId, isActive: !isActive }),
                },
                {
                  label: 'Remove',
                  icon: <UserMinus size={15} aria-hidden />,
                  color: 'red',
                  onSelect: () => setDialog('remove'),
                },
              ]
            : []),
        ]}
      />
      {dialog === 'permissions' && <PermissionsDialog member={member} onClose={close} />}
      <ConfirmRemoval
        opened={dialog === 'remove'}
        onClose={close}
        title="Remove member"
        warning={
          <>
            <strong>{displayName}</strong> loses access to {me.organization.name} at once. Their API keys for it are
            revoked, and their grants and silences are deleted.
          </>
        }
        submitLabel="Remove member"
        mutation={remove}
        onConfirm={() => remove.mutate({ userId })}
      />
    </>
  )
}
