'use client'

import { Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { MemberDetail } from '#server/schemas/organization/organizations.ts'
import type { ReachedPlace, ReachReason } from '#server/schemas/organization/places.ts'
import { mutation, query } from '../../../client/api.ts'
import { lazyDialog } from '../../../client/lazy-dialog.ts'
import { useMe } from '../../../client/me.tsx'
import { PlaceTitle } from '../../../components/access/place-title.tsx'
import { SectionCreateButton } from '../../../components/layout/create-button.tsx'
import { Section } from '../../../components/layout/section.tsx'
import { Loaded } from '../../../components/lists/loaded.tsx'
import { NoEntries } from '../../../components/lists/no-entries.tsx'
import { Pager } from '../../../components/lists/pager.tsx'
import { RowButton } from '../../../components/lists/row-button.tsx'
import { ScrollTable } from '../../../components/lists/scroll-table.tsx'
import { Table } from '../../../components/lists/table.tsx'
import { ProblemAlert } from '../../../components/problem-alert.tsx'
import { Reason } from './reasons.tsx'

const GrantDialog = lazyDialog(async () => (await import('../../../components/access/grant-dialog.tsx')).GrantDialog)

/** The places that a member reaches, with the level and why. Who may write on a place changes the grant there. */
export function MemberPlaces({ member }: { member: MemberDetail }) {
  const { userId, displayName } = member
  const { mayGrant } = useMe()
  const [page, setPage] = useState(1)
  const [isGranting, setGranting] = useState(false)
  const places = useQuery(query('organization.members.access', { userId, page }))
  const remove = useMutation(mutation('access.remove'))
  const everywhere = member.sections.find(({ section }) => section === 'workspaces')
  return (
    <Section
      title="Access"
      intro={introOf(everywhere?.level)}
      actions={mayGrant && <SectionCreateButton onClick={() => setGranting(true)}>Grant access</SectionCreateButton>}
    >
      <ProblemAlert error={remove.error} />
      <Loaded query={places} rows={2}>
        {(list) => (
          <Stack>
            {list.total === 0 ? (
              <NoEntries>
                {everywhere
                  ? 'No grants, neither own ones nor by groups.'
                  : 'This member reaches no workspace, project or service.'}
              </NoEntries>
            ) : (
              <ScrollTable
                miw={640}
                verticalSpacing="xs"
                columns={['Place', { w: 110, children: 'Level' }, 'Why', { w: 110 }]}
              >
                {list.items.map((place, index) => (
                  <PlaceRow
                    key={place.resourceId ?? index}
                    place={place}
                    isWritten={everywhere?.level === 'write'}
                    onRemove={(resourceId) =>
                      remove.mutate({
                        ...{ resourceType: place.resourceType, resourceId },
                        ...{ principalType: 'user', principalId: userId },
                      })
                    }
                  />
                ))}
              </ScrollTable>
            )}
            <Pager page={list} onPage={setPage} />
          </Stack>
        )}
      </Loaded>
      {isGranting && (
        <GrantDialog
          holder={{ principalType: 'user', principalId: userId, name: displayName }}
          onClose={() => setGranting(false)}
        />
      )}
    </Section>
  )
}

function introOf(everywhere: 'none' | 'read' | 'write' | undefined): string {
  if (everywhere === 'write')
    return 'This member may change every workspace, by a permission below. Grants also say who is notified.'
  if (everywhere === 'read')
    return 'This member may read every workspace, by a permission below. Grants give more in single places.'
  return 'The places that this member reaches, by own grants and by groups.'
}

/** `isWritten` if a permission gives write everywhere. */
function PlaceRow(props: { place: ReachedPlace; isWritten: boolean; onRemove: (resourceId: string) => void }) {
  const { place, isWritten } = props
  const { resourceId, name, reasons, hasOwnGrant, mayWrite } = place
  return (
    <Table.Tr>
      <Table.Td>
        <PlaceTitle place={place} />
      </Table.Td>
      <Table.Td>{isWritten || place.permissions === 2 ? 'Write' : 'Read'}</Table.Td>
      <Table.Td>
        {reasons.map((reason) => (
          <Text key={JSON.stringify(reason)} size="sm">
            <Reason group={reason.group} own="Own grant" />
            {detailOf(reason)}
          </Text>
        ))}
      </Table.Td>
      <Table.Td ta="right">
        {hasOwnGrant && mayWrite && resourceId && (
          <RowButton color="red" label={`Remove the grant on ${name}`} onClick={() => props.onRemove(resourceId)}>
            Remove
          </RowButton>
        )}
      </Table.Td>
    </Table.Tr>
  )
}

/** Returns for example ` on the workspace Shop: read, notified`. */
function detailOf({ above, permissions, notify }: ReachReason): string {
  const where = above ? ` on the ${above.resourceType} ${above.name}` : ''
  return `${where}: ${permissions === 2 ? 'write' : 'read'}${notify ? ', notified' : ''}`
}
