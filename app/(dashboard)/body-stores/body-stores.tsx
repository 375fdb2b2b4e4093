'use client'

import { Badge, Button, Group, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mutation, type Output, query } from '../../client/api.ts'
import { hasPermission, useMe } from '../../client/me.tsx'
import { ConfirmRemoval } from '../../components/forms/confirm-removal.tsx'
import { Archive } from '../../components/icons.ts'
import { Instant } from '../../components/instant.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { Empty } from '../../components/lists/empty.tsx'
import { ListTable } from '../../components/lists/list-table.tsx'
import { Loaded } from '../../components/lists/loaded.tsx'
import { Table } from '../../components/lists/table.tsx'

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
      intro="These stores hold the response bodies of your runs. The operator of this installation chooses the current store. Bodies in former stores stay readable until they expire or you forget the store."
    >
      <Loaded query={stores}>
        {(list) =>
          list.length === 0 ? (
            <Empty
              icon={Archive}
              title="No body store yet"
              description="Start a worker: the first one creates a store."
            />
          ) : (
            <ListTable miw={680} columns={['Store', 'Used', 'State']}>
              {list.map((store) => (
                <Table.Tr key={store.id}>
                  <Table.Td>
                    <Text size="sm" fw={600}>
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
            Your organization can no longer read the response bodies in <strong>{forgetting?.label}</strong> after this.
            The results and the files in the store are not deleted. This cannot be undone.
          </>
        }
        submitLabel="Forget store"
        mutation={forget}
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
  // A forgotten store that was used again later holds new bodies, so it can be forgotten again.
  if (store.forgottenAt !== null && store.forgottenAt >= store.lastUsedAt) {
    return (
      <Text size="sm" c="dimmed">
        Forgotten <Instant at={store.forgottenAt} />
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
