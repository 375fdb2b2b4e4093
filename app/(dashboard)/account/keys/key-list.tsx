'use client'

import { Badge, Code, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mutation, type Output, query } from '../../../client/api.ts'
import { lazyDialog } from '../../../client/lazy-dialog.ts'
import { ConfirmRemoval } from '../../../components/forms/confirm-removal.tsx'
import { KeyRound } from '../../../components/icons.ts'
import { Instant } from '../../../components/instant.tsx'
import { CreateButton } from '../../../components/layout/create-button.tsx'
import { PageFrame } from '../../../components/layout/page-frame.tsx'
import { Empty } from '../../../components/lists/empty.tsx'
import { ListTable } from '../../../components/lists/list-table.tsx'
import { Loaded } from '../../../components/lists/loaded.tsx'
import { RowButton } from '../../../components/lists/row-button.tsx'
import { Table } from '../../../components/lists/table.tsx'

const NewKeyDialog = lazyDialog(async () => (await import('./new-key-dialog.tsx')).NewKeyDialog)

type Key = Output<'account.keys.list'>['items'][number]

export function KeyList() {
  const [isCreating, setCreating] = useState(false)
  const [revoking, setRevoking] = useState<Key | null>(null)
  const keys = useQuery(query('account.keys.list'))
  const revoke = useMutation({ ...mutation('account.keys.revoke'), onSuccess: () => setRevoking(null) })
  const create = <CreateButton onClick={() => setCreating(true)}>New key</CreateButton>
  return (
    <PageFrame
      title="API keys"
      intro="A program with a key acts as you in this organization. It has the permissions that you have at the time of each request."
      actions={create}
    >
      <Loaded query={keys}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty
              icon={KeyRound}
              title="No keys yet"
              description="Create a key for a pipeline or a program that calls the API."
              action={create}
            />
          ) : (
            <ListTable miw={720} columns={['Name', 'Prefix', 'Access', 'Expires', 'Last used', '']}>
              {items.map((key) => (
                <KeyRow key={key.id} apiKey={key} onRevoke={() => setRevoking(key)} />
              ))}
            </ListTable>
          )
        }
      </Loaded>
      {isCreating && <NewKeyDialog onClose={() => setCreating(false)} />}
      <ConfirmRemoval
        opened={revoking !== null}
        onClose={() => setRevoking(null)}
        title="Revoke key"
        warning={
          <>
            Requests with <strong>{revoking?.name}</strong> will be refused. You cannot restore a revoked key.
          </>
        }
        submitLabel="Revoke key"
        mutation={revoke}
        onConfirm={() => revoking && revoke.mutate({ id: revoking.id })}
      />
    </PageFrame>
  )
}

function KeyRow({ apiKey, onRevoke }: { apiKey: Key; onRevoke: () => void }) {
  const isUnusable = apiKey.revokedAt !== null || (apiKey.expiresAt !== null && new Date(apiKey.expiresAt) < new Date())
  return (
    <Table.Tr opacity={isUnusable ? 0.65 : 1}>
      <Table.Td>
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {apiKey.name}
        </Text>
      </Table.Td>
      <Table.Td>
        <Code>{apiKey.prefix}…</Code>
      </Table.Td>
      <Table.Td>
        <Badge variant="light" color={apiKey.access === 'write' ? 'orange' : 'deep'}>
          {apiKey.access}
        </Badge>
      </Table.Td>
      <Table.Td c="dimmed">
        {apiKey.revokedAt ? 'Revoked' : apiKey.expiresAt ? <Instant at={apiKey.expiresAt} /> : 'Never'}
      </Table.Td>
      <Table.Td c="dimmed">{apiKey.lastUsedAt ? <Instant at={apiKey.lastUsedAt} /> : 'Never'}</Table.Td>
      <Table.Td ta="right">
        {apiKey.revokedAt === null && (
          <RowButton color="red" label={`Revoke ${apiKey.name}`} onClick={onRevoke}>
            Revoke
          </RowButton>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
