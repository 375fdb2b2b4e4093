'use client'

import { Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Follow } from '#server/schemas/alerts/follows.ts'
import { mutation, query } from '../../client/api.ts'
import { RowLink } from '../../components/layout/row-link.tsx'
import { Section } from '../../components/layout/section.tsx'
import { Loaded } from '../../components/lists/loaded.tsx'
import { PagedRows } from '../../components/lists/paged-rows.tsx'
import { RowButton } from '../../components/lists/row-button.tsx'
import { Table } from '../../components/lists/table.tsx'
import { ProblemAlert } from '../../components/problem-alert.tsx'

/** The workspaces, projects and services that the current member follows. */
export function FollowList() {
  const [page, setPage] = useState(1)
  const follows = useQuery(query('follows.list', { page, pageSize: 20 }))
  const remove = useMutation(mutation('follows.remove'))
  return (
    <Section
      title="Followed resources"
      intro="You receive their alerts, even without a grant. To follow a workspace, project or service, use the bell on its page."
    >
      <ProblemAlert error={remove.error} />
      <Loaded query={follows} rows={1}>
        {(list) => (
          <PagedRows
            list={list}
            onPage={setPage}
            empty="You do not follow any resource yet. Open one, and choose the bell beside its name."
          >
            {(follow) => (
              <Row
                key={follow.resourceId}
                follow={follow}
                isPending={remove.isPending && remove.variables.resourceId === follow.resourceId}
                onRemove={({ resourceType, resourceId }) => remove.mutate({ resourceType, resourceId })}
              />
            )}
          </PagedRows>
        )}
      </Loaded>
    </Section>
  )
}

function Row(props: { follow: Follow; isPending: boolean; onRemove: (follow: Follow) => void }) {
  const { follow } = props
  const { resourceType, resourceId, name } = follow
  return (
    <Table.Tr>
      <Table.Td style={{ overflowWrap: 'anywhere' }}>
        {name === null ? (
          <Text size="sm">A {resourceType} that you can no longer see</Text>
        ) : (
          <RowLink href={`/${resourceType}s/${resourceId}`}>{name}</RowLink>
        )}
        <Text size="xs" c="dimmed">
          {name === null ? 'You receive no alerts about it.' : resourceType}
        </Text>
      </Table.Td>
      <Table.Td ta="right">
        <RowButton
          label={`Stop following ${name ?? `a ${resourceType} that you cannot see`}`}
          loading={props.isPending}
          onClick={() => props.onRemove(follow)}
        >
          Stop following
        </RowButton>
      </Table.Td>
    </Table.Tr>
  )
}
