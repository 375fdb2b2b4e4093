'use client'

import { Button, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../../client/api.ts'
import { lazyDialog } from '../../client/lazy-dialog.ts'
import { hasPermission, useMe } from '../../client/me.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { Loaded } from '../../components/lists/loaded.tsx'
import { NoEntries } from '../../components/lists/no-entries.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { UserPlus } from '../icons.ts'
import { MemberTable } from './member-table.tsx'
import { OpenInvitations } from './open-invitations.tsx'

const InviteDialog = lazyDialog(async () => (await import('./invite-dialog.tsx')).InviteDialog)

export function Members() {
  const me = useMe()
  const mayWrite = hasPermission(me, 'users', 'write')
  const [page, setPage] = useState(1)
  const [isInviting, setInviting] = useState(false)
  const [typed, setTyped] = useState('')
  const [text] = useDebouncedValue(typed.trim(), 150)
  const members = useQuery({
    ...query('organization.members.list', text === '' ? { page } : { page, q: text }),
    placeholderData: keepPreviousData,
  })
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
      <TextInput
        type="search"
        aria-label="Search members"
        placeholder="Search by name or address"
        maw={420}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setPage(1)
        }}
      />
      <Loaded query={members}>
        {(list) => (
          <Stack>
            {list.total === 0 ? <NoEntries>No member matches.</NoEntries> : <MemberTable members={list.items} />}
            <Pager page={list} onPage={setPage} />
          </Stack>
        )}
      </Loaded>
      <OpenInvitations mayWrite={mayWrite} />
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </PageFrame>
  )
}
