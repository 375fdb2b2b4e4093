'use client'

import { Badge, Button, Stack, Table, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { BellOff, Plus } from 'lucide-react'
import { useState } from 'react'
import type { Silence } from '#server/schemas/silences.ts'
import { mutation, query } from '../../client/api.ts'
import { ConfirmRemoval } from '../../components/confirm-removal.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { Empty } from '../../components/lists/empty.tsx'
import { ListTable } from '../../components/lists/list-table.tsx'
import { Loaded } from '../../components/lists/loaded.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { SilenceDialog } from './silence-dialog.tsx'
import { channelLabel, periodText, readConfig } from './silence-text.ts'

/** What the member is not told of. Others are told as before. */
export function Silences() {
  const [page, setPage] = useState(1)
  const [isCreating, setCreating] = useState(false)
  const [changing, setChanging] = useState<Silence | null>(null)
  const [removing, setRemoving] = useState<Silence | null>(null)
  const silences = useQuery(query('silences.list', { page }))
  const remove = useMutation({ ...mutation('silences.remove'), onSuccess: () => setRemoving(null) })
  const create = (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      New silence
    </Button>
  )
  return (
    <PageFrame
      title="My silences"
      intro="Alerts you do not want. They concern you alone: the other members hear as before."
      actions={create}
    >
      <Loaded query={silences}>
        {(list) =>
          list.total === 0 ? (
            <Empty
              icon={<BellOff size={28} aria-hidden />}
              title="No silences"
              description="You are told of every failure and recovery where you have access."
              action={create}
            />
          ) : (
            <Stack>
              <ListTable
                miw={600}
                head={
                  <>
                    <Table.Th>Silences</Table.Th>
                    <Table.Th>What</Table.Th>
                    <Table.Th>When</Table.Th>
                    <Table.Th w={180} />
                  </>
                }
              >
                {list.items.map((silence) => (
                  <Table.Tr key={silence.id}>
                    <Table.Td>
                      <Badge variant="default">{channelLabel(silence.channel)}</Badge>
                    </Table.Td>
                    <Table.Td>
                      {silence.resourceName ?? 'Everything'}
                      <Text size="xs" c="dimmed">
                        {readConfig(silence.config).events?.join(', ') ?? 'failures and recoveries'}
                      </Text>
                    </Table.Td>
                    <Table.Td style={{ overflowWrap: 'anywhere' }}>{periodText(silence)}</Table.Td>
                    <Table.Td ta="right">
                      <Button
                        size="compact-sm"
                        variant="subtle"
                        aria-label={`Change the silence of ${silence.resourceName ?? 'everything'}`}
                        onClick={() => setChanging(silence)}
                      >
                        Change
                      </Button>
                      <Button
                        size="compact-sm"
                        variant="subtle"
                        color="red"
                        aria-label={`Delete the silence of ${silence.resourceName ?? 'everything'}`}
                        onClick={() => setRemoving(silence)}
                      >
                        Delete
                      </Button>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </ListTable>
              <Pager page={list} onPage={setPage} />
            </Stack>
          )
        }
      </Loaded>
      {isCreating && <SilenceDialog onClose={() => setCreating(false)} />}
      {changing && <SilenceDialog silence={changing} onClose={() => setChanging(null)} />}
      <ConfirmRemoval
        opened={removing !== null}
        onClose={() => setRemoving(null)}
        title="Delete silence"
        warning="You are told again from the next alert on."
        submitLabel="Delete silence"
        isPending={remove.isPending}
        error={remove.error}
        onConfirm={() => removing && remove.mutate({ id: removing.id })}
      />
    </PageFrame>
  )
}
