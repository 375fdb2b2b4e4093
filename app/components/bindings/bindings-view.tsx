'use client'

import { Box } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ResourceType } from '#server/schemas/scopes.ts'
import { query } from '../../client/api.ts'
import { lazyDialog } from '../../client/lazy-dialog.ts'
import { hasPermission, useMe } from '../../client/me.tsx'
import { Section } from '../layout/section.tsx'
import { Loaded } from '../lists/loaded.tsx'
import { NoEntries } from '../lists/no-entries.tsx'
import { PagedRows } from '../lists/paged-rows.tsx'
import { useFoundWebhooks } from '../pickers/finders.ts'
import { BindingRow } from './binding-row.tsx'
import { InheritedBindings } from './inherited-bindings.tsx'

/** Its picker is a large part of the code, so the page shows its bindings first. */
const PickForm = lazyDialog(async () => (await import('../pickers/pick-form.tsx')).PickForm)

/** The bindings of webhooks to a resource. */
export function BindingsView({ resourceType, resourceId }: { resourceType: ResourceType; resourceId: string }) {
  const me = useMe()
  const mayWrite = hasPermission(me, 'webhooks', 'write')
  const [page, setPage] = useState(1)
  const bindings = useQuery({
    ...query('webhooks.bindings.list', { resourceType, resourceId, page }),
    enabled: hasPermission(me, 'webhooks', 'read'),
  })
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
      <Loaded query={bindings} rows={1}>
        {(list) => (
          <>
            <PagedRows list={list} onPage={setPage} empty={emptyText(resourceType)}>
              {(binding) => (
                <BindingRow
                  key={binding.id}
                  binding={binding}
                  mayWrite={mayWrite}
                  labels={{ enabled: `${binding.webhookName} is on`, unbind: `Unbind ${binding.webhookName}` }}
                >
                  {binding.webhookName}
                </BindingRow>
              )}
            </PagedRows>
            {mayWrite && (
              <Box mih={62}>
                <PickForm
                  label="Bind a webhook"
                  submitLabel="Bind"
                  useFound={useFoundWebhooks}
                  path="webhooks.bindings.create"
                  inputOf={({ value: webhookId }) => ({ resourceType, resourceId, webhookId })}
                />
              </Box>
            )}
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
