'use client'

import { Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Deletion } from '#server/schemas/deletions/deletions.ts'
import { mutation } from '../../client/api.ts'
import { notify } from '../../client/notify.ts'
import { problemOf } from '../../client/problem.ts'
import { restoredText } from '../../components/deletions/restored-text.ts'
import { ConfirmRemoval } from '../../components/forms/confirm-removal.tsx'
import { Instant } from '../../components/instant.tsx'
import { RowButton } from '../../components/lists/row-button.tsx'
import { Table } from '../../components/lists/table.tsx'

export function DeletionRow({ deletion }: { deletion: Deletion }) {
  const { type, resourceId: id, name } = deletion
  const [isConfirming, setConfirming] = useState(false)
  const restore = useMutation({
    ...mutation('deletions.restore'),
    onSuccess: (restored) => notify({ color: 'teal', message: restoredText(restored) }),
    onError: (error) => notify({ color: 'red', message: problemOf(error).message }),
  })
  const purge = useMutation(mutation('deletions.purge'))
  return (
    <Table.Tr>
      <Table.Td maw={320}>
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {name}
        </Text>
        <Text size="xs" c="dimmed">
          {type === 'project' ? `Project with ${servicesText(deletion.serviceCount)}` : 'Service'}
        </Text>
      </Table.Td>
      <Table.Td maw={260} style={{ overflowWrap: 'anywhere' }}>
        {placeText(deletion)}
      </Table.Td>
      <Table.Td>
        <Instant at={deletion.deletedAt} /> by {deletion.deletedBy}
      </Table.Td>
      <Table.Td>
        <Instant at={deletion.endsAt} />
      </Table.Td>
      <Table.Td>
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          {deletion.isRestorable ? (
            <RowButton label={`Restore ${name}`} loading={restore.isPending} onClick={() => restore.mutate({ id })}>
              Restore
            </RowButton>
          ) : (
            <Text size="xs" c="dimmed">
              Restore its project first
            </Text>
          )}
          {deletion.isRestorable && (
            <RowButton label={`Delete permanently: ${name}`} color="red" onClick={() => setConfirming(true)}>
              Delete permanently
            </RowButton>
          )}
        </Group>
        <ConfirmRemoval
          opened={isConfirming}
          onClose={() => setConfirming(false)}
          title="Delete permanently"
          warning="This deletes its results, variables and settings now. It cannot be undone."
          submitLabel="Delete permanently"
          confirmationText={name}
          mutation={purge}
          onConfirm={() => purge.mutate({ id })}
        />
      </Table.Td>
    </Table.Tr>
  )
}

function servicesText(count: number): string {
  return count === 1 ? '1 service' : `${count} services`
}

function placeText({ type, workspaceName, projectName }: Deletion): string {
  if (type === 'project') return workspaceName
  return `${workspaceName} / ${projectName ?? 'a deleted project'}`
}
