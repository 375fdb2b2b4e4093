'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mutation, query } from '../../client/api.ts'
import { Instant } from '../../components/instant.tsx'
import { Section } from '../../components/layout/section.tsx'
import { Loaded } from '../../components/lists/loaded.tsx'
import { PagedRows } from '../../components/lists/paged-rows.tsx'
import { RowButton } from '../../components/lists/row-button.tsx'
import { Table } from '../../components/lists/table.tsx'
import { TitleCell } from '../../components/lists/title-cell.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'

export function OpenInvitations({ mayWrite }: { mayWrite: boolean }) {
  const [page, setPage] = useState(1)
  const invitations = useQuery(query('organization.invitations.list', { page }))
  const withdraw = useMutation(mutation('organization.invitations.withdraw'))
  return (
    <Section title="Open invitations">
      <ProblemAlert error={withdraw.error} />
      <Loaded query={invitations} rows={1}>
        {(list) => (
          <PagedRows list={list} onPage={setPage} empty="No open invitations.">
            {(invitation) => (
              <Table.Tr key={invitation.id}>
                <Table.Td>
                  <TitleCell
                    title={invitation.email}
                    subtitle={
                      <>
                        {invitation.invitedBy ? `by ${invitation.invitedBy}, ` : ''}expires{' '}
                        <Instant at={invitation.expiresAt} />
                      </>
                    }
                  />
                </Table.Td>
                <Table.Td ta="right">
                  {mayWrite && (
                    <RowButton
                      color="red"
                      label={`Withdraw the invitation of ${invitation.email}`}
                      onClick={() => withdraw.mutate({ id: invitation.id })}
                    >
                      Withdraw
                    </RowButton>
                  )}
                </Table.Td>
              </Table.Tr>
            )}
          </PagedRows>
        )}
      </Loaded>
    </Section>
  )
}
