'use client'

import { Button, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../../client/api.ts'
import { lazyDialog } from '../../client/lazy-dialog.ts'
import { hasPermission, useMe } from '../../client/me.tsx'
import { UserPlus } from '../../components/icons.ts'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { Loaded } from '../../components/lists/loaded.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { MemberTable } from './member-table.tsx'
import { OpenInvitations } from './open-invitations.tsx'

const InviteDialog = lazyDialog(async () => (await import('./invite-dialog.tsx')).InviteDialog)

export function Members() {
  const me = useMe()
  const mayWrite = hasPermission(me, 'users', 'write')
  const [page, setPage] = useState(1)
  const [isInviting, setInviting] = useState(false)
  const members = useQuery(query('organization.members.list', { page }))
  return (
    <PageFrame
      title="Members"
      actions={
        mayWrite && (
          <Button leftSection={<UserPlus size={16} aria-hidden />} onClick={() => setInviting(true)}>
            Invite
          </Button>
        )
      }
    >
      <Loaded query={members}>
        {(list) => (
          <Stack>
            <MemberTable members={list.items} />
            <Pager page={list} onPage={setPage} />
          </Stack>
        )}
      </Loaded>
      <OpenInvitations mayWrite={mayWrite} />
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </PageFrame>
  )
}
