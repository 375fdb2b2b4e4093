'use client'

import { Code, Group, Stack, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mutation, type Output, query } from '../../../../client/api.ts'
import { lazyDialog } from '../../../../client/lazy-dialog.ts'
import { ConfirmRemoval } from '../../../../components/forms/confirm-removal.tsx'
import { Instant } from '../../../../components/instant.tsx'
import { CreateButton } from '../../../../components/layout/create-button.tsx'
import { Link } from '../../../../components/layout/link.tsx'
import { Empty } from '../../../../components/lists/empty.tsx'
import { ListTable } from '../../../../components/lists/list-table.tsx'
import { Loaded } from '../../../../components/lists/loaded.tsx'
import { RowButton } from '../../../../components/lists/row-button.tsx'
import { Table } from '../../../../components/lists/table.tsx'
import { Gauge } from '../../../icons.ts'

const NewTokenDialog = lazyDialog(async () => (await import('./new-token-dialog.tsx')).NewTokenDialog)

type Token = Output<'projects.metricsTokens.list'>['items'][number]

const REFUSALS: Record<NonNullable<Token['refusal']>, string> = {
  maker_removed: 'Refused: the member who created it was removed. Create a new token.',
  maker_inactive: 'Refused: the member who created it is disabled.',
  maker_without_second_factor: 'Refused: the member who created it must set up a second factor.',
  maker_without_access: 'Refused: the member who created it cannot read this project.',
}

/** Where Prometheus reads the metrics of a project, and the tokens with which it may. */
export function MetricsTokens({ id }: { id: string }) {
  const [isCreating, setCreating] = useState(false)
  const [revoking, setRevoking] = useState<Token | null>(null)
  const tokens = useQuery(query('projects.metricsTokens.list', { id }))
  const revoke = useMutation({ ...mutation('projects.metricsTokens.revoke'), onSuccess: () => setRevoking(null) })
  const create = <CreateButton onClick={() => setCreating(true)}>New token</CreateButton>
  return (
    <Stack>
      <Group justify="space-between" align="start">
        <Text size="sm" c="dimmed" maw="44rem">
          Prometheus reads the state of this project's services from{' '}
          <Code style={{ overflowWrap: 'anywhere' }}>/api/prometheus/projects/{id}</Code> with one of these tokens. A
          token shows the metrics of every service of the project, and nothing else. It works as long as the member who
          created it can read the project. <Link href="/docs/guide/metrics">How to configure Prometheus</Link>
        </Text>
        {(tokens.data?.items.length ?? 0) > 0 && create}
      </Group>
      <Loaded query={tokens}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty
              icon={Gauge}
              title="No tokens yet"
              description="Create a token for the Prometheus that reads this project."
              action={create}
            />
          ) : (
            <ListTable miw={640} columns={['Name', 'Prefix', 'Created by', 'Created', '']}>
              {items.map((token) => (
                <TokenRow key={token.id} token={token} onRevoke={() => setRevoking(token)} />
              ))}
            </ListTable>
          )
        }
      </Loaded>
      {isCreating && <NewTokenDialog id={id} onClose={() => setCreating(false)} />}
      <ConfirmRemoval
        opened={revoking !== null}
        onClose={() => setRevoking(null)}
        title="Revoke token"
        warning={
          <>
            Requests with <strong>{revoking?.name}</strong> will be refused. You cannot restore a revoked token.
          </>
        }
        submitLabel="Revoke token"
        mutation={revoke}
        onConfirm={() => revoking && revoke.mutate({ id, tokenId: revoking.id })}
      />
    </Stack>
  )
}

function TokenRow({ token, onRevoke }: { token: Token; onRevoke: () => void }) {
  return (
    <Table.Tr>
      <Table.Td>
        <Text size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
          {token.name}
        </Text>
        {token.refusal && (
          <Text size="xs" c="red">
            {REFUSALS[token.refusal]}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <Code>{token.prefix}…</Code>
      </Table.Td>
      <Table.Td c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {token.createdBy ?? 'a former member'}
      </Table.Td>
      <Table.Td c="dimmed">
        <Instant at={token.createdAt} />
      </Table.Td>
      <Table.Td ta="right">
        <RowButton color="red" label={`Revoke ${token.name}`} onClick={onRevoke}>
          Revoke
        </RowButton>
      </Table.Td>
    </Table.Tr>
  )
}
