'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mutation, query } from '../../../client/api.ts'
import { lazyDialog } from '../../../client/lazy-dialog.ts'
import { useMe } from '../../../client/me.tsx'
import { GrantRow } from '../../../components/access/grant-row.tsx'
import { SectionCreateButton } from '../../../components/layout/create-button.tsx'
import { RowLink } from '../../../components/layout/row-link.tsx'
import { Section } from '../../../components/layout/section.tsx'
import { Loaded } from '../../../components/lists/loaded.tsx'
import { PagedRows } from '../../../components/lists/paged-rows.tsx'
import { placeKind } from '../../../components/pickers/place-kind.ts'
import { ProblemAlert } from '../../../components/problem-alert.tsx'

const GrantDialog = lazyDialog(async () => (await import('../../../components/access/grant-dialog.tsx')).GrantDialog)

/** What the members of a group reach through it. Who may write on a place changes the grant there. */
export function GroupGrants({ group }: { group: { id: string; name: string } }) {
  const { mayGrant } = useMe()
  const [page, setPage] = useState(1)
  const [isGranting, setGranting] = useState(false)
  const grants = useQuery(query('organization.groups.grants', { groupId: group.id, page }))
  const set = useMutation(mutation('access.set'))
  const remove = useMutation(mutation('access.remove'))
  const holder = { principalType: 'group' as const, principalId: group.id, name: group.name }
  return (
    <Section
      title="Access"
      intro="The places that the members of this group reach through it."
      actions={mayGrant && <SectionCreateButton onClick={() => setGranting(true)}>Grant access</SectionCreateButton>}
    >
      <ProblemAlert error={set.error ?? remove.error} />
      <Loaded query={grants} rows={2}>
        {(list) => (
          <PagedRows list={list} onPage={setPage} empty="This group has no grants.">
            {(grant) => {
              const { resourceType, resourceId, name } = grant
              const place = {
                resourceType,
                resourceId: resourceId ?? '',
                principalType: 'group',
                principalId: group.id,
              } as const
              return (
                <GrantRow
                  key={resourceId ?? list.items.indexOf(grant)}
                  title={
                    resourceId === null ? (
                      `A ${resourceType} that you cannot see`
                    ) : (
                      <RowLink href={`/${resourceType}s/${resourceId}`}>{name}</RowLink>
                    )
                  }
                  subtitle={resourceId === null ? undefined : placeKind(resourceType, grant.path)}
                  permissions={grant.permissions}
                  notify={grant.notify}
                  mayWrite={grant.mayWrite}
                  labels={{
                    level: `Level on ${name}`,
                    notify: `Notified of failures in ${name}`,
                    remove: `Remove the access to ${name}`,
                  }}
                  onChange={(level) => set.mutate({ ...place, ...level })}
                  onRemove={() => remove.mutate(place)}
                />
              )
            }}
          </PagedRows>
        )}
      </Loaded>
      {isGranting && <GrantDialog holder={holder} onClose={() => setGranting(false)} />}
    </Section>
  )
}
