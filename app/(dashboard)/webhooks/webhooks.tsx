'use client'

import { Anchor, Badge, Button, Group, Stack, Table } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Plus, Webhook } from 'lucide-react'
import { useState } from 'react'
import { query } from '../../client/api.ts'
import { hasPermission, useMe } from '../../client/me.tsx'
import { Instant } from '../../components/instant.tsx'
import { Link } from '../../components/layout/link.tsx'
import { PageFrame } from '../../components/layout/page-frame.tsx'
import { Empty } from '../../components/lists/empty.tsx'
import { ListTable } from '../../components/lists/list-table.tsx'
import { Loaded } from '../../components/lists/loaded.tsx'
import { Pager } from '../../components/lists/pager.tsx'
import { NewWebhookDialog } from './new-webhook-dialog.tsx'

export function Webhooks() {
  const mayWrite = hasPermission(useMe(), 'webhooks', 'write')
  const [page, setPage] = useState(1)
  const [isCreating, setCreating] = useState(false)
  const webhooks = useQuery(query('webhooks.list', { page }))
  const create = mayWrite && (
    <Button leftSection={<Plus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      New webhook
    </Button>
  )
  return (
    <PageFrame
      title="Webhooks"
      intro="Where failures and recoveries are sent. Bind a webhook to a workspace, a project or a service to let it hear of what happens there."
      actions={create}
    >
      <Loaded query={webhooks}>
        {(list) =>
          list.total === 0 ? (
            <Empty
              icon={<Webhook size={28} aria-hidden />}
              title="No webhooks yet"
              description="Create one for your chat, your pager or a program of your own."
              action={create}
            />
          ) : (
            <Stack>
              <ListTable
                miw={480}
                head={
                  <>
                    <Table.Th>Webhook</Table.Th>
                    <Table.Th>Method</Table.Th>
                    <Table.Th>Created</Table.Th>
                  </>
                }
              >
                {list.items.map((webhook) => (
                  <Table.Tr key={webhook.id}>
                    <Table.Td>
                      <Group gap="xs">
                        <Anchor component={Link} href={`/webhooks/${webhook.id}`} fw={500}>
                          {webhook.name}
                        </Anchor>
                        {webhook.label && (
                          <Badge size="sm" variant="default">
                            {webhook.label}
                          </Badge>
                        )}
                      </Group>
                    </Table.Td>
                    <Table.Td>{webhook.method}</Table.Td>
                    <Table.Td c="dimmed">
                      <Instant at={webhook.createdAt} />
                    </Table.Td>
                  </Table.Tr>
                ))}
              </ListTable>
              <Pager page={list} onPage={setPage} />
            </Stack>
          )
        }
      </Loaded>
      {isCreating && <NewWebhookDialog onClose={() => setCreating(false)} />}
    </PageFrame>
  )
}
