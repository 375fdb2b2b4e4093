'use client'

import { Badge, Button, Code, Table, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { mutation, type Output, query } from '../../../client/api.ts'
import { ConfirmRemoval } from '../../../components/confirm-removal.tsx'
import { Instant } from '../../../components/instant.tsx'
import { PageFrame } from '../../../components/layout/page-frame.tsx'
import { Empty } from '../../../components/lists/empty.tsx'
import { ListTable } from '../../../components/lists/list-table.tsx'
import { Loaded } from '../../../components/lists/loaded.tsx'
import { NewKeyDialog } from './new-key-dialog.tsx'

type Key = Output<'account.keys.list'>['items'][number]

export function KeyList() {
  const [isCreating, setCreating] = useState(false)
  const [revoking, setRevoking] = useState<Key | null>(null)
  const keys = useQuery(query('account.keys.list'))
  const revoke = useMutation({ ...mutation('account.keys.revoke'), onSuccess: () => setRevoking(null) })
  const create = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      New key
    </Button>
  )
  return (
    <PageFrame
      title="API keys"
      intro="Programs use a key to act as you in this organization, with whatever you may do at that moment."
      actions={create}
    >
      <Loaded query={keys}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty
              icon={<KeyRound size={28} aria-hidden />}
              title="No keys yet"
              description="Create one for a pipeline or a script that should call the API."
              action={create}
            />
          ) : (
            <ListTable
              miw={720}
              head={
                <>
                  <Table.Th>Name</Table.Th>
                  <Table.Th>Begins with</Table.Th>
                  <Table.Th>Access</Table.Th>
                  <Table.Th>Expires</Table.Th>
                  <Table.Th>Last used</Table.Th>
                  <Table.Th />
                </>
              }
            >
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
            Programs that use <strong>{revoking?.name}</strong> are refused from now on. A revoked key cannot be
            restored.
          </>
        }
        submitLabel="Revoke key"
        isPending={revoke.isPending}
        error={revoke.error}
        onConfirm={() => revoking && revoke.mutate({ id: revoking.id })}
      />
    </PageFrame>
  )
}

function KeyRow({ apiKey, onRevoke }: { apiKey: Key; onRevoke: () => void }) {
  const isOver = apiKey.revokedAt !== null || (apiKey.expiresAt !== null && new Date(apiKey.expiresAt) < new Date())
  return (
    <Table.Tr opacity={isOver ? 0.65 : 1}>
      <Table.Td>
        <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
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
          <Button
            size="compact-sm"
            variant="subtle"
            color="red"
            onClick={onRevoke}
            aria-label={`Revoke ${apiKey.name}`}
          >
            Revoke
          </Button>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
