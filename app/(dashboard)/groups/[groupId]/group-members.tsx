'use client'

import { Button, Group, Select, Stack } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mutation, query } from '../../../client/api.ts'
import { Section } from '../../../components/layout/section.tsx'
import { Loaded } from '../../../components/lists/loaded.tsx'
import { PagedRows } from '../../../components/lists/paged-rows.tsx'
import { RowButton } from '../../../components/lists/row-button.tsx'
import { Table } from '../../../components/lists/table.tsx'
import { TitleCell } from '../../../components/lists/title-cell.tsx'
import { ProblemAlert } from '../../../components/problem-alert.tsx'

export function GroupMembers({ groupId, mayWrite }: { groupId: string; mayWrite: boolean }) {
  const [page, setPage] = useState(1)
  const members = useQuery(query('organization.groups.members', { groupId, page }))
  const remove = useMutation(mutation('organization.groups.removeMember'))
  return (
    <Section title="Members">
      <ProblemAlert error={remove.error} />
      <Loaded query={members} rows={2}>
        {(list) => (
          <Stack>
            <PagedRows
              list={list}
              onPage={setPage}
              empty={`No members yet.${mayWrite ? ' Choose the first one below.' : ''}`}
            >
              {(member) => (
                <Table.Tr key={member.userId}>
                  <Table.Td>
                    <TitleCell title={member.displayName} subtitle={member.email} />
                  </Table.Td>
                  <Table.Td ta="right">
                    {mayWrite && (
                      <RowButton
                        color="red"
                        label={`Remove ${member.displayName}`}
                        onClick={() => remove.mutate({ groupId, userId: member.userId })}
                      >
                        Remove
                      </RowButton>
                    )}
                  </Table.Td>
                </Table.Tr>
              )}
            </PagedRows>
            {mayWrite && <AddMember groupId={groupId} present={list.items.map((member) => member.userId)} />}
          </Stack>
        )}
      </Loaded>
    </Section>
  )
}

function AddMember({ groupId, present }: { groupId: string; present: string[] }) {
  const [userId, setUserId] = useState<string | null>(null)
  const members = useQuery(query('members.list', { pageSize: 100 }))
  const add = useMutation({ ...mutation('organization.groups.addMember'), onSuccess: () => setUserId(null) })
  const others = (members.data?.items ?? []).filter((member) => !present.includes(member.userId))
  return (
    <Stack gap="xs">
      <ProblemAlert error={add.error} />
      <Group align="flex-end">
        <Select
          label="Add a member"
          placeholder="Select"
          data={others.map((member) => ({ value: member.userId, label: `${member.displayName} (${member.email})` }))}
          value={userId}
          onChange={setUserId}
          searchable
          style={{ flex: 1 }}
        />
        <Button
          variant="default"
          disabled={userId === null}
          loading={add.isPending}
          onClick={() => userId && add.mutate({ groupId, userId })}
        >
          Add
        </Button>
      </Group>
    </Stack>
  )
}
