'use client'

import { Group } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { WebhookPreset } from '#server/schemas/organization/webhook-presets.ts'
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
import { AlertsNobody } from './alerts-nobody.tsx'

const NewWebhookDialog = lazyDialog(async () => (await import('./new-webhook-dialog.tsx')).NewWebhookDialog)

/** The webhooks of the organization. With `newPreset`, the form of a new one is open. */
export function Webhooks({ newPreset }: { newPreset: WebhookPreset | null }) {
  const mayWrite = hasPermission(useMe(), 'webhooks', 'write')
  const [page, setPage] = useState(1)
  const [isCreating, setCreating] = useState(newPreset !== null)
  const webhooks = useQuery(query('webhooks.list', { page }))
  const create = mayWrite && <CreateButton onClick={() => setCreating(true)}>New webhook</CreateButton>
  return (
    <PageFrame
      title="Webhooks"
      intro="A webhook is notified of failures, reminders, recoveries and expiring certificates. It covers what it is bound to: the organization, workspaces, projects or services."
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
        miw={620}
        columns={['Webhook', 'Bound to', 'Method', 'Created']}
      >
        {(webhook) => (
          <Table.Tr key={webhook.id}>
            <Table.Td>
              <Group gap="xs">
                <RowLink href={`/webhooks/${webhook.id}`}>{webhook.name}</RowLink>
                <LabelBadge label={webhook.label} size="sm" />
              </Group>
            </Table.Td>
            <Table.Td>{webhook.bindingCount === 0 ? <AlertsNobody /> : counted(webhook.bindingCount)}</Table.Td>
            <Table.Td>{webhook.method}</Table.Td>
            <Table.Td c="dimmed">
              <Instant at={webhook.createdAt} />
            </Table.Td>
          </Table.Tr>
        )}
      </PagedTable>
      {isCreating && mayWrite && (
        <NewWebhookDialog {...(newPreset && { preset: newPreset })} onClose={() => setCreating(false)} />
      )}
    </PageFrame>
  )
}

function counted(bindings: number): string {
  return bindings === 1 ? '1 scope' : `${bindings} scopes`
}
