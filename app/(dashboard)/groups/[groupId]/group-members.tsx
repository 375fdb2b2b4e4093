'use client'

import { Stack } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mutation, query } from '../../../client/api.ts'
import { RowLink } from '../../../components/layout/row-link.tsx'
import { Section } from '../../../components/layout/section.tsx'
import { Loaded } from '../../../components/lists/loaded.tsx'
import { PagedRows } from '../../../components/lists/paged-rows.tsx'
import { RowButton } from '../../../components/lists/row-button.tsx'
import { Table } from '../../../components/lists/table.tsx'
import { TitleCell } from '../../../components/lists/title-cell.tsx'
import { useFoundMembers } from '../../../components/pickers/finders.ts'
import { PickForm } from '../../../components/pickers/pick-form.tsx'
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
                    <TitleCell
                      title={<RowLink href={`/members/${member.userId}`}>{member.displayName}</RowLink>}
                      subtitle={member.email}
                    />
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
            {mayWrite && (
              <PickForm
                label="Add a member"
                placeholder="Search by name or address"
                submitLabel="Add"
                useFound={useFoundMembers}
                path="organization.groups.addMember"
                inputOf={({ value: userId }) => ({ groupId, userId })}
              />
            )}
          </Stack>
        )}
      </Loaded>
    </Section>
  )
}
