'use client'

import { Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mutation, type Output, query } from '../../../client/api.ts'
import { ConfirmRemoval } from '../../../components/forms/confirm-removal.tsx'
import { Instant } from '../../../components/instant.tsx'
import { Section } from '../../../components/layout/section.tsx'
import { Loaded } from '../../../components/lists/loaded.tsx'
import { NoEntries } from '../../../components/lists/no-entries.tsx'
import { RowButton } from '../../../components/lists/row-button.tsx'
import { ScrollTable } from '../../../components/lists/scroll-table.tsx'
import { Table } from '../../../components/lists/table.tsx'

type Key = Output<'organization.agents.keys'>[number]

/** The keys with which the machines of a remote agent sign their requests. */
export function KeysSection({ slug, mayRevoke }: { slug: string; mayRevoke: boolean }) {
  const [revoking, setRevoking] = useState<Key | null>(null)
  const keys = useQuery(query('organization.agents.keys', { slug }))
  const revoke = useMutation({ ...mutation('organization.agents.revoke'), onSuccess: () => setRevoking(null) })
  return (
    <Section
      title="Keys"
      intro="Each enrolled machine has its own key. A revoked key stops working at once, and its runs go to other processes."
    >
      <Loaded query={keys} rows={2}>
        {(list) =>
          list.length === 0 ? (
            <NoEntries>
              No machine has enrolled yet. Choose “Enrol a machine”, and run the command that you get on that machine.
            </NoEntries>
          ) : (
            <ScrollTable miw={640} aria-label="Keys" columns={['Machine', 'Enrolled', 'Created by', 'Last used', '']}>
              {list.map((key) => (
                <Table.Tr key={key.keyId} opacity={key.revokedAt === null ? 1 : 0.65}>
                  <Table.Td>
                    <Text size="sm" fw={600}>
                      {key.name}
                    </Text>
                  </Table.Td>
                  <Table.Td>
                    <Instant at={key.createdAt} />
                  </Table.Td>
                  <Table.Td>
                    <Maker of={key} />
                  </Table.Td>
                  <Table.Td>{key.lastUsedAt ? <Instant at={key.lastUsedAt} /> : 'Never'}</Table.Td>
                  <Table.Td ta="right">
                    {key.revokedAt !== null ? (
                      <>
                        Revoked <Instant at={key.revokedAt} />
                      </>
                    ) : (
                      mayRevoke && (
                        <RowButton color="red" label={`Revoke the key of ${key.name}`} onClick={() => setRevoking(key)}>
                          Revoke
                        </RowButton>
                      )
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </ScrollTable>
          )
        }
      </Loaded>
      <ConfirmRemoval
        opened={revoking !== null}
        onClose={() => setRevoking(null)}
        title="Revoke key"
        warning={
          <>
            Requests of <strong>{revoking?.name}</strong> will be refused. The machine must enrol again with a new
            token.
          </>
        }
        submitLabel="Revoke key"
        mutation={revoke}
        onConfirm={() => revoking && revoke.mutate({ slug, keyId: revoking.keyId })}
      />
    </Section>
  )
}

/** Who created the token of a key, and whether the key should be revoked because that member may not enrol agents any more. */
function Maker({ of: { createdBy, revokedAt } }: { of: Key }) {
  if (createdBy === null) return <>–</>
  const { email, isMember, mayEnrol } = createdBy
  return (
    <>
      <Text size="sm">{email ?? 'a deleted account'}</Text>
      {!mayEnrol && revokedAt === null && (
        <Text size="xs" c="orange">
          {isMember
            ? 'This member may no longer enrol agents: revoke the key.'
            : 'This member is no longer active: revoke the key.'}
        </Text>
      )}
    </>
  )
}
