'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OpenInvitation } from '#server/schemas/organization/organizations.ts'
import { mutation, query } from '../../client/api.ts'
import { Instant } from '../../components/instant.tsx'
import { Section } from '../../components/layout/section.tsx'
import { Loaded } from '../../components/lists/loaded.tsx'
import { PagedRows } from '../../components/lists/paged-rows.tsx'
import { RowButton } from '../../components/lists/row-button.tsx'
import { Table } from '../../components/lists/table.tsx'
import { TitleCell } from '../../components/lists/title-cell.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'
import { roleLabel } from './roles.ts'

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
                        {promisesText(invitation)}
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

/** Returns what an invitation gives, such as `On call, Shop (Viewer); ` – or says what of it was deleted. */
function promisesText({ groups, lostGroups, places }: OpenInvitation): string {
  const given = [
    ...groups.map(({ name }) => name),
    ...places.map(({ resourceType, name, permissions, notify, isGone }) =>
      isGone
        ? `a deleted ${resourceType}, which will be missing`
        : `${name ?? `a ${resourceType} that you cannot see`} (${roleLabel(permissions, notify)})`,
    ),
    ...(lostGroups === 0 ? [] : [lostGroups === 1 ? 'a deleted group' : `${lostGroups} deleted groups`]),
  ]
  return given.length === 0 ? '' : `${given.join(', ')}; `
}
