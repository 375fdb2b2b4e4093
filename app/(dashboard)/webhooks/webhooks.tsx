'use client'

import { Anchor, Group, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { WebhookPreset } from '#server/schemas/organization/webhook-presets.ts'
import type { WebhookOverview } from '#server/schemas/organization/webhooks.ts'
import { query } from '../../client/api.ts'
import { lazyDialog } from '../../client/lazy-dialog.ts'
import { hasPermission, useMe } from '../../client/me.tsx'
import { BoundTo } from '../../components/bindings/bound-to.tsx'
import { Webhook } from '../../components/icons.ts'
import { Instant } from '../../components/instant.tsx'
import { LabelBadge } from '../../components/label-badge.tsx'
import { CreateButton } from '../../components/layout/create-button.tsx'
import { Link } from '../../components/layout/link.tsx'
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
  const webhooks = useQuery(query('organization.webhooks.overview', { page }))
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
        miw={680}
        columns={['Webhook', 'Receiver', 'Bound to', { w: 150, children: 'Created' }]}
      >
        {(webhook) => (
          <Table.Tr key={webhook.id}>
            <Table.Td>
              <Group gap="xs">
                <RowLink href={`/webhooks/${webhook.id}`}>{webhook.name}</RowLink>
                <LabelBadge label={webhook.label} size="sm" />
              </Group>
            </Table.Td>
            <Table.Td>{webhook.receiver}</Table.Td>
            <Table.Td style={{ overflowWrap: 'anywhere' }}>
              {webhook.bindingCount === 0 ? (
                <BindIt id={webhook.id} mayWrite={mayWrite} />
              ) : (
                <BoundPlaces webhook={webhook} />
              )}
            </Table.Td>
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

/** Says of a webhook without bindings that it alerts nobody, and leads to where it is bound. */
function BindIt({ id, mayWrite }: { id: string; mayWrite: boolean }) {
  return (
    <>
      <AlertsNobody />
      {mayWrite && (
        <Anchor component={Link} href={`/webhooks/${id}`} size="sm" underline="always">
          Bind it
        </Anchor>
      )}
    </>
  )
}

function BoundPlaces({ webhook: { bindings, bindingCount } }: { webhook: WebhookOverview }) {
  const others = bindingCount - bindings.length
  return (
    <>
      {bindings.map((binding) => (
        <Text key={binding.id} size="sm">
          <BoundTo binding={binding} isFirst />
          {!binding.enabled && ' (paused)'}
        </Text>
      ))}
      {others > 0 && (
        <Text size="sm" c="dimmed">
          and {others} more
        </Text>
      )}
    </>
  )
}
