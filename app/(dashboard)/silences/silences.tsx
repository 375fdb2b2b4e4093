'use client'

import { Badge, Text } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Silence } from '#server/schemas/alerts/silences.ts'
import { mutation, query } from '../../client/api.ts'
import { lazyDialog } from '../../client/lazy-dialog.ts'
import { useMe } from '../../client/me.tsx'
import { eventsLabel } from '../../components/alerts/event-labels.ts'
import { MailNotice } from '../../components/alerts/mail-notice.tsx'
import { ConfirmRemoval } from '../../components/forms/confirm-removal.tsx'
import { BellOff } from '../../components/icons.ts'
import { useDateTimeText } from '../../components/instant.tsx'
import { CreateButton } from '../../components/layout/create-button.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { Empty } from '../../components/lists/empty.tsx'
import { PagedTable } from '../../components/lists/paged-table.tsx'
import { RowButton } from '../../components/lists/row-button.tsx'
import { Table } from '../../components/lists/table.tsx'
import { FollowList } from './follow-list.tsx'
import { channelLabel, periodText, readConfig } from './silence-text.ts'

const SilenceDialog = lazyDialog(async () => (await import('./silence-dialog.tsx')).SilenceDialog)

/** The silences of the current member. */
export function Silences() {
  const { sendsMail } = useMe()
  const dateTimeText = useDateTimeText()
  const [page, setPage] = useState(1)
  const [isCreating, setCreating] = useState(false)
  const [changing, setChanging] = useState<Silence | null>(null)
  const [removing, setRemoving] = useState<Silence | null>(null)
  const silences = useQuery(query('silences.list', { page }))
  const remove = useMutation({ ...mutation('silences.remove'), onSuccess: () => setRemoving(null) })
  const create = <CreateButton onClick={() => setCreating(true)}>New silence</CreateButton>
  return (
    <PageFrame
      title="My silences"
      intro="Alerts that you do not want to receive. Other members still receive them."
      actions={create}
    >
      <MailNotice isConfigured={sendsMail} />
      <PagedTable
        query={silences}
        onPage={setPage}
        empty={
          <Empty
            icon={BellOff}
            title="No silences"
            description="You receive the alerts of every service that you have a grant on or follow. Create a silence to receive fewer."
            action={create}
          />
        }
        miw={600}
        columns={['Channel', 'Resource', 'When', { w: 180 }]}
      >
        {(silence) => (
          <Table.Tr key={silence.id}>
            <Table.Td>
              <Badge variant="default">{channelLabel(silence.channel)}</Badge>
            </Table.Td>
            <Table.Td>
              {silence.resourceName ?? 'Everything'}
              <Text size="xs" c="dimmed">
                {readConfig(silence.config).events?.map(eventsLabel).join(', ') ?? 'every event'}
              </Text>
            </Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>{periodText(silence, dateTimeText)}</Table.Td>
            <Table.Td ta="right">
              <RowButton
                label={`Change the silence of ${silence.resourceName ?? 'everything'}`}
                onClick={() => setChanging(silence)}
              >
                Change
              </RowButton>
              <RowButton
                color="red"
                label={`Delete the silence of ${silence.resourceName ?? 'everything'}`}
                onClick={() => setRemoving(silence)}
              >
                Delete
              </RowButton>
            </Table.Td>
          </Table.Tr>
        )}
      </PagedTable>
      <FollowList />
      {isCreating && <SilenceDialog onClose={() => setCreating(false)} />}
      {changing && <SilenceDialog silence={changing} onClose={() => setChanging(null)} />}
      <ConfirmRemoval
        opened={removing !== null}
        onClose={() => setRemoving(null)}
        title="Delete silence"
        warning="You will receive these alerts again."
        submitLabel="Delete silence"
        mutation={remove}
        onConfirm={() => removing && remove.mutate({ id: removing.id })}
      />
    </PageFrame>
  )
}
