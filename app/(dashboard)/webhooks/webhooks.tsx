'use client'

import { Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { query } from '../../client/api.ts'
import { lazyDialog } from '../../client/lazy-dialog.ts'
import { hasPermission, useMe } from '../../client/me.tsx'
import { Webhook } from '../../components/icons.ts'
import { Instant } from '../../components/instant.tsx'
import { LabelBadge } from '../../components/label-badge.tsx'
import { CreateButton } from '../../components/layout/create-button.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { RowLink } from '../../components/layout/row-link.tsx'
import { Empty } from '../../components/lists/empty.tsx'
import { PagedTable } from '../../components/lists/paged-table.tsx'
import { Table } from '../../components/lists/table.tsx'

const NewWebhookDialog = lazyDialog(async () => (await import('./new-webhook-dialog.tsx')).NewWebhookDialog)

export function Webhooks() {
  const mayWrite = hasPermission(useMe(), 'webhooks', 'write')
  const [page, setPage] = useState(1)
  const [isCreating, setCreating] = useState(false)
  const webhooks = useQuery(query('webhooks.list', { page }))
  const create = mayWrite && <CreateButton onClick={() => setCreating(true)}>New webhook</CreateButton>
  return (
    <PageFrame
      title="Webhooks"
      intro="A webhook is notified of failures, reminders, recoveries and expiring certificates. Bind it to the workspaces, projects or services that it should cover."
      actions={create}
    >
      <PagedTable
        query={webhooks}
        onPage={setPage}
        empty={
          <Empty
            icon={Webhook}
            title="No webhooks yet"
            description="Create one for a chat, a pager or your own program."
            action={create}
          />
        }
        miw={480}
        columns={['Webhook', 'Method', 'Created']}
      >
        {(webhook) => (
          <Table.Tr key={webhook.id}>
            <Table.Td>
              <Group gap="xs">
                <RowLink href={`/webhooks/${webhook.id}`}>{webhook.name}</RowLink>
                <LabelBadge label={webhook.label} size="sm" />
              </Group>
            </Table.Td>
            <Table.Td>{webhook.method}</Table.Td>
            <Table.Td c="dimmed">
              <Instant at={webhook.createdAt} />
            </Table.Td>
          </Table.Tr>
        )}
      </PagedTable>
      {isCreating && <NewWebhookDialog onClose={() => setCreating(false)} />}
    </PageFrame>
  )
}
