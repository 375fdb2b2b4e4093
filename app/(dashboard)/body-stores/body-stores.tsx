'use client'

import { Badge, Button, Group, Table, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Archive } from 'lucide-react'
import { useState } from 'react'
import { mutation, type Output, query } from '../../client/api.ts'
import { hasPermission, useMe } from '../../client/me.tsx'
import { ConfirmRemoval } from '../../components/confirm-removal.tsx'
import { Instant } from '../../components/instant.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { Empty } from '../../components/lists/empty.tsx'
import { ListTable } from '../../components/lists/list-table.tsx'
import { Loaded } from '../../components/lists/loaded.tsx'

type BodyStore = Output<'organization.bodyStores.list'>[number]

export function BodyStores() {
  const mayWrite = hasPermission(useMe(), 'settings', 'write')
  const [forgetting, setForgetting] = useState<BodyStore | null>(null)
  const stores = useQuery(query('organization.bodyStores.list'))
  const forget = useMutation({ ...mutation('organization.bodyStores.forget'), onSuccess: () => setForgetting(null) })
  const close = () => {
    setForgetting(null)
    forget.reset()
  }
  return (
    <PageFrame
      title="Body stores"
      intro="Where the response bodies of your runs are kept. Whoever runs this installation chooses the store; former ones are read until their bodies expire or you forget them."
    >
      <Loaded query={stores}>
        {(list) =>
          list.length === 0 ? (
            <Empty
              icon={<Archive size={24} aria-hidden />}
              title="No body store yet"
              description="The first worker that starts makes one."
            />
          ) : (
            <ListTable
              miw={680}
              head={
                <>
                  <Table.Th>Store</Table.Th>
                  <Table.Th>Used</Table.Th>
                  <Table.Th>State</Table.Th>
                </>
              }
            >
              {list.map((store) => (
                <Table.Tr key={store.id}>
                  <Table.Td>
                    <Text size="sm" fw={500}>
                      {store.label}
                    </Text>
                  </Table.Td>
                  <Table.Td>
                    <Text size="sm">
                      first <Instant at={store.firstUsedAt} />
                    </Text>
                    {!store.isCurrent && (
                      <Text size="sm" c="dimmed">
                        last <Instant at={store.lastUsedAt} />
                      </Text>
                    )}
                  </Table.Td>
                  <Table.Td>
                    <StoreState store={store} onForget={mayWrite ? () => setForgetting(store) : null} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </ListTable>
          )
        }
      </Loaded>
      <ConfirmRemoval
        opened={forgetting !== null}
        onClose={close}
        title="Forget store"
        warning={
          <>
            The response bodies kept in <strong>{forgetting?.label}</strong> are not shown any more, to nobody in your
            organization. Results stay, and so do the files in the store. This cannot be undone.
          </>
        }
        submitLabel="Forget store"
        isPending={forget.isPending}
        error={forget.error}
        onConfirm={() => forgetting && forget.mutate({ id: forgetting.id })}
      />
    </PageFrame>
  )
}

function StoreState({ store, onForget }: { store: BodyStore; onForget: (() => void) | null }) {
  if (store.isCurrent) {
    return (
      <Badge variant="light" color="teal">
        In use
      </Badge>
    )
  }
  // One that was taken up again since is former once more, and holds bodies that may be forgotten.
  if (store.forgottenAt !== null && store.forgottenAt >= store.lastUsedAt) {
    return (
      <Text size="sm" c="dimmed">
        forgotten <Instant at={store.forgottenAt} />
      </Text>
    )
  }
  return (
    <Group gap="sm">
      <Badge variant="default">Former</Badge>
      {onForget && (
        <Button size="xs" variant="default" aria-label={`Forget ${store.label}`} onClick={onForget}>
          Forget
        </Button>
      )}
    </Group>
  )
}
