'use client'

import { Button, Group } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ResourceType } from '#server/schemas/scopes.ts'
import { mutation, query } from '../../client/api.ts'
import { hasPermission, useMe } from '../../client/me.tsx'
import { SelectField } from '../inputs/select-field.tsx'
import { Switch } from '../inputs/switch.tsx'
import { Section } from '../layout/section.tsx'
import { Loaded } from '../lists/loaded.tsx'
import { NoEntries } from '../lists/no-entries.tsx'
import { PagedRows } from '../lists/paged-rows.tsx'
import { RowButton } from '../lists/row-button.tsx'
import { Table } from '../lists/table.tsx'
import { ProblemAlert } from '../problem-alert.tsx'
import { InheritedBindings } from './inherited-bindings.tsx'

/** The bindings of webhooks to a resource. */
export function BindingsView({ resourceType, resourceId }: { resourceType: ResourceType; resourceId: string }) {
  const me = useMe()
  const mayWrite = hasPermission(me, 'webhooks', 'write')
  const [page, setPage] = useState(1)
  const bindings = useQuery({
    ...query('webhooks.bindings.list', { resourceType, resourceId, page }),
    enabled: hasPermission(me, 'webhooks', 'read'),
  })
  const update = useMutation(mutation('webhooks.bindings.update'))
  const remove = useMutation(mutation('webhooks.bindings.remove'))
  if (!hasPermission(me, 'webhooks', 'read')) {
    return (
      <Section title="Webhooks">
        <NoEntries>You need a permission to see the webhooks of the organization.</NoEntries>
      </Section>
    )
  }
  return (
    <Section
      title="Webhooks"
      intro={`Notified when ${resourceType === 'service' ? 'this service' : `a service in this ${resourceType}`} fails or recovers.`}
    >
      <ProblemAlert error={update.error ?? remove.error} />
      <Loaded query={bindings} rows={1}>
        {(list) => (
          <>
            <PagedRows list={list} onPage={setPage} empty={emptyText(resourceType)}>
              {(binding) => (
                <Table.Tr key={binding.id}>
                  <Table.Td style={{ overflowWrap: 'anywhere' }}>{binding.webhookName}</Table.Td>
                  <Table.Td w={110} px={{ base: 4, sm: 'xs' }}>
                    <Switch
                      label={binding.enabled ? 'On' : 'Paused'}
                      aria-label={`${binding.webhookName} is on`}
                      checked={binding.enabled}
                      disabled={!mayWrite}
                      onChange={(event) => update.mutate({ id: binding.id, enabled: event.currentTarget.checked })}
                    />
                  </Table.Td>
                  <Table.Td w={90} px={{ base: 0, sm: 'xs' }} ta="right">
                    {mayWrite && (
                      <RowButton
                        color="red"
                        label={`Unbind ${binding.webhookName}`}
                        onClick={() => remove.mutate({ id: binding.id })}
                      >
                        Unbind
                      </RowButton>
                    )}
                  </Table.Td>
                </Table.Tr>
              )}
            </PagedRows>
            {mayWrite && <BindForm resourceType={resourceType} resourceId={resourceId} />}
            <InheritedBindings resourceType={resourceType} resourceId={resourceId} />
          </>
        )}
      </Loaded>
    </Section>
  )
}

function emptyText(resourceType: ResourceType): string {
  return `No webhook is bound to this ${resourceType} itself.`
}

function BindForm({ resourceType, resourceId }: { resourceType: ResourceType; resourceId: string }) {
  const [webhookId, setWebhookId] = useState('')
  const webhooks = useQuery(query('webhooks.list', { pageSize: 100 }))
  const bind = useMutation({ ...mutation('webhooks.bindings.create'), onSuccess: () => setWebhookId('') })
  const items = webhooks.data?.items ?? []
  return (
    <>
      <ProblemAlert error={bind.error} />
      <Group align="flex-end">
        <SelectField
          label="Bind a webhook"
          options={[
            { value: '', label: items.length === 0 ? 'The organization has no webhooks yet' : 'Select' },
            ...items.map((webhook) => ({ value: webhook.id, label: webhook.name })),
          ]}
          value={webhookId}
          onChange={(event) => setWebhookId(event.currentTarget.value)}
          disabled={items.length === 0}
          style={{ flex: 1 }}
        />
        <Button
          variant="default"
          disabled={webhookId === ''}
          loading={bind.isPending}
          onClick={() => bind.mutate({ resourceType, resourceId, webhookId })}
        >
          Bind
        </Button>
      </Group>
    </>
  )
}
